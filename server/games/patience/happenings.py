"""What happens in a match of a patience, as everybody may see it."""

from typing import assert_never

from server.games.game import Plain
from server.games.patience.events import (
    DealAnnulled,
    DealOffered,
    DealOver,
    Dealt,
    MatchEnded,
    Moved,
    PatienceEvent,
    Redone,
    SolverAsked,
    Undone,
)
from server.games.patience.view import plain_line


def happening(event: PatienceEvent) -> Plain:
    """An event as everybody may see it."""
    match event:
        case DealOffered(deal=deal):
            return {"event": "patience_offered", "deal": deal}
        case Dealt(deal=deal, known=known, day=day):
            number = event.number if known and not day else None
            opening = [{"move": step.move, "card": step.card} for step in event.opening]
            facts = {"deal": deal, "known": known, "day": day or None, "number": number, "opening": opening}
            return {"event": "patience_dealt", **facts}
        case Moved(move=move, card=card, auto=auto):
            return {"event": "moved", "move": move, "card": card, "auto": auto}
        case Undone(move=move):
            return {"event": "undone", "move": move}
        case Redone(move=move):
            return {"event": "redone", "move": move}
        case SolverAsked():
            return {"event": "solver_asked"}
        case DealOver(line=line):
            return {"event": "patience_over", "line": plain_line(line)}
        case DealAnnulled(deal=deal, number=number):
            return {"event": "patience_annulled", "deal": deal, "number": number or None}
        case MatchEnded():
            return {"event": "match_over"}
        case _:
            assert_never(event)
