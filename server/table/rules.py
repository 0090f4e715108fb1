"""Every decision at a table. Pure: time and randomness are arguments; `evolution` applies the events."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, assert_never

from server.games.catalogue import CATALOGUE
from server.games.game import WINNABLE, Game, Moment, OptionValue, RuleViolation, Seat, Stage
from server.table import absence, clock, directed, seating, talk
from server.table.commands import (
    Act,
    AnnulDeal,
    BotActs,
    ChangeOptions,
    Command,
    Create,
    DealOfDay,
    DealWinnable,
    FinishMatch,
    GiveTime,
    HandOver,
    LeaveSeat,
    NoteAbsent,
    NoteAttended,
    NoteDeserted,
    NoteReturn,
    OfServer,
    OpenForTournament,
    OwnersCommand,
    PassOwnership,
    PauseTable,
    PlayersCommand,
    RemoveSitter,
    ResumeTable,
    RunOut,
    Say,
    SeatBot,
    ServersCommand,
    StartDeal,
    TakeSeat,
    Vote,
)
from server.table.events import ActedFor, Created, MatchStarted, OptionsChanged, ReadySaid, Seated, Substitute
from server.table.evolution import evolve, new_table
from server.table.house_rules import HouseRules, house_rules
from server.table.seating import check_owner, seat_of
from server.table.state import Table

READY = "ready"
REMATCH = "rematch"


def opened(command: Command, moment: Moment) -> tuple[Any, ...]:
    """The events of the first command at a table that is not open yet.

    Raises:
        RuleViolation: `no_such_table`: it opens none; or why it is refused
    """
    match command:
        case Create():
            return create(command, moment)
        case OpenForTournament():
            created, seated = directed.opening(command, moment)
            return tuple(_with_consequences(new_table(created), seated, moment, first=created))
        case _:
            raise RuleViolation("no_such_table")


def create(command: Create, moment: Moment) -> tuple[Any, ...]:
    """The events that open a table.

    Raises:
        RuleViolation: `unknown_game`, `unknown_option`, `bad_option`, `options_clash`
    """
    game = CATALOGUE.get(command.game)
    if game is None:
        raise RuleViolation("unknown_game")
    house, rest = _agreed(game, command.options)
    options = game.options(game.new_match(rest))
    first = Created(command.table, command.game, options, command.code, command.player, moment.now, house)
    return tuple(_with_consequences(new_table(first), [Seated(Seat(0), command.sitter)], moment, first=first))


def decide(table: Table, command: Command, moment: Moment) -> tuple[Any, ...]:
    """The events of a command at a table that is open.

    Raises:
        RuleViolation: why it is refused
    """
    events = _servers(table, command, moment) if isinstance(command, OfServer) else _players(table, command, moment)
    if table.stage is Stage.DEAL and not table.absences:
        return tuple(events)  # nothing follows: nobody can be ready for the next deal
    if isinstance(command, DealWinnable):
        moment = Moment(moment.now, command.entropy)
    return tuple(_with_consequences(table, events, moment))


def _players(table: Table, command: PlayersCommand, moment: Moment) -> Sequence[Any]:
    if table.tournament is not None:
        directed.check_player(table, command)
    match command:
        case Act():
            return _act(table, command, moment)
        case TakeSeat():
            return seating.take_seat(table, command)
        case LeaveSeat(player=player):
            seat = seat_of(table, player)
            return (*table.game.abandon(table.play, moment), *seating.vacate(table, seat, removed=False))
        case DealWinnable():
            return _deal_winnable(table, command, moment)
        case DealOfDay():
            return _deal_of_day(table, command, moment)
        case Say():
            return talk.say(table, command, moment)
        case Vote():
            return absence.vote(table, command)
        case ResumeTable():
            return absence.resume(table, command, moment)
        case Create():
            raise RuleViolation("id_reused")
        case _:
            check_owner(table, command.player)
            return _owners(table, command, moment)


def _owners(table: Table, command: OwnersCommand, moment: Moment) -> Sequence[Any]:
    match command:
        case RemoveSitter():
            return seating.remove(table, command)
        case SeatBot():
            return seating.seat_bot(table, command)
        case HandOver():
            return seating.hand_over(table, command)
        case PauseTable():
            return absence.pause(table, command, moment)
        case ChangeOptions():
            return _change_options(table, command)
        case StartDeal():
            return _start(table, command)
        case FinishMatch(prompt=prompt):
            _check_prompt(table, prompt)
            return table.game.finish(table.play)
        case AnnulDeal(prompt=prompt):
            _check_prompt(table, prompt)
            if table.full:
                raise RuleViolation("deal_goes_on")
            return table.game.annul(table.play, moment)
        case _:
            assert_never(command)


def _servers(table: Table, command: ServersCommand, moment: Moment) -> Sequence[Any]:
    match command:
        case RunOut(prompt=prompt):
            return clock.run_out(table, moment) if prompt == table.prompt else ()
        case BotActs():
            return _bot_acts(table, command, moment)
        case NoteAbsent(player=player):
            return absence.absent_player(table, player)
        case NoteReturn(player=player):
            return absence.returned(table, player)
        case NoteDeserted():
            return absence.deserted(table, moment)
        case NoteAttended():
            return absence.attended(table, moment)
        case GiveTime(since=since):
            return clock.give_time(table, since, moment)
        case PassOwnership():
            return seating.pass_ownership(table, command)
        case OpenForTournament():
            return ()  # it is open
        case _:
            return directed.directed(table, command, moment)


def _with_consequences(
    table: Table, events: Sequence[Any], moment: Moment, first: Created | None = None
) -> Iterator[Any]:
    """The events, and what follows from them: a match begins when all sit, a deal when all are ready."""
    if first is not None:
        yield first
    for event in events:
        table = evolve(table, event)
        yield event
    following = _consequences(table, moment)
    if following:
        yield from _with_consequences(table, following, moment)


def _consequences(table: Table, moment: Moment) -> Sequence[Any]:
    votes = absence.decided(table, moment) if table.absences else ()
    if votes or not table.full or table.pause is not None:
        return votes
    if table.match == 0:
        return _new_match(table, moment)
    if None in table.ready:
        return ()
    if table.stage is Stage.OVER:
        return _new_match(table, moment)
    if table.stage is Stage.BETWEEN:
        return table.game.deal(table.play, [word or "" for word in table.ready], moment)
    return ()


def _new_match(table: Table, moment: Moment) -> Sequence[Any]:
    number = table.match + 1
    if table.tournament is not None and table.tournament.duplicate:
        return (MatchStarted(number), *table.game.begin_same_cards(table.tournament.label, table.tournament.seed))
    return (MatchStarted(number), *table.game.begin(table.play, f"{table.id}/{number}", moment))


def _act(table: Table, command: Act, moment: Moment) -> Sequence[Any]:
    """A player answers a question: who was away is back by it, and a deserted table goes on."""
    seat = seat_of(table, command.player)
    _check_prompt(table, command.prompt)
    before: tuple[Any, ...] = ()
    if table.pause is not None:
        before = tuple(absence.attended(table, moment))
        for event in before:
            table = evolve(table, event)
        if table.pause is not None:
            raise RuleViolation("paused")
    if table.absences:
        before += tuple(absence.returned(table, command.player))
    if table.plays_for_another(seat):
        before += (ActedFor(seat, Substitute.SUCCESSOR),)
    events = _answer(table, seat, command.action, moment)
    return (*before, *events) if before else events


def check_winnable(table: Table, command: DealWinnable) -> None:
    """Whether the player may have a deal that can be won, now.

    Raises:
        RuleViolation
    """
    seat_of(table, command.player)
    _check_prompt(table, command.prompt)
    table.game.winnable(table.play)
    _check_between_deals(table)


def _deal_winnable(table: Table, command: DealWinnable, moment: Moment) -> Sequence[Any]:
    """Deals with bytes that a solver has chosen."""
    check_winnable(table, command)
    return (*absence.attended(table, moment), ReadySaid(seat_of(table, command.player), WINNABLE))


def _deal_of_day(table: Table, command: DealOfDay, moment: Moment) -> Sequence[Any]:
    """Who sits there alone wants the deal of the day next."""
    seat_of(table, command.player)
    _check_prompt(table, command.prompt)
    _check_between_deals(table)
    if table.game.seats > 1 or table.match == 0:
        raise RuleViolation("no_daily")
    return (*absence.attended(table, moment), *table.game.deal_of_day(table.play, command.day, moment))


def _check_between_deals(table: Table) -> None:
    """Whether a deal may be asked for now; that of a table that nobody was left at ends a pause."""
    if table.pause is not None and not table.pause.deserted:
        raise RuleViolation("paused")
    if table.stage is Stage.DEAL:
        raise RuleViolation("deal_running")
    if table.stage is Stage.OVER:
        raise RuleViolation("no_match_running")


def _answer(table: Table, seat: Seat, action: str, moment: Moment) -> Sequence[Any]:
    if table.stage is Stage.DEAL:
        return table.game.decide(table.play, seat, action, moment)
    word, _, further = action.partition(" ")
    if table.match == 0:
        raise RuleViolation("seats_empty")
    if table.ready[seat] is not None:
        raise RuleViolation("already_ready")
    if table.stage is Stage.OVER:
        if action != REMATCH:
            raise RuleViolation("no_deal_running")
        return (ReadySaid(seat, ""),)
    if word != READY:
        raise RuleViolation("no_deal_running")
    table.game.check_ready(table.play, seat, further)
    return (ReadySaid(seat, further),)


def _bot_acts(table: Table, command: BotActs, moment: Moment) -> Sequence[Any]:
    """A bot's answer counts only while the bot plays the seat and the question stands."""
    seat = command.seat
    if table.pause is not None or command.prompt != table.prompt or not table.played_by_bot(seat):
        return ()
    stands_in = table.absence(seat) is not None or table.plays_for_another(seat)
    events = _answer(table, seat, command.action, moment)
    return (*((ActedFor(seat, Substitute.BOT),) if stands_in else ()), *events)


