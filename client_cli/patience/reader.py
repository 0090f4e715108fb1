"""From a line typed at a patience to what the player means. Pure: words from the catalogues, the rest from the view."""

import re
from typing import Final

from client_cli.catalogue import Catalogue, load
from client_cli.fold import fold
from client_cli.meanings import Command, Confused, Do, GoTo, Quit, Show
from client_cli.patience.faces import RANKS, rank_face
from client_cli.patience.layout import Layout
from client_cli.patience.meanings import Again, Ask, GiveUp, Meaning, Moves, NewDeal, Onward, Yes
from client_cli.patience.moves import read_move
from client_cli.table_words import meant, spoken_aloud

_NUMBER: Final = re.compile(r"[1-9][0-9]{0,19}")
_DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_SIMPLE: Final[dict[str, Meaning]] = {
    "undo": Do("undo"),
    "redo": Do("redo"),
    "auto": Do("auto"),
    "hint": Ask("hint"),
    "line": Ask("line"),
    "solve": Ask("solve"),
    "winnable": Ask("winnable"),
    "daily": Ask("daily"),
    "results": Ask("results"),
    "all_results": Ask("all_results"),
    "ranking": Ask("ranking"),
    "again": Again(),
    "new": NewDeal(),
    "keep_twins": NewDeal("keep_twins"),
    "give_up": GiveUp(),
    "moves": Moves(),
    "yes": Yes(),
}
_TABLE: Final[dict[str, Meaning]] = {
    "help": Show("help"),
    "table": Show("table"),
    "tables": Show("tables"),
    "rules": Show("rules"),
    "link": Show("link"),
    "how": Show("how"),
    "sheet": Command("sheet"),
    "finish": Command("finish"),
    "leave": Command("leave"),
    "pause": Command("pause"),
    "resume": Command("resume"),
    "talk": Command("talk"),
    "say": Show("phrases"),
    "phrases": Show("phrases"),
    "mute": Show("muted"),
    "unmute": Show("muted"),
    "quit": Quit(),
}


class Reader:
    """Understands what is typed at a patience in one language; English words always work."""

    def __init__(self, texts: Catalogue) -> None:
        self._ranks = {rank_face(texts, rank).casefold() for rank in RANKS if rank != "A"}
        self._words: dict[str, str] = {}
        self._common: dict[str, str] = {}
        for catalogue in (texts, load("en")):
            for known, source in ((self._words, catalogue.patience_words), (self._common, catalogue.words)):
                for meaning, typed in source.items():
                    known |= {fold(word): meaning for word in typed if fold(word) not in known}

    def read(self, typed: str, layout: Layout) -> Meaning:
        """What the line means now; an empty one is the obvious harmless thing."""
        if aloud := spoken_aloud(typed):
            return aloud
        said = fold(typed)
        if not said:
            return _enter(layout)
        if said in self._ranks and layout.of("arch") and layout.running:  # though it be a command elsewhere
            return read_move(typed, said, layout, self._sides())
        if told := self._word(said, layout):
            return told
        return self._with_argument(typed, said, layout) or read_move(typed, said, layout, self._sides())

    def _word(self, said: str, layout: Layout) -> Meaning | None:
        meaning = self._words.get(said)
        match meaning:
            case "draw" | "redeal" if layout.running and layout.one("stock") is None:
                return None
            case "draw" if not layout.running:
                return _enter(layout)
            case "draw":
                return Do("draw")
            case "redeal":
                return Do("redeal") if layout.running else _obvious(layout)
            case "ready":
                return Confused("patience.running") if layout.running else _obvious(layout)
            case "number":
                return Confused("patience.number_how")
        if meaning in _SIMPLE:
            return _SIMPLE[meaning]
        if said in layout.actions:
            return Do(said)
        return _TABLE.get(self._common.get(said, ""))

    def _with_argument(self, typed: str, said: str, layout: Layout) -> Meaning | None:
        words = said.split()
        for length in range(len(words) - 1, 0, -1):
            head, rest = " ".join(words[:length]), " ".join(words[length:])
            raw = "".join(typed.split(maxsplit=length)[length:]).strip()
            match self._words.get(head):
                case "number" | "new" | "ready":
                    return self._number(rest)
                case "ranking":
                    return self._ranking(rest)
            common = self._common.get(head)
            if common in ("tables", "table") and rest.isdecimal() and len(rest) < 4:
                return GoTo(int(rest))
            if common in ("say", "phrases", "mute", "unmute"):
                return meant(common, rest, raw, self._common, layout.view)
        return None

    def _number(self, rest: str) -> Meaning:
        first, _, more = rest.partition(" ")
        if self._words.get(first) == "number":
            first, _, more = more.partition(" ")
        if self._words.get(rest) == "keep_twins":
            return NewDeal("keep_twins")
        if self._words.get(rest) == "again":
            return Again()
        first = first.lstrip("#")
        twins = " keep_twins" if self._words.get(more) == "keep_twins" else ""
        if not _NUMBER.fullmatch(first) or (more and not twins):
            return Confused("patience.number_how")
        return NewDeal(f"number {first}{twins}")

    def _ranking(self, rest: str) -> Meaning:
        if self._words.get(rest) == "yesterday":
            return Ask("yesterday")
        return Ask("ranking", rest) if _DAY.fullmatch(rest) else Confused("patience.ranking_how")

    def _sides(self) -> dict[str, str]:
        """What may be typed for a foundation, behind a card."""
        sides = ("foundation", "up", "down")
        return {word: meaning for word, meaning in self._words.items() if meaning in sides} | {"u": "up", "d": "down"}


def _enter(layout: Layout) -> Meaning:
    """The obvious; but what was meant for drawing must not leave a deal that has just ended."""
    meaning = _obvious(layout)
    if isinstance(meaning, Do) and layout.deal and not layout.running:
        return Onward(meaning.action)
    return meaning


def _obvious(layout: Layout) -> Meaning:
    """Another deal between deals, else a card drawn where that is offered."""
    for harmless in ("ready", "rematch", "draw"):
        if harmless in layout.actions:
            return Do(harmless)
    if layout.running and "redeal" in layout.actions:
        return Confused("patience.redeal_first")
    return Confused("patience.nothing_obvious" if layout.running else "said.nothing")
