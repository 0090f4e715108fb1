"""From a typed line to what the player means. Pure: the words come from the catalogues, the rest from the view.

English words always work, those of the player's language too; capitals, accents and a question mark
do not matter.
"""

from typing import Final

from client_cli.cards import parse_card
from client_cli.catalogue import Catalogue, load
from client_cli.fold import fold
from client_cli.meanings import Auto, Command, Confused, Do, Explain, GoTo, Meaning, Quit, SeatBot, Show
from client_cli.table_words import meant, spoken_aloud
from client_cli.view import View, need_of

_SIMPLE: Final[dict[str, Meaning]] = {
    "ask": Do("ask"),
    "go": Do("go on"),
    "pass": Do("pass"),
    "ready": Do("ready"),
    "wesele": Do("wesele"),
    "zolo": Do("zolo"),
    "zolo_du": Do("zolo du"),
    "first_double": Do("double 1"),
    "help": Show("help"),
    "table": Show("table"),
    "hand": Show("hand"),
    "tricks": Show("tricks"),
    "tables": Show("tables"),
    "auto": Show("auto"),
    "rules": Show("rules"),
    "link": Show("link"),
    "sheet": Command("sheet"),
    "start": Command("start"),
    "finish": Command("finish"),
    "annul": Command("annul"),
    "leave": Command("leave"),
    "rematch": Do("rematch"),
    "remove": Confused("said.which_seat"),
    "hand_over": Confused("said.hand_over_whom"),
    "bot": SeatBot(),
    "pause": Command("pause"),
    "resume": Command("resume"),
    "vote": Confused("said.vote_wrong"),
    "say": Show("phrases"),
    "phrases": Show("phrases"),
    "talk": Command("talk"),
    "mute": Show("muted"),
    "unmute": Show("muted"),
    "set": Confused("said.set_how"),
    "evening": Command("evening"),
    "explain": Explain(),
    "how": Show("how"),
    "quit": Quit(),
}


class Reader:
    """Understands typed lines in one language."""

    def __init__(self, texts: Catalogue, sample: str = "AH") -> None:
        """`sample` is how a card is typed, for the help with a wrong one."""
        self._sample = sample
        self._words: dict[str, str] = {}
        for catalogue in (texts, load("en")):
            for meaning, typed in catalogue.words.items():
                self._words |= {fold(word): meaning for word in typed if fold(word) not in self._words}

    @property
    def words(self) -> list[str]:
        """Every word that is understood."""
        return list(self._words)

    def read(self, typed: str, view: View | None) -> Meaning:
        """What the line means at this table now; an empty line is the obvious harmless thing."""
        if aloud := spoken_aloud(typed):
            return aloud
        said = fold(typed)
        if not said:
            return obvious(view)
        meaning = self._words.get(said)
        if meaning == "ready" and view is not None and "rematch" in view.actions:
            return Do("rematch")
        if meaning in ("go", "pass") and (silent := no_call(view)):
            return Do(silent)
        if meaning in _SIMPLE:
            return _SIMPLE[meaning]
        if meaning == "double":
            return self._next_doubling(view)
        if view is not None and said in view.actions:
            return Do(said)
        doubling = self._named_doubling(said, view)
        return doubling or self._with_argument(typed, said, view) or self._card(typed, said, view)

    def _next_doubling(self, view: View | None) -> Meaning:
        for action in view.actions if view else []:
            if action.startswith("double "):
                return Do(action)
        number = len(view.doublings_said) + 1 if view else 1
        if view is not None and view.doubling_names and number > len(view.doubling_names):
            return Confused("said.not_double")
        return Do(f"double {number}")

    def _named_doubling(self, said: str, view: View | None) -> Meaning | None:
        names = [fold(name) for name in view.doubling_names] if view else []
        return Do(f"double {names.index(said) + 1}") if said in names else None

    def _with_argument(self, typed: str, said: str, view: View | None) -> Meaning | None:
        """A command word with something behind it."""
        words = said.split()
        for length in range(len(words) - 1, 0, -1):
            meaning = self._words.get(" ".join(words[:length]))
            if meaning is not None:
                raw = "".join(typed.split(maxsplit=length)[length:]).strip()
                rest = " ".join(words[length:])
                told = meant(meaning, rest, raw, self._words, view)
                return told or self._argument(typed, meaning, rest, view)
        return None

    def _argument(self, typed: str, meaning: str, rest: str, view: View | None) -> Meaning | None:
        match meaning:
            case "ready" if rest.isdecimal() and len(rest) < 4:
                return Do(f"ready {int(rest)}")
            case "double" if rest.isdecimal() and len(rest) < 4:
                return Do(f"double {int(rest)}")
            case "wesele" if card := parse_card(rest):
                return Do(f"wesele {card}")
            case "play":
                return self._card(rest, rest, view)
            case "tables" | "table" if rest.isdecimal() and len(rest) < 4:
                return GoTo(int(rest))
            case "auto":
                return self._auto(rest)
            case "hand":
                return Confused("said.hand_alone")
        return Confused("said.wrong", (("typed", typed.strip()[:40]),))

    def _auto(self, rest: str) -> Meaning:
        for cut in range(len(rest)):
            what, value = self._words.get(rest[:cut].strip()), self._words.get(rest[cut:].strip())
            what = "go" if what == "pass" else what
            if what in ("ready", "ask", "go") and value in ("on", "off"):
                return Auto("ready" if what == "ready" else "ask" if what == "ask" else "go", value == "on")
            if what == "go" and value == "deal":
                return Auto("go", True, deal_only=True)
        return Confused("said.auto_wrong")

    def _card(self, typed: str, said: str, view: View | None) -> Meaning:
        if card := parse_card(typed):
            return Do(f"play {card}")
        if said.isdecimal() and len(said) == 1:
            hand = view.hand if view else []
            if 0 < int(said) <= len(hand):
                return Do(f"play {hand[int(said) - 1]}")
            if not hand:
                return Confused("said.nothing")
            return Confused("said.no_card_number", (("count", str(len(hand))), ("number", said)))
        shown = ("typed", typed.strip()[:40])
        if (
            len(said) in (2, 3)
            and said[-1] in "cshd"
            and any(char.isdigit() or char in "atqdjbw" for char in said[:-1])
        ):
            return Confused("said.wrong_card", (shown, ("sample", self._sample)))
        return Confused("said.wrong", (shown,))


def no_call(view: View | None) -> str | None:
    """How this player says now that he calls nothing; in turn the leader's first pass is the question."""
    actions = view.actions if view else []
    if view is not None and "ask" in actions and view.in_turn:
        return "ask"
    return next((action for action in ("go on", "pass") if action in actions), None)


def obvious(view: View | None) -> Meaning:
    """The harmless next thing: no call, ready, or the only card; else there is nothing to be done so lightly."""
    if view is not None and view.seat is not None:
        if silent := no_call(view):
            return Do(silent)
        if len(view.playable) == 1 and need_of(view) == "card":
            return Do(f"play {view.playable[0]}")
        for harmless in ("ready", "rematch"):
            if harmless in view.actions:
                return Do(harmless)
        if view.playable:
            return Confused("said.choose_card")
        if "ask" in view.actions:
            return Confused("need.ask")
    return Confused("said.nothing")
