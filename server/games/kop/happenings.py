"""What happens in a match of Kop, as everybody may see it. Shapes: docs/protocol."""

from typing import assert_never

from server.games.game import Plain
from server.games.kop.deal import left_of
from server.games.kop.events import (
    AnswerTimeOver,
    CardPlayed,
    DealAnnulled,
    DealOffered,
    DealScored,
    Dealt,
    KopEvent,
    LeadTakenBack,
    MatchEnded,
    Opened,
    OpeningBegun,
    Said,
    TrickTaken,
)
from server.games.kop.fair import commitment
from server.games.kop.scoring import Line


def happening(event: KopEvent) -> Plain:
    """An event as everybody may see it."""
    match event:
        case DealOffered():
            return {
                "event": "deal_offered",
                "deal": event.number,
                "dealer": event.dealer,
                "commitment": commitment(event.secret),
            }
        case Dealt():
            return {
                "event": "dealt",
                "deal": event.number,
                "dealer": event.dealer,
                "leader": left_of(event.dealer),
                "cut": event.cut,
                "opened": [part.hex() for part in event.opened],
            }
        case OpeningBegun():
            return {"event": "opening_begun", "commitments": list(event.commitments), "cut": event.cut}
        case Opened(seat=seat):
            return {"event": "opened", "seat": seat}
        case Said(utterance=said):
            return {"event": "said", "seat": said.seat, "say": str(said)}
        case AnswerTimeOver():
            return {"event": "answer_time_over"}
        case LeadTakenBack(seat=seat, card=card):
            return {"event": "lead_taken_back", "seat": seat, "card": card}
        case CardPlayed(seat=seat, card=card):
            return {"event": "card_played", "seat": seat, "card": card}
        case TrickTaken(seat=seat, eyes=worth):
            return {"event": "trick_taken", "seat": seat, "eyes": worth}
        case DealScored():
            return {
                "event": "deal_scored",
                "line": plain_line(event.line),
                "hands": [list(cards) for cards in event.hands],
                "secret": event.secret.hex(),
            }
        case DealAnnulled():
            return {
                "event": "deal_annulled",
                "deal": event.number,
                "hands": [list(cards) for cards in event.hands],
                "secret": event.secret.hex(),
            }
        case MatchEnded():
            return {"event": "match_over"}
        case _:
            assert_never(event)


def plain_line(line: Line) -> Plain:
    """A line of the sheet."""
    return {
        "deal": line.deal,
        "dealer": line.dealer,
        "game": line.kind,
        "caller": line.caller,
        "old": list(line.old),
        "old_eyes": line.old_eyes,
        "won": line.won,
        "margin": line.margin,
        "doublings": list(line.doublings),
        "counted": line.counted,
        "base": line.base,
        "value": line.value,
        "points": list(line.points),
        "money": list(line.money),
    }
