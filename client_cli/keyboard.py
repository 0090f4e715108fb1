"""Does what the player types: commands to the server, things to look at, settings."""

from client_cli.board import Board
from client_cli.commands import Auto, Command, Confused, Do, GoTo, Meaning, Quit, Reader, Show
from client_cli.invitation import invitation
from client_cli.session import Session
from client_cli.view import Message

_PATIENCE = 0.3  # seconds: at a terminal the prompt comes back though the server is slow


class Keyboard:
    """Hands typed lines to a session. In a pipe each line waits for its answer before the next is read."""

    def __init__(self, session: Session, *, pipe: bool) -> None:
        self._session = session
        self._board: Board = session.board
        self._reader = Reader(session.board.texts, session.board.face("TH").casefold())
        self._limit = None if pipe else _PATIENCE

    async def obey(self, typed: str) -> bool:
        """Does what a line says; False: the player wants to leave the terminal."""
        meaning = self._reader.read(typed, self._session.view)
        if isinstance(meaning, Quit):
            return False
        await self._do(meaning)
        return True

    async def _do(self, meaning: Meaning) -> None:
        session = self._session
        match meaning:
            case Do(action):
                await self._act(action)
            case Command("start"):
                await self._start()
            case Command(order, seat):
                await self._order(order, seat)
            case Show("rules"):
                await self._rules()
            case Show(what):
                self._show(what)
            case Auto():
                session.automatic.set(meaning, session.view)
                session.profile.change(auto=dict(session.automatic.on))
                self._show("auto")
                session.announce_again()
            case GoTo(number):
                tables = list(session.tables.followers)
                if 0 < number <= len(tables):
                    session.look_at(tables[number - 1])
                else:
                    self._say("said.no_such_table", number=number)
            case Confused(key, values):
                self._say(key, **dict(values))

    async def _act(self, action: str) -> None:
        asked = self._session.act(action)
        if asked is None:
            self._say("said.no_table" if self._session.view is None else "said.watching")
            return
        if not self._session.connection.up:
            self._say("said.not_sent")
        await self._session.settle(asked, self._limit)

    async def _start(self) -> None:
        """Deals; the owner himself is ready first, so that his bytes are in the cards too."""
        view = self._session.view
        if view is not None and "ready" in view.actions:
            await self._act("ready")
            view = self._session.view
        if view is None or view.stage != "deal":
            await self._order("start", None)

    async def _order(self, order: str, seat: int | None) -> None:
        session = self._session
        if session.focus is None:
            self._say("said.no_table")
            return
        view, fields = session.view, Message(table=session.focus)
        if order in ("start", "finish", "annul"):
            fields["prompt"] = view.prompt if view else ""
        if seat is not None:
            sitter = view.public["seats"][seat] if view else None
            if sitter is None:
                self._say("said.no_seat", who=seat + 1, count=len(view.names) if view else 0)
                return
            fields["player"] = sitter["player"]
        await session.settle(session.ask(order, fields), self._limit)

    def _show(self, what: str) -> None:
        session, view = self._session, self._session.view
        match what:
            case "help":
                session.tell(self._board.help(view) + invitation(session))
            case "tables":
                self._tables()
            case "auto":
                self._settings()
            case _ if view is None:
                self._say("said.no_table")
            case "table":
                session.show_table(view)
                session.tell(invitation(session) if None in view.names else [])
                session.announce_again()
            case "link":
                session.tell(invitation(session) or self._board.say("said.watching"))
            case "hand":
                session.tell(self._board.hand(view) or self._board.say("said.nothing"))
            case "tricks":
                session.tell(self._board.tricks(view, session.scored.get(view.table)))

    async def _rules(self) -> None:
        """What was agreed at the table."""
        session = self._session
        if session.focus is None:
            self._say("said.no_table")
        else:
            await session.settle(session.ask_rules(session.focus), self._limit)

    def _settings(self) -> None:
        texts, automatic, view = self._board.texts, self._session.automatic, self._session.view
        switch = {True: texts("said.on"), False: texts("said.off")}
        go = switch[automatic.go(view)]
        if automatic.go(view) and not automatic.on.get("go", False):
            go = texts("said.deal_only")
        ready, ask = (switch[automatic.on.get(what, False)] for what in ("ready", "ask"))
        self._say("said.auto", ready=ready, ask=ask, go=go)

    def _tables(self) -> None:
        texts, shown = self._board.texts, []
        for number, follower in enumerate(self._session.tables.followers.values(), start=1):
            if follower.view is not None:
                names = ", ".join(name or texts("lobby.free") for name in follower.view.names)
                stage = texts(f"stage.{follower.view.stage}")
                shown.append(texts("said.table_here", number=number, names=names, stage=stage))
        if shown:
            self._say("said.tables", tables="; ".join(shown))
        else:
            self._say("said.no_table")

    def _say(self, key: str, **values: object) -> None:
        self._session.tell(self._board.say(key, **values))
