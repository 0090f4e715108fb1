"""Records of patiences in sentences and pictures: a line of the list, a deal, its replay, and the verdict on it.

A record may come from a file of anybody's: whatever is shown of it is cleaned, and whatever does not
replay through the rules raises `BadRecord`.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

from client_cli.clean import clean, clean_name
from client_cli.patience.board import PatienceBoard
from client_cli.patience.layout import GAMES
from client_cli.patience.options import variant_words
from client_cli.record_text import when
from client_cli.style import Line, dress, wrap
from client_cli.view import Message, View
from server.games.game import RuleViolation
from server.games.patience.layout import REDEAL, Patience, move_of
from server.games.patience.options import terms
from server.games.patience.record import BadRecord, Replayed, replay
from server.games.patience.view import direction, plain_piles
from server.games.patience.zopf import PASSES, Zopf

Record = Mapping[str, Any]
_WIDTH: Final = 79
_MOVE: Final = re.compile(r"move ([0-9]+), (.*): ([a-z_]+)", re.DOTALL)
_WORDS: Final = {
    "the cards are not those of the number": "pack",
    "the rules make other moves first": "opening",
    "the result is another one": "result",
}
"""What is found, by what `replay` says of it."""


def of_patience(record: Record) -> bool:
    """Whether this is, or is listed as, the record of a patience."""
    return record.get("game") in GAMES


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with a record: a stable word, and of a move which one, its action and the rule's word."""

    word: str
    move: int = 0
    action: str = ""
    why: str = ""


def fault(record: Record) -> Fault | None:
    """What is wrong with the cards, the moves or the result; None: nothing."""
    try:
        steps = replay(dict(record))
        return None if _adds_up(record, len(steps) - 1) else Fault("result")
    except BadRecord as bad:
        why = str(bad)
    except (ArithmeticError, KeyError, TypeError, ValueError) as bad:
        return Fault("malformed", why=f"{type(bad).__name__}: {bad}")
    if why in _WORDS:
        return Fault(_WORDS[why])
    if found := _MOVE.fullmatch(why):
        return Fault("move", int(found[1]), found[2], found[3])
    return _strange(record) or Fault("malformed", why=why)


def _adds_up(record: Record, moves: int) -> bool:
    """Whether the line is about this deal, and counts the moves that stood and no fewer."""
    line = record["line"]
    made = int(line["moves"]) + int(line["auto"])
    counted = made >= moves if line["undos"] else made == moves
    counts = not line["known"] and not line["helped"]
    same = all(line[name] == record[name] for name in ("number", "day", "deal"))
    return counted and line["counts"] is counts and same


def _strange(record: Record) -> Fault | None:
    """The first move that names no pile of the game, or is no move at all."""
    try:
        rules = terms(record["game"], record["options"]).rules
        moves = [str(move) for move in record["moves"]]
    except (AttributeError, KeyError, TypeError, RuleViolation):
        return None
    known = {*rules.index, *rules.kinds.values()}
    for number, action in enumerate(moves, start=1):
        try:
            move = move_of(action)
        except RuleViolation:
            return Fault("move", number, action, "unknown_action")
        if move.source not in rules.index or move.target not in known:
            return Fault("move", number, action, "unknown_action")
    return None


