"""A finished deal as a record: everything needed to replay it and to check that it was fair.

Source: docs/records.md, which describes the fields; the schema is in docs/protocol.
"""

from dataclasses import dataclass

from server.games.cards import Card
from server.games.game import Millis, Moment, Plain, RuleViolation, Seat, Stage
from server.games.kop.deal import TIME_OVER
from server.games.kop.decisions import decide, run_out
from server.games.kop.events import DealOffered, DealScored, Dealt
from server.games.kop.fair import commitment
from server.games.kop.happenings import plain_line
from server.games.kop.match import Match, evolve
from server.games.kop.opening import CUTS
from server.games.kop.options import plain_options, terms
from server.games.kop.play import PACK

FORMAT = 1


class BadRecord(Exception):
    """A record that does not replay: its text says where."""


def record(match: Match, event: DealScored) -> Plain | None:
    """The game's part of the record of the deal that was just scored."""
    played = match.deal
    if played is None:
        return None
    origin = played.origin
    return {
        "deal": origin.number,
        "options": plain_options(match.terms),
        "dealer": origin.dealer,
        "deck": list(origin.deck),
        "cut": origin.cut,
        "acts": [[seat, words] for seat, words in played.acts],
        "line": plain_line(event.line),
        "fair": {
            "commitment": commitment(event.secret),
            "secret": event.secret.hex(),
            "commitments": list(origin.commitments),
            "opened": [part.hex() for part in origin.opened],
            "burned": [{"deal": one.number, "secret": one.secret.hex()} for one in event.burned],
        },
    }


@dataclass(frozen=True, slots=True)
class Step:
    """The match after one act of a record."""

    seat: Seat | None
    words: str
    match: Match


def replay(plain: Plain) -> list[Step]:
    """Plays a record through the rules, act by act, the deal itself first.

    Raises:
        BadRecord: an act is against the rules, or the result is not the one in the record.
    """
    try:
        match = _dealt(plain)
        acts = [(None if seat is None else _seat(seat), str(words)) for seat, words in plain["acts"]]
        steps = [Step(None, "dealt", match)]
        for seat, words in acts:
            if match.stage is not Stage.DEAL:
                break  # the fourth trick has played itself
            match = _after(match, seat, words)
            steps.append(Step(seat, words, match))
    except (AttributeError, KeyError, TypeError, ValueError, RuleViolation) as fault:
        raise BadRecord(f"{type(fault).__name__}: {fault}") from None
    played = match.deal
    if played is None or list(played.acts) != acts or not match.lines:
        raise BadRecord("the acts do not make a whole deal")
    if plain_line(match.lines[-1]) != plain.get("line"):
        raise BadRecord("the result is another one")
    return steps


def _dealt(plain: Plain) -> Match:
    """The match with the record's cards just dealt."""
    number, cut, deck = plain["deal"], plain["cut"], tuple(Card(card) for card in plain["deck"])
    if (
        type(number) is not int
        or type(cut) is not int
        or cut not in range(len(CUTS) + 1)
        or sorted(deck) != sorted(PACK)
    ):
        raise ValueError("no deal of sixteen cards")
    dealt = Dealt(number, _seat(plain["dealer"]), cut, deck)
    offer = DealOffered("", number, dealt.dealer, bytes.fromhex(plain["fair"]["secret"]))
    return evolve(evolve(Match(terms(plain["options"])), offer), dealt)


def _seat(number: object) -> Seat:
    if type(number) is not int or number not in range(4):
        raise ValueError(f"seat {number}")
    return Seat(number)


def _after(match: Match, seat: Seat | None, words: str) -> Match:
    if seat is None:
        if words != TIME_OVER:
            raise ValueError(words)
        events = run_out(match, Moment(Millis(2**60), bytes(32)))
    else:
        events = decide(match, seat, words, Moment(Millis(0), bytes(32)))
    for event in events:
        match = evolve(match, event)
    return match
