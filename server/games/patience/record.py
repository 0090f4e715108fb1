"""A finished deal of a patience as a record: everything needed to replay it.

The moves are those that stood at the end; what was taken back is only counted.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from server.games.game import Plain, RuleViolation
from server.games.patience.cards import RANK, Card, Cards
from server.games.patience.events import Line
from server.games.patience.layout import Position, move_of
from server.games.patience.match import Match, cards_out
from server.games.patience.options import plain_options, terms
from server.games.patience.view import plain_line

FORMAT = 1


class BadRecord(Exception):
    """A record that does not replay: its text says where."""


def record(match: Match, line: Line) -> Plain | None:
    """The game's part of the record of the deal that was just closed with this line."""
    played = match.closed
    if played is None:
        return None
    return {
        "deal": played.origin.deal,
        "game": match.terms.game,
        "options": plain_options(match.terms),
        "number": played.origin.number,
        "keep_twins": played.origin.keep_twins,
        "day": played.origin.day or None,
        "pack": list(played.origin.pack),
        "opening": [step.move for step in played.origin.opening],
        "moves": list(played.steps[: played.cursor]),
        "line": {**plain_line(line), "number": line.number},
    }


@dataclass(frozen=True, slots=True)
class Replayed:
    """The position after one move of a record; of the deal itself the move is empty."""

    move: str
    position: Position


def replay(plain: Plain) -> list[Replayed]:
    """Plays a record through the rules, move by move, the deal itself first.

    Raises:
        BadRecord: the pack is not the one of the number, a move is against the rules, or the result is
            another one.
    """
    try:
        rules = terms(plain["game"], plain["options"]).rules
        number, moves = int(plain["number"]), [str(move) for move in plain["moves"]]
        pack = _pack(plain["pack"])
        if pack != rules.pack(number):
            raise BadRecord("the cards are not those of the number")
        laid = rules.lay(pack, number, keep_twins=plain["keep_twins"] is True)
        if [str(move) for move in rules.opening(laid)] != plain["opening"]:
            raise BadRecord("the rules make other moves first")
        steps = [Replayed("", rules.start(laid))]
        for action in moves:
            move = move_of(action)
            code = rules.refusal(steps[-1].position, move)
            if code is not None:
                raise BadRecord(f"move {len(steps)}, {action}: {code}")
            steps.append(Replayed(action, rules.play(steps[-1].position, move)))
        end = steps[-1].position
        if (rules.won(end), cards_out(rules, end)) != (plain["line"]["won"], plain["line"]["out"]):
            raise BadRecord("the result is another one")
    except (AttributeError, KeyError, TypeError, ValueError, RuleViolation) as fault:
        raise BadRecord(f"{type(fault).__name__}: {fault}") from None
    return steps


def _pack(words: Sequence[object]) -> Cards:
    pack = tuple(Card(str(word)) for word in words)
    if any(card not in RANK for card in pack):
        raise ValueError("no card")
    return pack