class PatienceRecords:
    """Writes records of patiences as the game itself is told and drawn."""

    def __init__(self, board: PatienceBoard) -> None:
        self._board = board
        self._texts = board.texts

    def say(self, key: str, style: str = "", /, **values: object) -> list[Line]:
        """One text about records as a line, broken where it is too wide."""
        return wrap(dress(self._texts(key, **values), style), _WIDTH)

    def listed(self, entry: Record) -> list[Line]:
        """A line of the list of records."""
        shown = self._head(entry) | {"record": clean(entry["record"], 64)}
        return [dress(self._texts("patience_record.line", **shown))]

    def whole(self, record: Record) -> list[Line]:
        """A deal: what was played, its result, and how it lay at its end.

        Raises:
            BadRecord: it does not replay.
        """
        shown = _Shown(record)
        last = len(shown.steps) - 1
        return [*self._about(record, shown), *self._over(record, shown), *self._end(record, shown, last)]

    def replayed(self, record: Record) -> list[Line]:
        """A deal move by move, with the piles after each, and its result.

        Raises:
            BadRecord: a move is against the rules, or the result is not the one in the record.
        """
        shown = _Shown(record)
        lines, last = self._about(record, shown), len(shown.steps) - 1
        before = shown.view(0, [])
        lines += self._table(before)
        for place, (old, new) in enumerate(pairwise(shown.steps), start=1):
            view = shown.view(place, [shown.moved(old, new)])
            lines += self.say("patience_record.move", "dim", move=place, all=last)
            lines += _fitted(self._board.happenings(view, before))
            lines += self._board.table(view) if self._board.rich else []
            before = view
        if not self._board.rich:
            lines += self._end(record, shown, last)
        return [*lines, *self._over(record, shown), *self.say("record.replayed", "good")]

    def verdict(self, record: Record) -> tuple[bool, list[Line]]:
        """Whether cards, moves and result are right, and in words what is and what is not."""
        name, number = clean(record["record"], 64), clean(record.get("number"), 20)
        found = fault(record)
        if found is None:
            lines = self.say("patience_record.in_order", "good", record=name, number=number, moves=len(record["moves"]))
            day = record["day"]
            return True, lines + (self.say("patience_record.of_day", day=clean(day, 10)) if day else [])
        error = f"error.{found.why}"
        why = self._texts(error) if error in self._texts else clean(found.why, 80)
        shown = {"number": number, "move": found.move, "action": clean(found.action, 32), "why": why}
        text = self._texts(f"patience_record.found.{found.word}", **shown)
        return False, [*self.say("record.cheated", "warn", record=name), *wrap(dress(f"  - {text}", "warn"), _WIDTH)]

    def _head(self, record: Record) -> dict[str, str]:
        """Game, match, deal, time and player, fit for the terminal."""
        game, seats = record["game"], record["seats"]
        if game not in GAMES or not isinstance(seats, list) or len(seats) != 1:
            raise BadRecord("no patience of one player")
        name = clean_name(seats[0])
        if record.get("bots") == [True]:
            name = self._texts("name.bot", name=name)
        facts = {"match": clean(record["match"], 6), "deal": clean(record["deal"], 6), "when": when(record["at"])}
        return {"game": self._texts(f"game_name.{game}"), "name": name, **facts}

    def _about(self, record: Record, shown: "_Shown") -> list[Line]:
        """What was played, by which rules and cards."""
        variants = ", ".join(variant_words(self._texts, shown.variants)) or self._texts("patience_record.usual")
        number, day = clean(record["number"], 20), clean(record["day"] or "", 10)
        lines = self.say("patience_record.title", "title", **self._head(record))
        lines += self.say("patience_record.rules", variants=variants)
        lines += self.say("patience_record.day" if day else "patience_record.number", day=day, number=number)
        return lines + (self.say("patience_record.keep_twins") if record["keep_twins"] is True else [])

    def _over(self, record: Record, shown: "_Shown") -> list[Line]:
        """The result as it was told at the end of the deal."""
        line = {**record["line"], "number": None}
        over = shown.view(len(shown.steps) - 1, [{"event": "patience_over", "line": line}])
        return _fitted(self._board.happenings(over, None))

    def _end(self, record: Record, shown: "_Shown", last: int) -> list[Line]:
        return [*self.say("patience_record.end", "title"), *self._table(shown.view(last, []))]

    def _table(self, view: View) -> list[Line]:
        """The piles: a picture as it is, sentences broken where they are too wide."""
        lines = self._board.table(view)
        return lines if self._board.rich else _fitted(lines)


class _Shown:
    """A record with its replay, as the views that a table would have sent."""

    def __init__(self, record: Record) -> None:
        """Raises BadRecord where it does not replay."""
        self.steps: Sequence[Replayed] = replay(dict(record))
        agreed = terms(record["game"], record["options"])
        self.variants = dict(agreed.variants)
        self._record = record
        self._game = agreed.game
        self._rules: Patience = agreed.rules

    def moved(self, old: Replayed, new: Replayed) -> Message:
        """A move as a happening."""
        move = move_of(new.move)
        card = None if move == REDEAL else self._rules.moving(old.position, move)
        return {"event": "moved", "move": new.move, "card": card, "auto": False}

    def view(self, place: int, happened: list[Message]) -> View:
        """How it lay after so many moves, and what had just happened."""
        rules, position, line = self._rules, self.steps[place].position, self._record["line"]
        table = {
            "number": self._record["number"],
            "known": True,
            "day": self._record["day"],
            "helped": line["helped"] is True,
            "piles": plain_piles(rules, position),
            "direction": direction(rules, position),
            "passes": position.passes,
            "passes_left": PASSES - position.passes if isinstance(rules, Zopf) else 0,
            "moves": place,
            "undos": 0,
            "stuck": False,
        }
        play = {"phase": "play", "game": self._game, "rules": self.variants, "table": table}
        public = {"game": self._game, "play": play, "seats": []}
        return View({"public": public, "own": None, "happened": happened})


def _fitted(lines: Sequence[Line]) -> list[Line]:
    return [row for line in lines for row in wrap(line, _WIDTH)]
