"""What a reader may know of a table: `public` for everybody there, `own` beyond it for a seat.

Shapes: docs/protocol. Built up from what the reader may know, never stripped down.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from server.games.game import OwnParts, Part, Plain, Seat, Stage, joined
from server.table.absence import ANYONE_RESUMES_AFTER
from server.table.affiliation import Affiliation
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
    Substitute,
    TableClosed,
    Talked,
    TimeGiven,
    Voted,
)
from server.table.house_rules import HouseRules, OnAbsence, Talk
from server.table.ids import PlayerId
from server.table.rules import READY, REMATCH
from server.table.state import Absence, Clock, Pause, Table


def stage(table: Table) -> str:
    """`seating` before the first match, else that of the game."""
    return "seating" if table.match == 0 else table.stage.value


def public(table: Table) -> Plain:
    """What everybody at the table, and every watcher, may know."""
    return {**joined(public_parts(table)), "play": table.game.public(table.play) if table.match else None}


def public_parts(table: Table) -> tuple[Part, ...]:
    """`public` in parts, all but `play`, which has parts of its own: see `play_parts`."""
    house, course = table.house, (stage(table), table.match, table.ready, table.absences, table.pause)
    return (
        Part(
            (table.game_name, table.code is not None, table.owner, table.tournament, table.seats, house, *course),
            _at_table,
        ),
        Part((table.clock, house), _clock),
    )


def play_parts(table: Table) -> tuple[Sequence[Part] | None, OwnParts]:
    """The parts of `play` in `public`, None before the first match; and those of `play` in `own` of each seat."""
    return table.game.parts(table.play) if table.match else (None, OwnParts((), ((),) * len(table.seats), _no_play))


def _no_play() -> None:
    return None


def _at_table(
    game: str,
    private: bool,
    owner: PlayerId,
    tournament: Affiliation | None,
    seats: Sequence[Sitter | None],
    house: HouseRules,
    stage: str,
    match: int,
    ready: Sequence[str | None],
    absences: Sequence[Absence],
    pause: Pause | None,
) -> Plain:
    return {
        "game": game,
        "private": private,
        "stage": stage,
        "match": match,
        "owner": owner,
        "tournament": None if tournament is None else _tournament(tournament),
        "seats": [None if sitter is None else _plain(sitter) for sitter in seats],
        "ready": [word is not None for word in ready],
        "talk": Talk.OFF if tournament is not None and stage == Stage.DEAL else house.talk,
        "on_absence": house.on_absence,
        "absences": [_absence(house, absence) for absence in absences],
        "pause": _pause(pause),
    }


def own(table: Table, seat: Seat) -> Plain:
    """What this seat knows and may do."""
    return {
        "seat": seat,
        "code": table.code,
        "prompt": table.prompt,
        "actions": list(actions(table, seat)),
        "play": table.game.own(table.play, seat) if table.match else None,
    }


def offers(table: Table) -> Sequence[Sequence[str]]:
    """`actions` for each seat."""
    if table.pause is None and table.stage is Stage.DEAL:
        return table.game.offers(table.play)
    return [actions(table, Seat(seat)) for seat in range(len(table.seats))]


def actions(table: Table, seat: Seat) -> tuple[str, ...]:
    """What this seat may do now, in the words of `act`; who acts ends the pause of a table that nobody was left at."""
    if table.pause is not None and not table.pause.deserted:
        return ()
    if table.stage is Stage.DEAL:
        return tuple(table.game.legal(table.play, seat))
    if table.match == 0 or table.ready[seat] is not None:
        return ()
    if table.stage is Stage.OVER:
        return (REMATCH,) if table.tournament is None else ()
    return (READY, *(f"{READY} {word}" for word in table.game.ready_words(table.play, seat)))


def _absence(house: HouseRules, absence: Absence) -> Plain:
    votes = house.on_absence is OnAbsence.VOTE and not absence.stand_in
    return {
        "seat": absence.seat,
        "number": absence.number,
        "stand_in": absence.stand_in,
        "votes": [{"seat": voter, "choice": choice} for voter, choice in absence.votes] if votes else None,
    }


def _pause(pause: Pause | None) -> Plain | None:
    if pause is None:
        return None
    anyone_from = pause.at + ANYONE_RESUMES_AFTER
    return {"seat": pause.seat, "at": pause.at, "anyone_from": anyone_from, "director": pause.director}


def _tournament(one: Affiliation) -> Plain:
    """What everybody may know of the tournament; where its decks come from is not among it."""
    return {
        "tournament": one.tournament,
        "name": one.name,
        "round": one.round,
        "rounds": one.rounds,
        "number": one.number,
        "deadline": one.deadline,
        "duplicate": one.duplicate,
    }


def _clock(clock: Clock | None, house: HouseRules) -> Plain:
    """Per seat what is left in its bank (ms), and when its time for the decision is over, while it runs."""
    seconds = house.clock_seconds
    if clock is None or seconds is None:
        return {"clock": None}
    return {"clock": {"seconds": seconds, "bank": list(clock.bank), "due": list(clock.due(seconds))}}


def happening(table: Table, event: Any) -> Plain | None:
    """An event as every seat and watcher may see it; None if there is nothing to see, or not for all."""
    if type(event) not in TABLE_EVENTS:
        return table.game.happening(event)
    match event:
        case Created():
            return None
        case Seated() | SeatLeft() | SeatRemoved() | OwnerChanged():
            return _seating(event)
        case ReadySaid(seat=seat):
            return {"event": "ready", "seat": seat}
        case MatchStarted(match=number):
            return {"event": "match_started", "match": number}
        case OptionsChanged():
            return {"event": "options_changed", "options": table.options}
        case ActedFor(by=Substitute.SUCCESSOR):
            return None
        case Talked():
            return None if event.seat is None else said(event)
        case TableClosed(reason=reason):
            return {"event": "table_closed", "reason": reason}
        case Absent() | StandInCame() | Returned() | Voted() | Paused() | Resumed() | TimeGiven() | ActedFor():
            return _company(event)
        case _:
            return None


def watchers_only(events: Iterable[Any]) -> Iterator[Plain]:
    """Those of the events that only the watchers may see: what they say to each other."""
    yield from (said(event) for event in events if isinstance(event, Talked) and event.seat is None)


def said(talked: Talked) -> Plain:
    """What somebody said, as a happening; without a seat it was a watcher."""
    return {
        "event": "talked",
        "seat": talked.seat,
        "player": talked.player,
        "name": talked.name,
        "text": talked.text,
        "phrase": talked.phrase,
        "at": talked.at,
    }


def _seating(event: Seated | SeatLeft | SeatRemoved | OwnerChanged) -> Plain:
    match event:
        case Seated(seat=seat, sitter=sitter):
            return {"event": "seated", "seat": seat, **_plain(sitter)}
        case SeatLeft(seat=seat, sitter=sitter):
            return {"event": "seat_left", "seat": seat, "name": sitter.name}
        case SeatRemoved(seat=seat, sitter=sitter):
            return {"event": "seat_removed", "seat": seat, "name": sitter.name}
        case OwnerChanged(player=player):
            return {"event": "owner_changed", "player": player}


def _company(event: Absent | StandInCame | Returned | Voted | Paused | Resumed | TimeGiven | ActedFor) -> Plain:
    match event:
        case Absent(seat=seat):
            return {"event": "absent", "seat": seat}
        case StandInCame(seat=seat):
            return {"event": "stand_in", "seat": seat}
        case Returned(seat=seat):
            return {"event": "returned", "seat": seat}
        case Voted(seat=seat, absent=absent, choice=choice):
            return {"event": "voted", "seat": seat, "absent": absent, "choice": choice}
        case Paused(seat=paused_by):
            return {"event": "paused", "seat": paused_by, "director": event.director}
        case Resumed(seat=resumed_by):
            return {"event": "resumed", "seat": resumed_by, "director": event.director}
        case TimeGiven(millis=millis):
            return {"event": "time_given", "millis": millis}
        case ActedFor(seat=seat, by=by):
            return {"event": "acted_for", "seat": seat, "by": by}


def _plain(sitter: Sitter) -> Plain:
    return {"player": sitter.player, "name": sitter.name, "bot": bot_word(sitter)}


def bot_word(sitter: Sitter) -> str | None:
    """How a bot is shown: its strength, or `program` for one that plays over the wire; None for a person."""
    return sitter.bot or ("program" if sitter.program else None)
