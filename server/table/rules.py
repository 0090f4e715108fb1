"""Every decision at a table, and how its events change it. Pure: time and randomness are arguments."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, TypeVar, assert_never, get_args

from server.games.catalogue import CATALOGUE
from server.games.game import Moment, RuleViolation, Seat, Stage
from server.table.commands import (
    Act,
    AnnulDeal,
    Command,
    Create,
    FinishMatch,
    LeaveSeat,
    PassOwnership,
    RemoveSitter,
    RunOut,
    StartDeal,
    TakeSeat,
)
from server.table.ids import PlayerId
from server.table.state import (
    Created,
    MatchStarted,
    OwnerChanged,
    ReadySaid,
    Seated,
    SeatLeft,
    SeatRemoved,
    Sitter,
    Table,
    TableEvent,
)

READY = "ready"
REMATCH = "rematch"
MOST_BARRED = 64
MOST_LEFT = 64
_TABLE_EVENTS = get_args(TableEvent)
_Item = TypeVar("_Item")


def create(command: Create, moment: Moment) -> tuple[Any, ...]:
    """The events that open a table.

    Raises:
        RuleViolation: `unknown_game`, `unknown_option`, `bad_option`
    """
    game = CATALOGUE.get(command.game)
    if game is None:
        raise RuleViolation("unknown_game")
    options = game.options(game.new_match(command.options))
    opened = Created(command.table, command.game, options, command.code, command.player, moment.now)
    return tuple(_with_consequences(new_table(opened), [Seated(Seat(0), command.sitter)], moment, first=opened))


def decide(table: Table, command: Command, moment: Moment) -> tuple[Any, ...]:
    """The events of a command at a table that is open.

    Raises:
        RuleViolation: why it is refused
    """
    events = _decide(table, command, moment)
    if table.stage is Stage.DEAL:
        return tuple(events)  # nothing follows: nobody can be ready for the next deal
    return tuple(_with_consequences(table, events, moment))


def _decide(table: Table, command: Command, moment: Moment) -> Sequence[Any]:
    match command:
        case Act():
            return _act(table, command, moment)
        case TakeSeat():
            return _take_seat(table, command)
        case LeaveSeat(player=player):
            return _vacate(table, _seat_of(table, player), removed=False)
        case RemoveSitter(player=player, sitter=sitter):
            return _remove(table, player, sitter)
        case StartDeal():
            return _start(table, command)
        case FinishMatch(player=player, prompt=prompt):
            _check_owner(table, player)
            _check_prompt(table, prompt)
            return table.game.finish(table.play)
        case PassOwnership(player=player, owner=owner):
            passes = table.owner == owner != player and table.seat_of(player) is not None
            return (OwnerChanged(player),) if passes else ()
        case AnnulDeal(player=player, prompt=prompt):
            _check_owner(table, player)
            _check_prompt(table, prompt)
            if table.full:
                raise RuleViolation("deal_goes_on")
            return table.game.annul(table.play, moment)
        case RunOut(prompt=prompt):
            return table.game.run_out(table.play, moment) if prompt == table.prompt else ()
        case Create():
            raise RuleViolation("id_reused")
        case _:
            assert_never(command)


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
    if not table.full:
        return ()
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
    return (MatchStarted(number), *table.game.begin(table.play, f"{table.id}/{number}", moment))


def _act(table: Table, command: Act, moment: Moment) -> Sequence[Any]:
    seat = _seat_of(table, command.player)
    _check_prompt(table, command.prompt)
    if table.stage is Stage.DEAL:
        return table.game.decide(table.play, seat, command.action, moment)
    word, _, further = command.action.partition(" ")
    if table.match == 0:
        raise RuleViolation("seats_empty")
    if table.ready[seat] is not None:
        raise RuleViolation("already_ready")
    if table.stage is Stage.OVER:
        if command.action != REMATCH:
            raise RuleViolation("no_deal_running")
        return (ReadySaid(seat, ""),)
    if word != READY:
        raise RuleViolation("no_deal_running")
    table.game.check_ready(table.play, seat, further)
    return (ReadySaid(seat, further),)


def _take_seat(table: Table, command: TakeSeat) -> Sequence[Any]:
    if command.player in table.barred:
        raise RuleViolation("barred")
    if table.seat_of(command.player) is not None:
        raise RuleViolation("already_seated")
    known = next((seat for sitter, seat in table.saw if sitter.player == command.player), None)
    wanted = command.seat if command.seat is not None else known
    if wanted is None:
        if table.full:
            raise RuleViolation("table_full")
        wanted = Seat(table.seats.index(None))
    if wanted >= len(table.seats):
        raise RuleViolation("no_such_seat")
    if known is not None and wanted != known:
        raise RuleViolation("saw_other_hand")
    if table.seats[wanted] is not None:
        raise RuleViolation("table_full" if table.full else "seat_taken")
    seated = Seated(wanted, command.sitter)
    if command.player != table.owner and not any(table.seats):
        return seated, OwnerChanged(command.player)
    return (seated,)


def _remove(table: Table, player: PlayerId, sitter: PlayerId) -> Sequence[Any]:
    _check_owner(table, player)
    seat = table.seat_of(sitter)
    if seat is None or sitter == player:
        raise RuleViolation("no_such_sitter")
    return _vacate(table, seat, removed=True)


def _vacate(table: Table, seat: Seat, *, removed: bool) -> Sequence[Any]:
    sitter = table.seats[seat]
    if sitter is None:
        raise RuleViolation("not_seated")
    if removed:
        return (SeatRemoved(seat, sitter),)
    others = [other.player for other in table.seats if other is not None and other is not sitter]
    if sitter.player == table.owner and others:
        return SeatLeft(seat, sitter), OwnerChanged(others[0])
    return (SeatLeft(seat, sitter),)


def _start(table: Table, command: StartDeal) -> Sequence[Any]:
    _check_owner(table, command.player)
    _check_prompt(table, command.prompt)
    if not table.full:
        raise RuleViolation("seats_empty")
    if table.stage is Stage.DEAL:
        raise RuleViolation("deal_running")
    if table.stage is Stage.OVER:
        raise RuleViolation("rematch_needs_all")
    return [ReadySaid(Seat(seat), "") for seat, word in enumerate(table.ready) if word is None]


def _seat_of(table: Table, player: PlayerId) -> Seat:
    seat = table.seat_of(player)
    if seat is None:
        raise RuleViolation("not_seated")
    return seat


def _check_prompt(table: Table, prompt: str) -> None:
    if prompt != table.prompt:
        raise RuleViolation("stale")


def _check_owner(table: Table, player: PlayerId) -> None:
    if player != table.owner:
        raise RuleViolation("not_owner")


def new_table(event: Created) -> Table:
    """The table that was opened."""
    game = CATALOGUE[event.game]
    return Table(
        id=event.table,
        game_name=event.game,
        code=event.code,
        owner=event.owner,
        opened=event.at,
        play=game.new_match(event.options),
        seats=(None,) * game.seats,
        ready=(None,) * game.seats,
    )


def evolve(table: Table, event: Any) -> Table:
    """The table after an event, of its own or of its game."""
    if not isinstance(event, _TABLE_EVENTS):
        return _evolve_game(table, event)
    match event:
        case Seated(seat=seat, sitter=sitter):
            return replace(table, seats=_with(table.seats, seat, sitter))
        case SeatLeft(seat=seat, sitter=sitter):
            return _vacated(table, seat, sitter)
        case SeatRemoved(seat=seat, sitter=sitter):
            barred = (*table.barred, sitter.player)[-MOST_BARRED:]
            return replace(_vacated(table, seat, sitter), barred=barred)
        case OwnerChanged(player=player):
            return replace(table, owner=player)
        case ReadySaid(seat=seat, word=word):
            return replace(table, ready=_with(table.ready, seat, word))
        case MatchStarted(match=number):
            fresh = table.game.new_match(table.game.options(table.play))
            return replace(table, match=number, play=fresh, ready=(None,) * len(table.seats), sat=())
        case _:
            return table


def _evolve_game(table: Table, event: Any) -> Table:
    game = table.game
    play = game.evolve(table.play, event)
    if game.finished_deals(play) > len(table.sat):
        table = replace(table, sat=(*table.sat, _sitters(table)))
    if game.stage(play) is not table.stage:
        table = replace(table, ready=(None,) * len(table.seats), saw=())
    return replace(table, play=play)


def _sitters(table: Table) -> tuple[Sitter | None, ...]:
    """Who sits where; at a seat that was given up in this deal, who sat there last."""
    left = {seat: sitter for sitter, seat in table.saw}
    return tuple(sitter or left.get(Seat(seat)) for seat, sitter in enumerate(table.seats))


def _vacated(table: Table, seat: Seat, sitter: Sitter) -> Table:
    saw = table.saw
    if table.game.cards_out(table.play):
        saw = (*(one for one in saw if one[0].player != sitter.player), (sitter, seat))[-MOST_LEFT:]
    return replace(table, seats=_with(table.seats, seat, None), ready=_with(table.ready, seat, None), saw=saw)


def _with(items: tuple[_Item, ...], seat: Seat, item: _Item) -> tuple[_Item, ...]:
    return (*items[:seat], item, *items[seat + 1 :])
