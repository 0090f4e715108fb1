"""Records in sentences: a line of the list, a whole deal, its replay, and the verdict on it.

A record may come from a file of anybody's: whatever is shown of it is cleaned, and whatever does not
replay through the rules raises `BadRecord`.
"""

from collections.abc import Mapping
from datetime import datetime
from itertools import pairwise
from typing import Any

from client_cli.amounts import amounts, number
from client_cli.cards import Face, faces
from client_cli.catalogue import Catalogue
from client_cli.clean import clean, clean_name, width
from client_cli.narrate import GAMES
from client_cli.style import Line, dress, wrap
from client_cli.verdict import DOUBTS, Finding, Outcome, Verdict
from server.games.game import Seat
from server.games.kop.deal import Deal, Trick, left_of
from server.games.kop.play import eyes
from server.games.kop.record import BadRecord, Step, replay

Record = Mapping[str, Any]
_WIDTH = 79
_STYLES = {Outcome.NOBODY_CHOSE: "good", Outcome.CONSISTENT: "", Outcome.CHEATED: "warn"}


class RecordTexts:
    """Writes records in one language; `face` writes a card."""

    def __init__(self, texts: Catalogue, face: Face) -> None:
        self._texts = texts
        self._face = face

    def say(self, key: str, style: str = "", /, **values: object) -> list[Line]:
        """One text about records as a line."""
        return [dress(self._texts(f"record.{key}", **values), style)]

    def listed(self, entry: Record) -> list[Line]:
        """A line of the list of records."""
        names = ", ".join(clean_name(name) for name in entry["seats"])
        shown = {"record": clean(entry["record"], 64), "when": when(entry["at"]), "names": names}
        return self.say("line", deal=clean(entry["deal"], 6), match=clean(entry["match"], 6), **shown)

    def whole(self, record: Record) -> list[Line]:
        """A deal from its cards to its result.

        Raises:
            BadRecord: it does not replay.
        """
        steps = replay(dict(record))
        end, names = _deal(steps[-1]), _names(record, self._texts)
        lines = [*self._head(record, names), *self.say("calls", "title")]
        for act, step in enumerate(steps[1:]):
            lines += [] if step.words.startswith("play ") else self._act(act, step, record)
        lines += self.say("tricks", "title")
        lines += [self._trick(place, trick, record) for place, trick in enumerate(end.tricks)]
        inside = _names(record, self._texts, inside=True)
        played = [step for act, step in enumerate(steps[1:]) if act in _acted_for(record)]
        cards = [
            self._texts("table.said_by", what=self._face(step.words[5:]), name=inside[step.seat])
            for step in played
            if step.seat is not None and step.words.startswith("play ")
        ]
        lines += self.say("acted_for_cards", cards=", ".join(cards)) if cards else []
        return _fitted(lines + self._result(record, names))

    def replayed(self, record: Record) -> list[Line]:
        """A deal act by act, with the hands after each card, and its result.

        Raises:
            BadRecord: an act is against the rules, or the result is not the one in the record.
        """
        steps, names = replay(dict(record)), _names(record, self._texts)
        lines = self._head(record, names)
        for act, (before, step) in enumerate(pairwise(steps)):
            lines += self._act(act, step, record)
            now = _deal(step)
            lines += [
                self._trick(place, now.tricks[place], record)
                for place in range(len(_deal(before).tricks), len(now.tricks))
            ]
            if now.hands != _deal(before).hands:
                lines += self._left(now, names)
        return _fitted([*lines, *self._result(record, names), *self.say("replayed", "good")])

    def verdict(self, verdict: Verdict, names: list[str]) -> list[Line]:
        """What a check has found."""
        lines = self.say(verdict.outcome, _STYLES[verdict.outcome], record=clean(verdict.record, 64))
        for finding in verdict.findings:
            lines += self._found(finding, names)
        return _fitted(lines)

    def _found(self, finding: Finding, names: list[str]) -> list[Line]:
        name = names[finding.seat] if 0 <= finding.seat < len(names) else str(finding.seat + 1)
        style = "" if finding.word in DOUBTS else "warn"
        text = self._texts(f"record.found.{finding.word}", name=name, number=finding.number)
        return [dress(f"  - {text}", style)]

    def _head(self, record: Record, names: list[str]) -> list[Line]:
        options, dealer = record["options"], int(record["dealer"])
        stake = f"{number(self._texts, options['stake'])} {clean(options['currency'], 12)}"
        lines = self.say(
            "title", "title", deal=record["deal"], match=clean(record["match"], 6), when=when(record["at"])
        )
        lines += self.say(
            "terms", rules=clean(options["rules"], 24), stake=stake, dealer=names[dealer], cut=record["cut"],
            cutter=names[left_of(Seat(dealer), 3)],
        )  # fmt: skip
        hands = _deal(replay(dict(record))[0]).dealt
        return lines + [dress(f"  {names[seat]}: {self._cards(cards)}") for seat, cards in enumerate(hands)]

    def _left(self, deal: Deal, names: list[str]) -> list[Line]:
        """The hands that are left, as many in a row as fit."""
        rows: list[str] = []
        for seat, cards in enumerate(deal.hands):
            if cards:
                hand = f"{names[seat]}: {self._cards(cards)}"
                joined = f"{rows[-1]}; {hand}" if rows else self._texts("record.left", hands=hand)
                if rows and width(joined) >= _WIDTH:
                    rows[-1] += ";"
                    rows.append(f"  {hand}")
                else:
                    rows[-1:] = [joined]
        return [dress(row, "dim") for row in rows]

    def _cards(self, cards: tuple[Any, ...]) -> str:
        return faces(self._face, [str(card) for card in cards])

    def _act(self, act: int, step: Step, record: Record) -> list[Line]:
        """Who said or played what; of what a bot or the clock did for an absent player, this too."""
        lines = self._done(step, record)
        if act in _acted_for(record) and step.seat is not None:
            lines[-1] = [*lines[-1], ("dim", " " + self._texts("record.acted_for"))]
        return lines

    def _done(self, step: Step, record: Record) -> list[Line]:
        texts, words = self._texts, step.words
        if step.seat is None:
            return self.say("time_over")
        name = _names(record, self._texts)[step.seat]
        if words.startswith("play "):
            return [dress(texts("happened.card_played", name=name, card=self._face(words[5:])))]
        if words == "pass":
            return self.say("passed", name=name)
        if words in ("ask", "go on"):
            return [dress(texts(f"happened.{words.replace(' ', '_')}", name=name))]
        if words.startswith("double "):
            doublings = record["options"]["doubling_names"].split(",")
            doubling = clean(doublings[int(words[7:]) - 1], 16)
            return [dress(texts("happened.doubled", name=name, doubling=doubling))]
        game, _, jack = (words, "", "") if words in GAMES else words.partition(" ")
        shown = {"name": name, "game": texts(f"game.{GAMES[game]}"), "jack": self._face(jack)}
        return [dress(texts("happened.called_jack" if jack else "happened.called", **shown))]

    def _trick(self, place: int, trick: Trick, record: Record) -> Line:
        names, inside = _names(record, self._texts), _names(record, self._texts, inside=True)
        cards = [
            self._texts("table.said_by", what=self._face(card), name=inside[trick.player(turn)])
            for turn, card in enumerate(trick.cards)
        ]
        shown = {"number": place + 1, "cards": ", ".join(cards), "eyes": eyes(trick.cards)}
        return dress(self._texts("tricks.line", name=names[trick.winner], **shown))

    def _result(self, record: Record, names: list[str]) -> list[Line]:
        texts, line = self._texts, record["line"]
        old, won = [names[seat] for seat in line["old"]], line["won"] == "old"
        shown = {
            "deal": line["deal"],
            "game": texts(f"game.{line['game']}"),
            "margin": texts(f"margin.{line['margin']}"),
        }
        if len(old) == 1:
            head = texts("scored.alone_won" if won else "scored.alone_lost", name=old[0], **shown)
        else:
            head = texts("scored.old_won" if won else "scored.young_won", **shown)
        sides = texts("scored.sides" if len(old) > 1 else "scored.alone", old=texts.join(old), eyes=line["old_eyes"])
        value = {"base": line["base"], "factor": 2 ** line["counted"], "value": line["value"]}
        money = texts("scored.value", amounts=amounts(texts, names, line["money"]), **value)
        return [dress(head, "title"), dress(sides), dress(money)]


