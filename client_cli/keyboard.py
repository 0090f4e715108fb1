"""Does what the player types: actions of the game, things to look at, settings; the rest goes to the table's orders."""

from client_cli.board import Board
from client_cli.commands import Reader
from client_cli.howto import howto
from client_cli.invitation import invitation, tournament_links
from client_cli.looking import Looking
from client_cli.meanings import Auto, Command, Confused, Do, Explain, Export, GoTo, Meaning, Quit, Show
from client_cli.names import marked
from client_cli.orders import Orders
from client_cli.patience.layout import is_patience
from client_cli.patience.player import Player
from client_cli.session import Session
from client_cli.style import dress
from client_cli.talking import phrase_lines
from client_cli.tournament.desk import Desk

_PATIENCE = 0.3  # seconds: at a terminal the prompt comes back though the server is slow


class Keyboard:
    """Hands typed lines to a session. In a pipe each line waits for its answer before the next is read."""

    def __init__(self, session: Session, *, pipe: bool) -> None:
        self._session = session
        self._board: Board = session.board
        self._reader = Reader(session.board.texts, session.board.face("TH").casefold())
        self._limit = None if pipe else _PATIENCE
        self._orders = Orders(session, self._limit)
        self._looking = Looking(session)
        self._player = Player(session, self._act, self._limit)
        self._desk = Desk(session, self._limit)

    async def obey(self, typed: str) -> bool:
        """Does what a line says; False: the player wants to leave the terminal."""
        if await self._desk.obey(typed):
            return True
        view = self._session.view
        if view is not None and is_patience(view):
            meaning = await self._player.obey(typed, view)
        else:
            meaning = self._reader.read(typed, view)
        if meaning is None:
            return True
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
            case Command("sheet" | "evening" | "talk" as what):
                self._looking.at(what)
            case Show("rules"):
                self._looking.at("rules")
            case Show(what):
                self._show(what)
            case Export():
                self._looking.export(meaning)
            case Explain(deal):
                self._looking.explain(deal)
            case Auto():
                session.automatic.set(meaning, session.view)
                session.profile.change(auto=dict(session.automatic.on))
                self._show("auto")
                session.announce_again()
            case GoTo(number):
                self._go_to(number)
            case Confused(key, values):
                self._say(key, **dict(values))
            case _:
                await self._orders.give(meaning)
        if isinstance(meaning, Command | Show | Export | Explain):
            await session.rest(self._limit)

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
            await self._orders.give(Command("start"))

    def _go_to(self, number: int) -> None:
        tables = list(self._session.tables.followers)
        if 0 < number <= len(tables):
            self._session.look_at(tables[number - 1])
        else:
            self._say("said.no_such_table", number=number)

    def _show(self, what: str) -> None:
        session, view = self._session, self._session.view
        match what:
            case "help":
                self._help()
            case "how":
                game = str(view.public["game"]) if view is not None else "kop"
                session.tell([dress(line) for line in howto(self._board.texts.language, game)])
            case "phrases":
                session.tell(phrase_lines(self._board.texts))
            case "muted":
                self._muted()
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
                played = view.public.get("tournament")
                of_table = invitation(session) or self._board.say("said.watching")
                session.tell(of_table if played is None else tournament_links(session, str(played["tournament"])))
            case "hand":
                session.tell(self._board.hand(view) or self._board.say("said.nothing"))
            case "tricks":
                last = session.scored.get(view.table)
                session.tell(self._board.tricks(view, last[1] if last else None))

    def _help(self) -> None:
        session, view = self._session, self._session.view
        alone = view is not None and is_patience(view)
        session.tell(self._board.help(view, session.now) + ([] if alone else invitation(session)))
        if session.following.current is not None:
            self._say("tournament.more_help")

    def _muted(self) -> None:
        names = self._board.texts.join(list(self._session.talking.muted.values()))
        self._say("talk.muted", names=names) if names else self._say("talk.nobody_muted")

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
            if (view := follower.view) is not None:
                names = ", ".join(
                    texts("lobby.free") if name is None else marked(texts, name, bot=view.bot(seat) is not None)
                    for seat, name in enumerate(view.names)
                )
                shown.append(texts("said.table_here", number=number, names=names, stage=texts(f"stage.{view.stage}")))
        if shown:
            self._say("said.tables", tables="; ".join(shown))
        else:
            self._say("said.no_table")

    def _say(self, key: str, **values: object) -> None:
        self._session.tell(self._board.say(key, **values))
