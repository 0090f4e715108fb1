"""Everything a person sees of a tournament, in one language and for one kind of terminal."""

from collections.abc import Mapping, Sequence

from client_cli.catalogue import Catalogue
from client_cli.clean import clean
from client_cli.style import Line, Look, dress
from client_cli.tournament.creation import option_lines
from client_cli.tournament.cross import CrossTable
from client_cli.tournament.draws import Draws
from client_cli.tournament.news import Teller
from client_cli.tournament.pages import Pages
from client_cli.tournament.tables import Tables
from client_cli.view import Message

_HELP = ("follow", "enter", "seat", "pages", "link", "create")
_HELP_DIRECTOR = ("direct", "entries", "rounds", "people", "results", "messages", "codes", "undo")


class TournamentBoard:
    """Turns pages, answers and happenings into lines."""

    def __init__(self, texts: Catalogue, look: Look) -> None:
        self.texts = texts
        self.teller = Teller(texts)
        self.pages = Pages(texts)
        self._tables = Tables(texts, look)
        self._cross = CrossTable(texts, look)

    def page(self, answer: Message, name: str, own: int | None, seats: Mapping[int, list[str]], now: int) -> list[Line]:
        """A page that the server sent; `own` is the reader's number, `seats` the names at the round's tables."""
        page, about = answer["page"], str(answer["about"])
        title = self._title(about, name, page)
        match about:
            case "standings":
                return self._tables.standings(page, title, own)
            case "round":
                return self._tables.round(page, title, own)
            case "entrants":
                return self.pages.entrants(page, title, own)
            case "terms":
                return self.pages.terms(page, title)
            case "decisions":
                return self.pages.decisions(page, title)
            case "desk":
                return self.pages.desk(page, title, seats, now)
            case "cross":
                return self._cross.cross(page, title, own)
            case "comparison":
                return self._cross.comparison(page, title, own)
        return []

    def _title(self, about: str, name: str, page: Message) -> str:
        shown = self.texts(f"tournament_page.{about}", round=page.get("round", ""))
        return f"{clean(name, 40)}: {shown}"

    def verdict(self, tournament: str, pages: Sequence[Message], own: int | None, draws: Draws) -> list[Line]:
        """What there is to say of the draws; `pages`: the terms, the standings, then each round."""
        from client_cli.tournament import verifying  # with the rules, which nobody needs who only plays

        terms, table, *rounds = pages
        kept = verifying.Witness(draws.of(tournament), draws.commitments(tournament))
        try:
            found = verifying.findings(tournament, terms, table["rows"], rounds, own, kept)
        except (KeyError, TypeError, ValueError, IndexError):
            return [dress(self.texts("tournament_verify.unreadable"), "warn")]
        styles = {"good": "good", "open": "turn", "bad": "warn"}
        lines = [
            dress(self.texts(f"tournament_verify.{one.word}", round=one.round), styles[one.outcome]) for one in found
        ]
        return lines if terms["secrets"] else [*lines, dress(self.texts("tournament_verify.nothing_drawn"))]

    def options(self) -> list[Line]:
        """What can be set."""
        return option_lines(self.texts)

    def help(self, *, directs: bool) -> list[Line]:
        """What can be typed, by everybody and by a director."""
        keys = [f"tournament_help.{one}" for one in (*_HELP, *(_HELP_DIRECTOR if directs else ()))]
        return [dress(self.texts(key)) for key in keys]
