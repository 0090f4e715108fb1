"""What people say to each other: the ready-made phrases, lines of talk, and whom this player does not want to hear.

Text of strangers is cleaned like names, and stands behind a sign or a word that no happening has.
"""

from collections.abc import Iterable
from typing import Final

from client_cli.catalogue import Catalogue
from client_cli.clean import clean, clean_name
from client_cli.fold import fold
from client_cli.names import marked
from client_cli.style import Line
from client_cli.view import Message, View

PHRASES: Final = (
    "hello", "good_luck", "well_played", "nice_hand", "thanks", "sorry", "oops", "no_hard_feelings", "one_moment",
    "hurry_please", "i_am_back", "yes", "no", "one_more_match", "last_match", "bye",
)  # fmt: skip
"""The phrases of the contract in the order in which they are numbered; a test holds that none is missing."""
MOST_LETTERS: Final = 200


def phrase_text(texts: Catalogue, name: object) -> str:
    """A phrase in the reader's language; the name of one that is newer than this client."""
    return texts(f"phrase.{name}") if name in PHRASES else clean(name, 32)


def phrase_lines(texts: Catalogue) -> list[Line]:
    """All phrases with the numbers by which they are said."""
    shown = [texts("talk.phrase", number=number, text=phrase_text(texts, one)) for number, one in enumerate(PHRASES, 1)]
    return [[("", line)] for line in (*shown, texts("talk.how"))]


def to_say(texts: Catalogue, text: str) -> Message | None:
    """The fields of `say` for what was typed; what is a phrase word for word is said as one. None: too long."""
    told = clean(text).strip()
    for name in PHRASES:
        if fold(told) == fold(phrase_text(texts, name)):
            return {"phrase": name}
    return {"text": told} if 0 < len(told) <= MOST_LETTERS else None


def talk_line(texts: Catalogue, talked: Message, view: View, *, sign: bool) -> Line:
    """Who said what, by the name that he has at his seat; `sign`: with a sign between, else in words."""
    seat = talked["seat"]
    sitter = view.public["seats"][seat] if seat is not None and seat < len(view.names) else None
    own = sitter if sitter is not None and sitter["player"] == talked["player"] else None
    name = marked(texts, talked["name"] if own is None else own["name"], bot=own is not None and own["bot"] is not None)
    if seat is None:
        name = texts("talk.watcher", name=name)
    said = phrase_text(texts, talked["phrase"]) if talked["phrase"] else clean(talked["text"], 2 * MOST_LETTERS)
    return [("talk", texts("talk.sign" if sign else "talk.said", name=name, text=said))]


class Talking:
    """Who was heard in this session, by public id, and who is muted."""

    def __init__(self) -> None:
        self.muted: dict[str, str] = {}
        self._heard: dict[str, str] = {}

    def audible(self, said: Iterable[Message]) -> list[Message]:
        """What is not said by somebody who is muted; of other happenings all."""
        kept = []
        for one in said:
            if one.get("event") == "talked":
                self._heard[one["player"]] = clean_name(one["name"])
                if one["player"] in self.muted:
                    continue
            kept.append(one)
        return kept

    def found(self, who: str, view: View | None) -> list[tuple[str, str]]:
        """The players, with their names, that a name or a seat's number means: at the table, else of those heard."""
        sitters = [] if view is None else [(s["player"], clean_name(s["name"])) if s else None for s in _seats(view)]
        if who.isdecimal() and 0 < int(who[:4]) <= len(sitters):
            sitter = sitters[int(who) - 1]
            return [sitter] if sitter else []
        known = dict(one for one in sitters if one) | self._heard | self.muted
        return [(player, name) for player, name in known.items() if fold(name) == fold(who)]

    def mute(self, player: str, name: str, *, on: bool) -> None:
        """Says whether a player is to be heard, by this player and for this session alone."""
        self.muted.pop(player, None)
        if on:
            self.muted[player] = name


def _seats(view: View) -> list[Message | None]:
    return list(view.public["seats"])
