"""Turns views and messages into lines for one terminal: pictures where it can show them, else sentences."""

from typing import Final

from client_cli.amounts import number
from client_cli.cards import face_of, faces
from client_cli.catalogue import Catalogue
from client_cli.clean import clean
from client_cli.company_text import may_change, may_vote, resuming, standing
from client_cli.evening import evening_sentences, evening_table
from client_cli.explain import Guide
from client_cli.names import all_named, marked
from client_cli.narrate import Happening, Teller
from client_cli.open_hands import open_hands
from client_cli.options import named_option
from client_cli.patience.board import PatienceBoard
from client_cli.patience.layout import GAMES, is_patience
from client_cli.picture import Painter
from client_cli.rules_text import agreed
from client_cli.sentences import table, tricks
from client_cli.sheet import sheet_sentences, sheet_table
from client_cli.status import Status
from client_cli.style import Line, Look, dress
from client_cli.table_help import people_away
from client_cli.talking import talk_line
from client_cli.tournament.board import TournamentBoard
from client_cli.view import Message, Need, View, need_of

_IMPORTANT: Final = frozenset({"deal_scored", "deal_annulled", "match_over", "paused", "resumed", "absent"})
_WAITED_FOR: Final = frozenset({Need.ANSWER, Need.ASK, Need.TURN, Need.CARD})


