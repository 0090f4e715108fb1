"""What a player wants to look at and the server has to tell: sheets, rules, what was said, what cards were worth."""

from pathlib import Path

from client_cli.evening_files import exported
from client_cli.meanings import Export
from client_cli.new_files import NotWritten, write_new
from client_cli.requests import Then
from client_cli.session import Session
from client_cli.view import Message, View


class Looking:
    """Asks about the table in focus; the answers are shown when they come."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._board = session.board

    def at(self, what: str) -> None:
        """The score sheet, the sheet of the evening, what was said lately, or what was agreed."""
        session, board = self._session, self._board
        match what:
            case "sheet":
                self._ask("sheet", session.show_sheet)
            case "evening":
                self._ask("evening", lambda answer: session.tell(board.evening(answer)))
            case "talk":
                self._ask("talk", self._talk)
            case "rules":
                self._ask("sheet", lambda answer: session.tell(board.rules(answer["options"])))

    def export(self, wanted: Export) -> None:
        """Writes the sheet of the evening to a new file."""

        def write(evening: Message) -> None:
            try:
                write_new(Path(wanted.file), exported(evening, self._board.texts, wanted.format), self._board.texts)
            except NotWritten as fault:
                self._session.tell(self._board.line(str(fault), "warn"))
            else:
                self._session.tell(self._board.say("evening.written", file=wanted.file))

        self._ask("evening", write)

    def explain(self, deal: int | None) -> None:
        """Lays a finished deal of the table open: that of this number in the match, else the last one."""
        session, view = self._session, self._session.view
        if view is None:
            session.tell(self._board.say("said.no_table"))
            return
        known = (int(view.public["match"]), deal) if deal else self._last(view)
        if known is not None:
            self._open(view.table, *known)
        elif view.play is None or (view.public["match"] == 1 and not view.play["scored"]):
            session.tell(self._board.say("open_hands.none"))
        else:
            session.ask("records", {}, then=lambda answer: self._newest(view.table, answer["records"]))

    def _newest(self, table: str, records: list[Message]) -> None:
        """Lays the newest deal of the table open of which the player has a record."""
        deals = [(int(one["match"]), int(one["deal"])) for one in records if one["table"] == table]
        if deals:
            self._open(table, *max(deals))
        else:
            self._session.tell(self._board.say("error.not_your_record", "warn"))

    def _open(self, table: str, match: int, number: int) -> None:
        session, name = self._session, f"{table}-{match}-{number}"

        def show(record: Message) -> None:
            session.tell(self._board.say("open_hands.wait", "dim"))
            session.ask(
                "explain",
                {"record": name},
                then=lambda answer: session.tell(self._board.open_hands(record["record"], answer["explanation"])),
            )

        session.ask("record", {"record": name}, then=show)

    def _last(self, view: View) -> tuple[int, int] | None:
        """The match and the number of the deal that was scored last, where this session knows it."""
        if view.play is not None and view.play["last"] is not None:
            return int(view.public["match"]), int(view.play["last"]["deal"])
        known = self._session.scored.get(view.table)
        return None if known is None else (known[0], int(known[1]["line"]["deal"]))

    def _talk(self, answer: Message) -> None:
        session, view = self._session, self._session.view
        if view is None:
            return
        lines = [self._board.talked(one, view) for one in session.talking.audible(answer["lines"])]
        session.tell(lines or self._board.say("talk.nothing"))

    def _ask(self, kind: str, then: Then) -> None:
        session = self._session
        if session.focus is None:
            session.tell(self._board.say("said.no_table"))
        else:
            session.ask(kind, {"table": session.focus}, then=then)
