"""What a reader may know of a table: `public` for everybody there, `own` beyond it for a seat.

Shapes: docs/protocol. Built up from what the reader may know, never stripped down.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from server.games.game import Plain, Seat, Stage
from server.table.absence import ANYONE_RESUMES_AFTER
from server.table.events import (
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
    Talked,
    TimeGiven,
    Voted,
)
from server.table.house_rules import OnAbsence
from server.table.rules import READY, REMATCH
from server.table.state import Absence, Table


def stage(table: Table) -> str:
    """`seating` before the first match, else that of the game."""
    return "seating" if table.match == 0 else table.stage.value


def public(table: Table) -> Plain:
    """What everybody at the table, and every watcher, may know."""
    return {
        "game": table.game_name,
        "private": table.code is not None,
        "stage": stage(table),
        "match": table.match,
        "owner": table.owner,
        "seats": [None if sitter is None else _plain(sitter) for sitter in table.seats],
        "ready": [word is not None for word in table.ready],
        "talk": table.house.talk,
        "on_absence": table.house.on_absence,
        "absences": [_absence(table, absence) for absence in table.absences],
        "pause": _pause(table),
        "clock": _clock(table),
        "play": table.game.public(table.play) if table.match else None,
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


def actions(table: Table, seat: Seat) -> tuple[str, ...]:
    """What this seat may do now, in the words of `act`; who acts ends the pause of a table that nobody was left at."""
    if table.pause is not None and table.pause.seat is not None:
        return ()
    if table.stage is Stage.DEAL:
        return tuple(table.game.legal(table.play, seat))
    if table.match == 0 or table.ready[seat] is not None:
        return ()
    if table.stage is Stage.OVER:
        return (REMATCH,)
    return (READY, *(f"{READY} {word}" for word in table.game.ready_words(table.play, seat)))


def _absence(table: Table, absence: Absence) -> Plain:
    votes = table.house.on_absence is OnAbsence.VOTE and not absence.stand_in
    return {
        "seat": absence.seat,
        "number": absence.number,
        "stand_in": absence.stand_in,
        "votes": [{"seat": voter, "choice": choice} for voter, choice in absence.votes] if votes else None,
    }


def _pause(table: Table) -> Plain | None:
    if table.pause is None:
        return None
    return {
        "seat": table.pause.seat,
        "at": table.pause.at,
        "anyone_from": table.pause.at + ANYONE_RESUMES_AFTER,
    }


def _clock(table: Table) -> Plain | None:
    """Per seat what is left in its bank (ms), and when its time for the decision is over, while it runs."""
    if table.clock is None:
        return None
    return {"seconds": table.house.clock_seconds, "bank": list(table.clock.bank), "due": list(table.due)}


def happening(table: Table, event: Any) -> Plain | None:
    """An event as every seat and watcher may see it; None if there is nothing to see, or not for all."""
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
        case Absent() | StandInCame() | Returned() | Voted() | Paused() | Resumed() | TimeGiven() | ActedFor():
            return _company(event)
        case _:
            return table.game.happening(event)


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
            return {"event": "paused", "seat": paused_by}
        case Resumed(seat=resumed_by):
            return {"event": "resumed", "seat": resumed_by}
        case TimeGiven(millis=millis):
            return {"event": "time_given", "millis": millis}
        case ActedFor(seat=seat, by=by):
            return {"event": "acted_for", "seat": seat, "by": by}


def _plain(sitter: Sitter) -> Plain:
    return {"player": sitter.player, "name": sitter.name, "bot": bot_word(sitter)}


def bot_word(sitter: Sitter) -> str | None:
    """How a bot is shown: its strength, or `program` for one that plays over the wire; None for a person."""
    return sitter.bot or ("program" if sitter.program else None)