class Board:
    """Everything a person sees of a table, in one language and for one kind of terminal."""

    def __init__(self, texts: Catalogue, look: Look) -> None:
        self.texts = texts
        self._look = look
        self.face = face_of(texts, unicode=look.unicode)
        self._teller = Teller(texts, self.face)
        self._guide = Guide(texts, self.face, self._teller)
        self._painter = Painter(texts, self.face, look)
        self._status = Status(texts, self.face, self._guide)
        self.patience = PatienceBoard(texts, look)
        self.tournament = TournamentBoard(texts, look)

    def say(self, key: str, style: str = "", /, **values: object) -> list[Line]:
        """One text of the catalogue as a line."""
        return [dress(self.texts(key, **values), style)]

    def line(self, text: str, style: str = "") -> list[Line]:
        """A text that was made elsewhere, as a line."""
        return [dress(text, style)]

    def happenings(self, view: View, before: View | None, now: int) -> list[Line]:
        """What happened between two views, and who went or came back. `now`: the server's time in ms."""
        lines: list[Line] = []
        alone = is_patience(view)
        for happening in view.message["happened"]:
            if not (alone and self.patience.tells(happening)):
                lines += self._happening(happening, view, before)
        if alone:
            return lines + self.patience.happenings(view, before)
        lines += [dress(text, "dim") for text in self._teller.presence(view, before)]
        events = {happening["event"] for happening in view.message["happened"]}
        if "paused" in events and view.pause:
            lines.append(dress(resuming(view, self.texts, now), "turn"))
        if "absent" in events:
            lines += [dress(text, "turn") for text in may_vote(view, self.texts)]
        if any(one["event"] == "voted" and one["seat"] == view.seat for one in view.message["happened"]):
            lines += [dress(text, "turn") for text in may_change(view, self.texts)]
        emptied = before is not None and before.stage == "deal" and None not in before.names and None in view.names
        return lines + (self.say("need.annul", "turn") if emptied and view.can_annul else [])

    def _happening(self, happening: Happening, view: View, before: View | None) -> list[Line]:
        if happening["event"] == "talked":
            return [self.talked(happening, view)]
        important = happening["event"] in _IMPORTANT
        return [dress(text, "title" if important else "") for text in self._teller.tell(happening, view, before)]

    def talked(self, said: Message, view: View) -> Line:
        """What somebody said: behind a sign in pictures, behind a word in sentences."""
        return talk_line(self.texts, said, view, sign=self._look.rich)

    def standing(self, view: View, now: int) -> list[Line]:
        """The pause, who is away, and the clocks."""
        return [dress(text, "warn") for text in standing(view, self.texts, now)]

    def elsewhere(self, view: View, before: View | None) -> list[Line]:
        """That a table out of sight has begun to wait for the player."""
        if need_of(view) not in _WAITED_FOR or (before is not None and need_of(before) in _WAITED_FOR):
            return []
        return self.say("said.elsewhere", "dim", names=", ".join(all_named(self.texts, view)))

    def scored(self, message: Message, view: View | None) -> list[Line]:
        """The results of the deals that were scored in a message, without the rest."""
        if view is None:
            return []
        scored = [happening for happening in message["happened"] if happening["event"] == "deal_scored"]
        return [dress(text) for happening in scored for text in self._teller.tell(happening, view, None)]

    def table(self, view: View, now: int) -> list[Line]:
        """How the table stands. `now`: the server's time in ms."""
        if is_patience(view):
            return self.patience.table(view) + self.standing(view, now)
        if self._look.rich and len(view.names) == 4:
            notes = [resuming(view, self.texts, now)] if view.pause else []
            notes += people_away(view, self.texts)
            return self._painter.table(view, now) + [dress(text, "warn") for text in notes]
        return [dress(text) for text in table(view, self.texts, self.face, now)]

    def hand(self, view: View) -> list[Line]:
        """The own hand."""
        if self._look.rich:
            return self._painter.hand(view)
        return self.say("need.hand", cards=faces(self.face, view.hand)) if view.hand else []

    def invite(self, view: View, now: int, *, with_hand: bool, drawn: bool = False) -> list[Line]:
        """What the table wants from the player, at a turn with the table or the hand above unless `drawn` already."""
        if is_patience(view):
            return self.patience.invite(view, drawn=drawn)
        need, above = need_of(view), list[Line]()
        if need is Need.CARD and self._look.rich and not drawn:
            above = self._painter.table(view, now)
        elif (need is Need.CARD or with_hand) and not drawn:
            above = self.hand(view)
        return above + [dress(text, "turn") for text in self._guide.invite(view, now)]

    def calls(self, view: View) -> tuple[str, ...]:
        """The games and doublings that may be called."""
        return tuple(self._guide.calls(view))

    def help(self, view: View | None, now: int) -> list[Line]:
        """What may be done now and why."""
        if view is not None and is_patience(view):
            return self.patience.help(view)
        return [dress(text) for text in self._guide.help(view, now)]

    def tricks(self, view: View, scored: Happening | None) -> list[Line]:
        """The gathered tricks in sight; between deals the hands of the last one too."""
        lines = [dress(text) for text in tricks(view, self.texts, self.face)]
        if scored is not None and view.stage != "deal":
            lines.append(dress(self._teller.hands(scored, view)))
        return lines

    def sheet(self, sheet: Message, view: View | None) -> list[Line]:
        """The score sheet; its columns are named after those who sat at its last deal."""
        if view is not None and is_patience(view):
            return self.patience.sheet(sheet)
        if self._look.rich:
            return sheet_table(sheet, view, self.texts, unicode=self._look.unicode)
        return [dress(text) for text in sheet_sentences(sheet, view, self.texts)]

    def evening(self, evening: Message) -> list[Line]:
        """The sheet of the evening: all matches, what each person did, who owes whom."""
        if self._look.rich:
            return evening_table(evening, self.texts, unicode=self._look.unicode)
        return [dress(text) for text in evening_sentences(evening, self.texts)]

    def open_hands(self, record: Message, explanation: Message) -> list[Line]:
        """A finished deal with all hands open, and what each card was worth."""
        return open_hands(record, explanation, self.texts, self.face)

    def rules(self, options: Message) -> list[Line]:
        """What was agreed at a table."""
        if "no_undo" in options:
            return self.patience.rules(options)
        return agreed(self.texts, options)

    def lobby(self, lobby: Message) -> list[Line]:
        """The public tables."""
        lines: list[Line] = []
        for entry in lobby["tables"]:
            names = [
                self.texts("lobby.free") if name is None else marked(self.texts, name, bot=bot)
                for name, bot in zip(entry["names"], entry["bots"], strict=True)
            ]
            shown = {"table": clean(entry["table"], 32), "names": ", ".join(names), "options": self._options(entry)}
            lines += self.say("lobby.line", stage=self.texts(f"stage.{entry['stage']}"), **shown)
        return lines or self.say("lobby.none")

    def error(self, error: Message) -> list[Line]:
        """Why something was refused."""
        return [dress(self.error_text(error), "warn")]

    def unusable(self, error: Message) -> list[Line]:
        """Why a table cannot be used at the moment."""
        return self.say("link.unusable", "warn", table=clean(error["table"], 32), why=self.error_text(error))

    def error_text(self, error: Message) -> str:
        """The translated reason; the server's own text for a code that is newer than this client."""
        key = f"error.{error.get('code')}"
        text = self.texts(key) if key in self.texts else clean(error.get("text", "?"), 300)
        detail = error.get("detail")
        refused = f"options.refused_{error.get('code')}"
        if detail and refused in self.texts:
            named = [named_option(self.texts, clean(name, 40)) for name in str(detail).split()[:4]]
            return self.texts(refused, fields=self.texts.join(named))
        return f"{text} ({clean(detail, 120)})" if detail else text

    def toolbar(self, view: View | None, now: int, *, up: bool) -> str:
        """The status line: the deal, whose turn it is, what Enter does, and how long there is."""
        if up and view is not None and is_patience(view) and not view.pause:
            return self.patience.toolbar(view)
        return self._status.line(view, now, up=up)

    def suggestions(self, view: View | None) -> list[str]:
        """What may be typed now, for completion."""
        if view is not None and is_patience(view):
            return self.patience.suggestions(view)
        return self._status.suggestions(view)

    def _options(self, entry: Message) -> str:
        options = entry["options"]
        deals = options.get("deals")
        if entry.get("game") in GAMES:
            return self.texts(f"game_name.{entry['game']}")
        facts = [clean(options["rules"], 16)] if options.get("rules") else []
        facts.append(self.texts("lobby.open") if deals is None else self.texts("lobby.deals", deals=clean(deals, 8)))
        if options.get("stake"):
            facts.append(f"{number(self.texts, options['stake'])} {clean(options.get('currency', ''), 12)}")
        return ", ".join(facts)