def _change_options(table: Table, command: ChangeOptions) -> Sequence[Any]:
    if table.match > 0:
        raise RuleViolation("match_begun")
    house, rest = _agreed(table.game, command.options)
    return (OptionsChanged(table.game.options(table.game.new_match(rest)), house),)


def _agreed(game: Game, options: Mapping[str, OptionValue]) -> tuple[HouseRules, Mapping[str, OptionValue]]:
    """The house rules that options make, and the game's options. Who plays alone has no clock: nobody waits for him."""
    house, rest = house_rules(options)
    if game.seats == 1 and house.clock_seconds is not None:
        raise RuleViolation("bad_option", "clock_seconds")
    return house, rest


def _start(table: Table, command: StartDeal) -> Sequence[Any]:
    _check_prompt(table, command.prompt)
    if table.pause is not None:
        raise RuleViolation("paused")
    if not table.full:
        raise RuleViolation("seats_empty")
    if table.stage is Stage.DEAL:
        raise RuleViolation("deal_running")
    if table.stage is Stage.OVER:
        raise RuleViolation("rematch_needs_all")
    return [ReadySaid(Seat(seat), "") for seat, word in enumerate(table.ready) if word is None]


def _check_prompt(table: Table, prompt: str) -> None:
    if prompt != table.prompt:
        raise RuleViolation("stale")