def _fitted(lines: list[Line]) -> list[Line]:
    """The lines broken between words where they are too wide."""
    return [row for line in lines for row in wrap(line, _WIDTH)]


def _names(record: Record, texts: Catalogue, *, inside: bool = False) -> list[str]:
    """Who sat there, a bot with its mark; `inside`: for a place that has brackets around it."""
    seats, bots = record["seats"], record.get("bots", [False] * 4)
    if not isinstance(seats, list) or len(seats) != 4 or not isinstance(bots, list) or len(bots) != 4:
        raise BadRecord("no four seats")
    key = "name.bot_inside" if inside else "name.bot"
    names = zip(map(clean_name, seats), bots, strict=True)
    return [texts(key, name=name) if bot is True else name for name, bot in names]


def _acted_for(record: Record) -> frozenset[int]:
    """Which acts were not the player's own."""
    acts = record.get("acted_for", [])
    return frozenset(act for act in acts if type(act) is int) if isinstance(acts, list) else frozenset()


def _deal(step: Step) -> Deal:
    if step.match.deal is None:
        raise BadRecord("no deal")
    return step.match.deal


def when(at: object) -> str:
    """The local time of milliseconds since 1970."""
    if type(at) is not int or not 0 <= at < 2**42:
        return "?"
    return datetime.fromtimestamp(at / 1000).astimezone().strftime("%Y-%m-%d %H:%M")
