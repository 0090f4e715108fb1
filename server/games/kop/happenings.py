"""What happens in a match of Kop, as everybody may see it. Shapes: docs/protocol."""

from typing import assert_never

from server.games.game import Plain
from server.games.kop.deal import left_of
from server.games.kop.events import (
    AnswerTimeOver,
    CardPlayed,
    DealAnnulled,
    DealEvent,
    DealOffered,
    DealScored,
    Dealt,
    KopEvent,
    LeadTakenBack,
    MatchEnded,
    Opened,
    OpeningBegun,
    Said,
    TimeCalled,
    TrickTaken,
)
from server.games.kop.fair import commitment
from server.games.kop.scoring import Line
from server.games.kop.sides import SEATS


def happening(event: KopEvent) -> Plain:
    """An event as everybody may see it."""
    match event:
        case Said() | AnswerTimeOver() | LeadTakenBack() | CardPlayed() | TrickTaken():
            return _in_deal(event)
        case DealOffered(number=number, dealer=dealer, secret=secret):
            return {"event": "deal_offered", "deal": number, "dealer": dealer, "commitment": commitment(secret)}
        case OpeningBegun():
            return {"event": "opening_begun", "commitments": list(event.commitments), "cut": event.cut}
        case Opened(seat=seat):
            return {"event": "opened", "seat": seat}
        case Dealt(number=number, dealer=dealer, cut=cut):
            return {
                "event": "dealt",
                "deal": number,
                "dealer": dealer,
                "leader": left_of(dealer),
                "cut": cut,
                "opened": [part.hex() for part in event.opened],
                "unopened": [seat for seat in SEATS if event.commitments[seat] and not event.opened[seat]],
            }
        case DealScored(line=line):
            return {"event": "deal_scored", "line": plain_line(line), **_laid_open(event)}
        case DealAnnulled(number=number):
            return {"event": "deal_annulled", "deal": number, **_laid_open(event)}
        case TimeCalled():
            return {"event": "time_called"}
        case MatchEnded():
            return {"event": "match_over"}
        case _:
            assert_never(event)


def _in_deal(event: DealEvent) -> Plain:
    match event:
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
        case _:
            assert_never(event)


def _laid_open(event: DealScored | DealAnnulled) -> Plain:
    """What is public of a deal that is over."""
    return {"hands": [list(cards) for cards in event.hands], "secret": event.secret.hex()}


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
