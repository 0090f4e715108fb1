"""What a reader may know of a table: `public` for everybody there, `own` beyond it for a seat.

Shapes: docs/protocol. Built up from what the reader may know, never stripped down.
"""

from typing import Any

from server.games.game import Plain, Seat, Stage
from server.table.rules import READY, REMATCH
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
)


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
    """What this seat may do now, in the words of `act`."""
    if table.stage is Stage.DEAL:
        return tuple(table.game.legal(table.play, seat))
    if table.match == 0 or table.ready[seat] is not None:
        return ()
    if table.stage is Stage.OVER:
        return (REMATCH,)
    return (READY, *(f"{READY} {word}" for word in table.game.ready_words(table.play, seat)))


def happening(table: Table, event: Any) -> Plain | None:
    """An event as everybody at the table may see it; None if there is nothing to see."""
    match event:
        case Created():
            return None
        case Seated(seat=seat, sitter=sitter):
            return {"event": "seated", "seat": seat, **_plain(sitter)}
        case SeatLeft(seat=seat, sitter=sitter):
            return {"event": "seat_left", "seat": seat, "name": sitter.name}
        case SeatRemoved(seat=seat, sitter=sitter):
            return {"event": "seat_removed", "seat": seat, "name": sitter.name}
        case OwnerChanged(player=player):
            return {"event": "owner_changed", "player": player}
        case ReadySaid(seat=seat):
            return {"event": "ready", "seat": seat}
        case MatchStarted(match=number):
            return {"event": "match_started", "match": number}
        case _:
            return table.game.happening(event)


def sheet(table: Table) -> Plain:
    """The score sheet of the running or last match, with the names at each deal."""
    people = {sitter.player: sitter.name for sitters in table.sat for sitter in sitters if sitter is not None}
    parts = table.game.sheet(table.play, [[_player(sitter) for sitter in sitters] for sitters in table.sat])
    lines = [
        {"names": ["" if sitter is None else sitter.name for sitter in sitters], "line": line}
        for sitters, line in zip(table.sat, parts["lines"], strict=True)
    ]
    debts = [
        {"debtor": people[debt["debtor"]], "creditor": people[debt["creditor"]], "amount": debt["amount"]}
        for debt in parts["debts"]
    ]
    options = table.game.options(table.play)
    return {"match": table.match, "options": options, **parts, "lines": lines, "debts": debts}


def _player(sitter: Sitter | None) -> str:
    return "" if sitter is None else sitter.player


def _plain(sitter: Sitter) -> Plain:
    return {"player": sitter.player, "name": sitter.name}
