"""From a typed line to what is meant about tournaments. Pure: the words come from the catalogues.

A line begins with the word *tournament*; a few commands are known without it, and where the player is at no
table all of them are.
"""

import re
from typing import Final, get_args

from client_cli.catalogue import Catalogue, load
from client_cli.clean import clean
from client_cli.fold import fold
from client_cli.meanings import Confused
from client_cli.tournament.creation import named_and_set
from client_cli.tournament.meanings import (
    Claim,
    Create,
    Enter,
    Follow,
    Listing,
    Look,
    Meaning,
    Order,
    OrderWord,
    Page,
    Seat,
    Tell,
    Unfollow,
    Verify,
    Withdraw,
)

ALONE: Final = frozenset({"list", "standings", "seat", "desk"})
"""What needs no word before it, wherever the player is."""
_PREFIX: Final = "tournament"
_SIMPLE: Final[dict[str, Meaning]] = {
    "list": Listing(),
    "unfollow": Unfollow(),
    "withdraw": Withdraw(),
    "seat": Seat(),
    "verify": Verify(),
    "link": Tell("link"),
    "help": Tell("help"),
    "options": Tell("options"),
}
_PAGES: Final[tuple[Page, ...]] = get_args(Page)
_ORDERS: Final[tuple[OrderWord, ...]] = get_args(OrderWord)
_PRESETS: Final = ("quick", "wolsztyn", "koscian")
_ROUND: Final = re.compile(r"r?[0-9]{1,2}", re.ASCII)
_ID: Final = re.compile(r"tournament[0-9a-z]{1,22}", re.ASCII)
_LINK: Final = re.compile(r".*?(?:#|/tournament/)(tournament[0-9a-z]{1,22})(?:/[a-z]{2})?", re.ASCII)
_CODE: Final = re.compile(r"[0-9a-z-]{1,32}", re.ASCII)


class Words:
    """What may be typed in one language, and in English."""

    def __init__(self, texts: Catalogue) -> None:
        self._meanings: dict[str, str] = {}
        for catalogue in (texts, load("en")):
            for meaning, typed in catalogue.tournament_words.items():
                for word in typed:
                    self._meanings.setdefault(fold(word), meaning)
        self.presets = {word: word for word in _PRESETS}
        for catalogue in (texts, load("en")):
            self.presets |= {catalogue(f"option_value.{word}").casefold(): word for word in _PRESETS}

    def meaning(self, word: str) -> str | None:
        """What a word means, however it is written."""
        return self._meanings.get(fold(word))

    def first(self, typed: str) -> tuple[str | None, str]:
        """The meaning of the first word or words of a line, the longest that is known, and the rest as typed."""
        words = typed.split()
        for length in range(min(3, len(words)), 0, -1):
            meaning = self.meaning(" ".join(words[:length]))
            if meaning is not None:
                return meaning, "".join(typed.split(maxsplit=length)[length:]).strip()
        return None, typed.strip()


class Reader:
    """Understands lines about tournaments in one language; English words always work."""

    def __init__(self, texts: Catalogue) -> None:
        self.words = Words(texts)

    def read(self, typed: str, *, bare: bool) -> Meaning | None:
        """What the line means; None where it is not about tournaments. `bare`: no word need stand before a command."""
        meaning, rest = self.words.first(typed)
        if meaning == _PREFIX:
            return self._after_prefix(rest)
        if meaning is None or not (bare or meaning in ALONE):
            return None
        return self._command(meaning, rest)

    def _after_prefix(self, rest: str) -> Meaning:
        if not rest:
            return Tell("status")
        meaning, behind = self.words.first(rest)
        known = None if meaning is None else self._command(meaning, behind)
        if known is not None:
            return known
        return Follow(rest)

    def _command(self, meaning: str, rest: str) -> Meaning | None:
        """A command word with what stands behind it; None where the word is none of itself."""
        if meaning in _SIMPLE:
            return (
                _SIMPLE[meaning] if not rest else Confused("tournament.nothing_behind", (("typed", clean(rest, 40)),))
            )
        for page in _PAGES:
            if meaning == page:
                return self._page(page, rest)
        for order in _ORDERS:
            if meaning == order:
                return Order(order, rest)
        match meaning:
            case "follow":
                return Follow(rest) if rest else Confused("tournament.which")
            case "enter":
                return self._enter(rest)
            case "claim":
                return self._claim(rest)
            case "create":
                name, settings = named_and_set(rest, self.words.presets)
                return Create(name, settings) if name else Confused("tournament.create_how")
        return None

    def _page(self, page: Page, rest: str) -> Meaning:
        words = rest.split()
        if len(words) == 2 and self.words.meaning(words[0]) == "round":
            words = words[1:]
        if not words:
            return Look(page)
        if page in ("round", "comparison") and len(words) == 1 and _ROUND.fullmatch(words[0]):
            return Look(page, int(words[0].removeprefix("r")))
        return Confused("tournament.which_round") if page in ("round", "comparison") else _wrong(rest)

    def _enter(self, rest: str) -> Meaning:
        """`[WHICH] [team NAME] [code CODE]`, the last two in either order."""
        parts: dict[str, list[str]] = {"": []}
        part = ""
        for word in rest.split():
            meaning = self.words.meaning(word)
            if meaning in ("team", "code") and meaning not in parts:
                part = meaning
                parts[part] = []
            else:
                parts[part].append(word)
        code = "".join(parts.get("code", []))
        if ("team" in parts and not parts["team"]) or ("code" in parts and not _CODE.fullmatch(code.casefold())):
            return Confused("tournament.enter_how")
        team = clean(" ".join(parts.get("team", [])), 24)
        return Enter(" ".join(parts[""]), team, bare_code(code) if code else None)

    def _claim(self, rest: str) -> Meaning:
        """`[WHICH] CODE`: the code is the last word."""
        target, _, code = rest.rpartition(" ")
        if not _CODE.fullmatch(code.casefold()):
            return Confused("tournament.claim_how")
        return Claim(target.strip(), bare_code(code))


def bare_code(code: str) -> str:
    """A code as the server has it, without what makes it easier to read."""
    return code.replace("-", "").upper()


def tournament_id(text: str) -> str | None:
    """The id in an id or a link; None where there is none."""
    bare = text.strip().strip('"„“”')
    if _ID.fullmatch(bare):
        return bare
    found = _LINK.fullmatch(bare)
    return found[1] if found else None


def _wrong(typed: str) -> Confused:
    return Confused("tournament.wrong", (("typed", clean(typed.strip(), 40)),))
