"""How events change a table. Total: nothing is refused here."""

from typing import Any, TypeVar

from server.games.catalogue import CATALOGUE
from server.games.game import Seat, Stage
from server.games.values import changed
from server.table.clock import fresh_clock, shifted
from server.table.evening import MatchScore, PersonScore, with_match
from server.table.events import (
    TABLE_EVENTS,
    Absent,
    ActedFor,
    Created,
    MatchStarted,
    OptionsChanged,
    OwnerChanged,
    Paused,
    ReadySaid,
    Resumed,
    Returned,
    Seated,
    SeatLeft,
    SeatRemoved,
    Sitter,
    StandInCame,
    Talked,
    TimeGiven,
    Voted,
)
from server.table.state import Absence, Pause, Table
from server.table.talk import kept

MOST_BARRED = 64
MOST_LEFT = 64
_Item = TypeVar("_Item")


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
        house=event.house,
        tournament=event.tournament,
    )


def evolve(table: Table, event: Any) -> Table:
    """The table after an event, of its own or of its game."""
    if type(event) not in TABLE_EVENTS:
        return _evolve_game(table, event)
    match event:
        case Seated() | SeatLeft() | SeatRemoved() | OwnerChanged() | Absent() | StandInCame() | Returned() | Voted():
            return _evolve_company(table, event)
        case OptionsChanged(options=options, house=house):
            return changed(table, play=table.game.new_match(options), house=house)
        case ReadySaid(seat=seat, word=word):
            return changed(table, ready=_with(table.ready, seat, word))
        case MatchStarted(match=number):
            return _new_match(table, number)
        case Paused(seat=seat, at=at, director=director):
            return changed(table, pause=Pause(at, seat, director))
        case Resumed(at=at):
            stood = 0 if table.pause is None else at - table.pause.at
            play = table.game.later(table.play, stood)
            return changed(table, pause=None, play=play, clock=shifted(table.clock, stood))
        case ActedFor():
            if not table.game.cards_out(table.play):
                return table  # between deals, and in the opening, nothing is done that the record counts
            return changed(table, acted_for=(*table.acted_for, table.game.acts(table.play)))
        case TimeGiven(millis=millis):
            play = table.game.later(table.play, millis)
            return changed(table, play=play, clock=shifted(table.clock, millis))
        case Talked():
            return changed(table, talk=kept(table.talk, event))
        case _:
            return table


def _evolve_company(table: Table, event: Any) -> Table:
    """Who sits there, who is away, and who owns the table."""
    match event:
        case Seated(seat=seat, sitter=sitter):
            return changed(table, seats=_with(table.seats, seat, sitter), absences=_others(table, seat))
        case SeatLeft(seat=seat, sitter=sitter):
            return _vacated(table, seat, sitter)
        case SeatRemoved(seat=seat, sitter=sitter):
            barred = (*table.barred, sitter.player)[-MOST_BARRED:]
            return changed(_vacated(table, seat, sitter), barred=barred)
        case OwnerChanged(player=player):
            return changed(table, owner=player)
        case Absent(seat=seat):
            absences = (*_others(table, seat), Absence(seat, table.version + 1))
            return changed(table, absences=tuple(sorted(absences, key=lambda one: one.seat)))
        case StandInCame(seat=seat):
            return changed(
                table,
                absences=tuple(changed(one, stand_in=True) if one.seat == seat else one for one in table.absences),
            )
        case Returned(seat=seat):
            return changed(table, absences=_others(table, seat))
        case Voted():
            return changed(table, absences=tuple(_with_vote(one, event) for one in table.absences))
        case _:
            return table


def _others(table: Table, seat: Seat) -> tuple[Absence, ...]:
    return tuple(one for one in table.absences if one.seat != seat)


def _with_vote(absence: Absence, vote: Voted) -> Absence:
    if absence.seat != vote.absent:
        return absence
    votes = {**dict(absence.votes), vote.seat: vote.choice}
    return changed(absence, votes=tuple(sorted(votes.items())))


def _without_vote(absence: Absence, seat: Seat) -> Absence:
    """Who goes takes his vote along: it is not that of the next in his seat."""
    return changed(absence, votes=tuple(vote for vote in absence.votes if vote[0] != seat))


def _new_match(table: Table, number: int) -> Table:
    score = match_score(table)
    table = changed(
        table,
        match=number,
        play=table.game.new_match(table.game.options(table.play)),
        ready=(None,) * len(table.seats),
        sat=(),
        dealt_to=(),
        absences=(),
        acted_for=(),
        evening=table.evening if score is None else with_match(table.evening, score),
    )
    return changed(table, clock=fresh_clock(table))


def match_score(table: Table) -> MatchScore | None:
    """What the running or last match has brought so far; None before its first deal is scored."""
    if not table.sat:
        return None
    people: dict[str, Sitter] = {}
    seats: dict[str, set[Seat]] = {}
    for sitters in table.sat:
        for seat, sitter in enumerate(sitters):
            if sitter is not None:
                people[sitter.player] = sitter
                seats.setdefault(sitter.player, set()).add(Seat(seat))
    ids = [["" if sitter is None else sitter.player for sitter in sitters] for sitters in table.sat]
    numbers = table.game.scores(table.play, ids)
    scores = tuple(
        PersonScore(one.player, one.name, not one.person, tuple(sorted(seats[player])), dict(numbers[player]))
        for player, one in people.items()
    )
    return MatchScore(table.match, table.match, len(table.sat), scores)


def _evolve_game(table: Table, event: Any) -> Table:
    game, before = table.game, table.play
    play = game.evolve(before, event)
    stage, was = game.stage(play), game.stage(before)
    if stage is was and game.cards_out(before) and game.finished_deals(play) == len(table.sat):
        return changed(table, play=play)  # a deal goes on, as it does at nearly every event
    if game.cards_out(play) and not game.cards_out(before):
        table = changed(table, dealt_to=_sitters(table))
    if game.finished_deals(play) > len(table.sat):
        table = changed(table, sat=(*table.sat, table.dealt_to or _sitters(table)))
    if stage is not was:
        table = changed(
            table,
            ready=(None,) * len(table.seats),
            saw=(),
            acted_for=() if stage is Stage.DEAL else table.acted_for,
            absences=() if stage is Stage.OVER else table.absences,
            pause=None if stage is Stage.OVER else table.pause,
        )
    return changed(table, play=play)


def _sitters(table: Table) -> tuple[Sitter | None, ...]:
    """Who sits where; at an empty seat, who sat there last: whatever a deal brings, somebody has it."""
    last = table.last or (None,) * len(table.seats)
    left = {seat: sitter for sitter, seat in table.saw}  # in a state of release 0.1.0, which has no `last`
    return tuple(sitter or last[seat] or left.get(Seat(seat)) for seat, sitter in enumerate(table.seats))


def _vacated(table: Table, seat: Seat, sitter: Sitter) -> Table:
    saw = table.saw
    if table.game.cards_out(table.play) and sitter.bot is None:
        saw = (*(one for one in saw if one[0].player != sitter.player), (sitter, seat))[-MOST_LEFT:]
    return changed(
        table,
        seats=_with(table.seats, seat, None),
        ready=_with(table.ready, seat, None),
        saw=saw,
        last=_with(table.last or (None,) * len(table.seats), seat, sitter),
        absences=tuple(_without_vote(one, seat) for one in _others(table, seat)),
    )


def _with(items: tuple[_Item, ...], seat: Seat, item: _Item) -> tuple[_Item, ...]:
    return (*items[:seat], item, *items[seat + 1 :])
