"""Everything a person sees of a patience, in one language and for one kind of terminal."""

from client_cli.catalogue import Catalogue
from client_cli.clean import clean, shorten
from client_cli.patience.answers import Answers
from client_cli.patience.faces import all_faces
from client_cli.patience.guide import Guide
from client_cli.patience.layout import Layout
from client_cli.patience.narrate import SILENT, Teller, counts, span
from client_cli.patience.options import NAMES, variant_words
from client_cli.patience.picture import Painter
from client_cli.patience.sentences import Namer, described
from client_cli.picture import WIDTH
from client_cli.style import Line, Look, dress
from client_cli.view import Message, View

_SUGGESTED = (
    "undo", "redo", "hint", "auto", "moves", "again", "new", "number", "solve", "winnable", "daily", "results",
    "ranking", "give_up",
)  # fmt: skip


class PatienceBoard:
    """Turns views of patiences, and answers about them, into lines."""

    def __init__(self, texts: Catalogue, look: Look) -> None:
        self.texts = texts
        self._look = look
        self.namer = Namer(texts, all_faces(texts, unicode=look.unicode))
        self._teller = Teller(self.namer)
        self.guide = Guide(self.namer, self._teller)
        self.answers = Answers(self.namer, self._teller, look)
        self.rich = look.rich
        self._painter = Painter(texts, self.namer.face, look)

    def table(self, view: View) -> list[Line]:
        """How the deal lies, under a heading."""
        layout = Layout(view)
        head: Line = [("title", shorten(self._heading(layout), WIDTH))]
        if not layout.deal:
            return [head]
        if self._look.rich:
            return [head, *self._painter.picture(layout)]
        return [head, *(dress(text) for text in described(layout, self.namer))]

    def _heading(self, layout: Layout) -> str:
        texts, table = self.texts, layout.table
        facts = [texts(f"game_name.{layout.game}")]
        variants = variant_words(texts, layout.rules)
        if not layout.deal:
            return " · ".join(facts + variants)
        facts.append(texts("picture.moves", moves=table["moves"]))
        if table["undos"]:
            facts.append(texts("picture.undos", undos=table["undos"]))
        if table["helped"]:
            facts.append(texts("picture.helped"))
        if table["day"]:
            facts.append(texts("picture.day", day=clean(table["day"], 10)))
        elif table["known"] or (not layout.running and table["number"]):
            facts.append(texts("picture.number", number=clean(table["number"] or "?", 20)))
        return " · ".join(facts + variants)

    def happenings(self, view: View, before: View | None) -> list[Line]:
        """What happened between two views, as far as it belongs to the game; in sentences also what it has bared."""
        happened = [one for one in view.message["happened"] if self._teller.knows(one["event"])]
        lines = [dress(text, style) for style, text in self._teller.tell(happened, view)]
        moved = any(one["event"] in ("moved", "undone", "redone") for one in happened)
        if moved and not self._look.rich and (told := self._teller.changes(view, before)):
            lines.append(dress(told))
        return lines

    def tells(self, happening: Message) -> bool:
        """Whether a happening is told here, or needs no words at a patience."""
        event = happening["event"]
        by_itself = event in ("paused", "resumed") and happening["seat"] is None  # the player went, and came back
        return by_itself or event in SILENT or self._teller.knows(event)

    def invite(self, view: View, *, drawn: bool) -> list[Line]:
        """The picture, unless it was drawn just before, and what may be done; sentences show no table unasked."""
        layout = Layout(view)
        dealt = any(one["event"] == "patience_dealt" for one in view.message["happened"])
        show = layout.running and not drawn and (self._look.rich or dealt)
        invited = self.guide.invite(layout)
        if not self._look.rich and layout.running and not (dealt or drawn):
            invited = [one for one in invited if layout.table["stuck"]]
        return (self.table(view) if show else []) + [dress(text, style) for style, text in invited]

    def once_more(self, action: str) -> list[Line]:
        """After a deal: what one more Enter does."""
        return [dress(self.texts("patience.once_more" if action == "ready" else "patience.once_more_rematch"), "turn")]

    def help(self, view: View) -> list[Line]:
        """What may be done now and why."""
        return [dress(text) for text in self.guide.help(Layout(view))]

    def moves(self, view: View) -> list[Line]:
        """All moves that are offered."""
        return [dress(text) for text in self.guide.moves(Layout(view))]

    def toolbar(self, view: View) -> str:
        """The status line: the game, what Enter does, how many cards are out."""
        layout, texts = Layout(view), self.texts
        facts = [texts(f"game_name.{layout.game}")]
        if layout.running:
            out = sum(pile.count for pile in layout.of("foundation", "up", "down"))
            facts.append(texts("patience.bar_out", out=out, all=sum(pile.count for pile in layout.piles.values())))
            keys = ["stuck"] if layout.table["stuck"] else [key for key in ("draw", "redeal") if key in layout.actions]
            facts += [texts(f"patience.bar_{key}") for key in keys]
        elif "ready" in layout.actions:
            facts.append(texts("patience.bar_next" if layout.deal else "patience.bar_ready"))
        return " · ".join([*facts, texts("patience.bar_help")])

    def suggestions(self, view: View) -> list[str]:
        """Cards that go out, pile names and command words, for completion."""
        layout = Layout(view)
        cards = [self.namer.face(step.card) for step in layout.steps if step.card and step.out]
        words = [self.texts.patience_words[word][0] for word in _SUGGESTED]
        common = [self.texts.words[word][0] for word in ("help", "how", "rules", "sheet", "table", "leave", "quit")]
        return [*dict.fromkeys(cards), *words, *common]

    def sheet(self, sheet: Message) -> list[Line]:
        """The finished deals of this table."""
        lines: list[Line] = [[("title", self.texts("patience.sheet_title"))]]
        for entry in sheet["lines"]:
            line = entry["line"]
            key = "patience.sheet_won" if line["won"] else "patience.sheet_lost"
            number = clean(line["number"] or line["day"] or "-", 20)
            shown = {"deal": line["deal"], "out": line["out"], "number": number}
            mark = "" if line["counts"] else " *"
            text = self.texts(key, time=span(line["millis"]), **shown, **counts(line)) + mark
            lines.append([("good" if line["won"] else "", text)])
        if any(not entry["line"]["counts"] for entry in sheet["lines"]):
            lines.append([("dim", self.texts("patience.sheet_mark"))])
        return lines if sheet["lines"] else [*lines, dress(self.texts("sheet.none"))]

    def rules(self, options: Message) -> list[Line]:
        """What was agreed at this table."""
        lines: list[Line] = [[("title", self.texts("patience.rules_title"))]]
        for name, value in options.items():
            if name in NAMES:
                word = self.texts(f"option_value.{'yes' if value else 'no'}")
                shown = clean(value, 20) if name == "number" and value else word
                lines.append(dress(f"  {name} = {shown}: {self.texts(f'option.{name}')}"))
        return lines
