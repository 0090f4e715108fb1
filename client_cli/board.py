"""Turns views and messages into lines for one terminal: pictures where it can show them, else sentences."""

from typing import Final

from client_cli.amounts import number
from client_cli.cards import face_of, faces
from client_cli.catalogue import Catalogue
from client_cli.clean import clean, clean_name
from client_cli.explain import Guide
from client_cli.narrate import Happening, Teller
from client_cli.options import named_option
from client_cli.picture import Painter
from client_cli.rules_text import agreed
from client_cli.sentences import table, tricks
from client_cli.sheet import sheet_sentences, sheet_table
from client_cli.style import Line, Look, dress
from client_cli.view import Message, Need, View, need_of

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

    def say(self, key: str, style: str = "", /, **values: object) -> list[Line]:
        """One text of the catalogue as a line."""
        return [dress(self.texts(key, **values), style)]

    def happenings(self, view: View, before: View | None) -> list[Line]:
        """What happened between two views, and who went or came back."""
        lines: list[Line] = []
        for happening in view.message["happened"]:
            important = happening["event"] in ("deal_scored", "deal_annulled", "match_over")
            lines += [dress(text, "title" if important else "") for text in self._teller.tell(happening, view, before)]
        lines += [dress(text, "dim") for text in self._teller.presence(view, before)]
        emptied = before is not None and before.stage == "deal" and None not in before.names and None in view.names
        return lines + (self.say("need.annul", "turn") if emptied and view.can_annul else [])

    def elsewhere(self, view: View, before: View | None) -> list[Line]:
        """That a table out of sight has begun to wait for the player."""
        if need_of(view) not in _WAITED_FOR or (before is not None and need_of(before) in _WAITED_FOR):
            return []
        return self.say("said.elsewhere", "dim", names=", ".join(name for name in view.names if name))

    def scored(self, message: Message, view: View | None) -> list[Line]:
        """The results of the deals that were scored in a message, without the rest."""
        if view is None:
            return []
        scored = [happening for happening in message["happened"] if happening["event"] == "deal_scored"]
        return [dress(text) for happening in scored for text in self._teller.tell(happening, view, None)]

    def table(self, view: View, seconds: int | None) -> list[Line]:
        """How the table stands."""
        if self._look.rich and len(view.names) == 4:
            return self._painter.table(view, seconds)
        return [dress(text) for text in table(view, self.texts, self.face, seconds)]

    def hand(self, view: View) -> list[Line]:
        """The own hand."""
        if self._look.rich:
            return self._painter.hand(view)
        return self.say("need.hand", cards=faces(self.face, view.hand)) if view.hand else []

    def invite(self, view: View, seconds: int | None, *, with_hand: bool, drawn: bool = False) -> list[Line]:
        """What the table wants from the player, at a turn with the table or the hand above unless `drawn` already."""
        need, above = need_of(view), list[Line]()
        if need is Need.CARD and self._look.rich and not drawn:
            above = self._painter.table(view, seconds)
        elif (need is Need.CARD or with_hand) and not drawn:
            above = self.hand(view)
        return above + [dress(text, "turn") for text in self._guide.invite(view, seconds)]

    def calls(self, view: View) -> tuple[str, ...]:
        """The games and doublings that may be called."""
        return tuple(self._guide.calls(view))

    def help(self, view: View | None) -> list[Line]:
        """What may be done now and why."""
        return [dress(text) for text in self._guide.help(view)]

    def tricks(self, view: View, scored: Happening | None) -> list[Line]:
        """The gathered tricks in sight; between deals the hands of the last one too."""
        lines = [dress(text) for text in tricks(view, self.texts, self.face)]
        if scored is not None and view.stage != "deal":
            lines.append(dress(self._teller.hands(scored, view)))
        return lines

    def sheet(self, sheet: Message, view: View | None) -> list[Line]:
        """The score sheet; its columns are named after those who sat at its last deal."""
        if sheet["lines"]:
            names = [clean_name(name) for name in sheet["lines"][-1]["names"]]
        else:
            names = [view.name(seat) if view else str(seat + 1) for seat in range(4)]
        if self._look.rich:
            return sheet_table(sheet, names, self.texts, unicode=self._look.unicode)
        return [dress(text) for text in sheet_sentences(sheet, names, self.texts)]

    def rules(self, options: Message) -> list[Line]:
        """What was agreed at a table."""
        return agreed(self.texts, options)

    def lobby(self, lobby: Message) -> list[Line]:
        """The public tables."""
        lines: list[Line] = []
        for entry in lobby["tables"]:
            names = [self.texts("lobby.free") if name is None else clean_name(name) for name in entry["names"]]
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

    def toolbar(self, view: View | None, seconds: int | None, *, up: bool) -> str:
        """The status line: the deal, whose turn it is, and what Enter does."""
        texts = self.texts
        if not up:
            return texts("toolbar.lost")
        if view is None:
            return texts("toolbar.no_table")
        facts = [texts("toolbar.deal", deal=view.play["deal"])] if view.play else [texts(f"stage.{view.stage}")]
        match need_of(view):
            case Need.READY:
                facts.append(texts("toolbar.rematch" if "rematch" in view.actions else "toolbar.ready"))
            case Need.ASK:
                facts.append(texts("toolbar.ask"))
            case Need.TURN:
                facts.append(texts("toolbar.turn_ask" if "ask" in view.actions else "toolbar.turn"))
            case Need.ANSWER | Need.LATE:
                facts.append(texts("toolbar.answer"))
            case Need.CARD:
                facts.append(texts("toolbar.card", cards=faces(self.face, view.playable)))
            case Need.CALL | Need.NOTHING:
                facts += self._guide.waiting(view)[:1]
        facts += [f"{seconds} s"] if seconds is not None else []
        return " · ".join(facts)

    def suggestions(self, view: View | None) -> list[str]:
        """What may be typed now, for completion."""
        typed = [self.face(card) for card in view.playable] if view else []
        typed += self._guide.calls(view) if view else []
        typed = [word.removesuffix(" (k)") for word in typed]
        for action in view.actions if view else []:
            meaning = {"ask": "ask", "go on": "go", "pass": "pass", "ready": "ready", "rematch": "rematch"}.get(action)
            typed += self.texts.words[meaning][:1] if meaning else []
        shown = ("help", "table", "hand", "sheet", "tricks", "rules", "link", "tables", "auto", "leave", "quit")
        return typed + [self.texts.words[word][0] for word in shown]

    def _options(self, entry: Message) -> str:
        options = entry["options"]
        deals = options.get("deals")
        facts = [clean(options["rules"], 16)] if options.get("rules") else []
        facts.append(self.texts("lobby.open") if deals is None else self.texts("lobby.deals", deals=clean(deals, 8)))
        if options.get("stake"):
            facts.append(f"{number(self.texts, options['stake'])} {clean(options.get('currency', ''), 12)}")
        return ", ".join(facts)
