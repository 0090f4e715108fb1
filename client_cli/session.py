"""A player's session: hears the server, tells it to the console, and sends what the player or his settings want."""

import asyncio
from contextlib import suppress
from typing import Any, Final

from client_cli.address import Server
from client_cli.automatic import Automatic
from client_cli.board import Board
from client_cli.company import without_own
from client_cli.connection import Connection
from client_cli.console import Console
from client_cli.contributor import Contributor
from client_cli.follower import Follower, Step
from client_cli.home import Profile
from client_cli.link import Link
from client_cli.presence import Asked, Loss
from client_cli.prompter import Prompter
from client_cli.requests import Requests, Then
from client_cli.shuffling import Shuffling
from client_cli.style import Line
from client_cli.tables import Tables
from client_cli.talking import Talking
from client_cli.tournament.following import Following
from client_cli.view import Message, View, unusable

_NOTICES: Final = frozenset({"draining", "store_away", "store_back", "rolled_back"})


class Session:
    """Listens to one connection. `focus` is the table that is told about; `ended` is set when it is over."""

    connection: Connection

    def __init__(
        self,
        console: Console,
        board: Board,
        profile: Profile,
        automatic: Automatic,
        part: Contributor,
        *,
        keep: bool,
    ) -> None:
        """`part` is the player's in every shuffle; `keep`: tokens and the name are saved in the profile."""
        self.console = console
        self.board = board
        self.profile = profile
        self.automatic = automatic
        self.greeted = asyncio.Event()
        self.ended = asyncio.Event()
        self.memberships: list[Message] = []
        self.tables = Tables()
        self.focus: str | None = None
        self.talking = Talking()
        self.following = Following(self)
        self.scored: dict[str, tuple[int, dict[str, Any]]] = {}
        """By table: the deal that was scored last, with the number of its match."""
        self.until_over = False
        self.resuming = False
        """Whether the first of the player's tables comes into focus at once."""
        self.reachable_as: tuple[Server, ...] = ()
        """Under which addresses others may reach the server, where they are others than this client's."""
        self._requests = Requests()
        self._acting: Asked | None = None
        self._link = Link(board, profile, self.tell, keep=keep)
        self._prompter = Prompter(board, automatic, self.act, self.tell)
        self._shuffling = Shuffling(part, board, self._act_quietly, self.tell)

    @property
    def view(self) -> View | None:
        """The newest view of the table in focus."""
        return self.tables.view(self.focus)

    @property
    def seated(self) -> bool:
        """Whether the player has a seat anywhere."""
        return any(one.view is not None and one.view.seat is not None for one in self.tables.followers.values())

    # ---- what is sent

    def ask(self, kind: str, fields: Message, *, quiet: bool = False, then: Then | None = None) -> Asked:
        """Sends a command; a quiet one's refusal is not told. `then` gets an answer that is more than a reply."""
        asked = self.connection.post(kind, **fields)
        self._requests.sent(asked, quiet=quiet, then=then)
        return asked

    def act(self, action: str) -> Asked | None:
        """Does an action as an answer to the newest view; None without a seat."""
        view = self.view
        if view is None or view.seat is None:
            return None
        words = self._shuffling.ready(view, action)
        self._acting = self.ask("act", {"table": view.table, "prompt": view.prompt, "action": words})
        self._shuffling.sent(self._acting, view, words)
        return self._acting

    def _act_quietly(self, view: View, action: str) -> Asked:
        return self.ask("act", {"table": view.table, "prompt": view.prompt, "action": action}, quiet=True)

    async def settle(self, asked: Asked, limit: float | None) -> Message | None:
        """Waits for the answer and for the view that goes with it, at most `limit` seconds for each."""
        try:
            async with asyncio.timeout(limit):
                answer = await asyncio.shield(asked.answer)
        except TimeoutError:
            return None
        if answer["type"] == "reply":
            await self.tables.reached(answer["table"], answer["version"], 5.0 if limit is None else limit)
        return answer

    async def rest(self, limit: float | None) -> None:
        """Waits until nothing that was asked is without its answer, or the connection is away, or the time is over."""
        with suppress(TimeoutError):
            async with asyncio.timeout(limit):
                while self._requests.outstanding and self.connection.up:
                    self.tables.changed.clear()
                    await self.tables.changed.wait()

    def look_at(self, table: str) -> None:
        """Puts a table into focus and shows it."""
        self.focus = table
        self._prompter.ask_again()
        follower = self.tables.at(table)
        if follower.view is not None:
            self.show_table(follower.view)
            self._go_on()

    def tell(self, lines: list[Line]) -> None:
        """Prints lines."""
        if lines:
            self.console.show(lines)

    @property
    def now(self) -> int:
        """The server's time, ms since 1970."""
        return self.connection.server_time()

    def show_table(self, view: View) -> None:
        """Shows how the table stands; the question that follows does not show it once more."""
        self.tell(self.board.table(view, self.now))
        self._prompter.drawn()

    def show_sheet(self, sheet: Message) -> None:
        """Shows a score sheet; who stays until the match is over goes after its last one."""
        self.tell(self.board.sheet(sheet, self.tables.view(sheet["table"])))
        self._perhaps_over()

    def announce_again(self) -> None:
        """Says anew what is asked of the player."""
        self._prompter.ask_again()
        self._go_on()

    # ---- what is heard

    def welcomed(self, welcome: Message) -> None:
        """Keeps the token, and after an outage says that all is well again."""
        self.memberships = welcome["tables"]
        self.following.welcomed(welcome)
        self._link.welcomed(self.connection.server.base, welcome)
        if not self.greeted.is_set():
            seated_first = sorted(self.memberships, key=lambda one: one["seat"] is None)
            self.focus = seated_first[0]["table"] if self.resuming and seated_first else None
            self.greeted.set()
            return
        self._link.back()
        here = {membership["table"] for membership in self.memberships}
        for table, follower in list(self.tables.followers.items()):
            follower.came_back()
            if table not in here:
                self._closed({"table": table, "reason": "expired"})

    def lost(self, loss: Loss) -> None:
        """Says that the connection is gone."""
        self._link.lost(loss)

    def forgotten(self) -> None:
        """The server has forgotten the player."""
        self._link.forgotten(self.connection.server.base)

    def heard(self, message: Message) -> None:
        """Takes a message of the server."""
        then, quiet = self._requests.answered(message)
        if message["type"] in ("reply", "error"):
            self._shuffling.answered(message)
        match message["type"]:
            case "table":
                self._table(message)
            case "tournament":
                self.following.heard(message)
                self._perhaps_over()
            case "reply":
                self.tables.acknowledged(message["table"], message["version"])
                self._go_on()
            case "error":
                self._refused(message, quiet=quiet)
                self.following.refused(message)
            case "progress":
                self.tell(self.board.patience.answers.progress(message))
            case "lobby":
                self.tell(self.board.lobby(message))
            case "closed":
                self._closed(message)
            case "notice" if message["notice"] in _NOTICES:
                self._noticed(message)
            case _ if then is not None:
                then(message)
        self.tables.changed.set()

    def _table(self, message: Message) -> None:
        table = message["table"]
        follower = self.tables.at(table)
        step = follower.take(message | {"happened": self.talking.audible(message["happened"])})
        if step is Step.OLD:
            return
        view, before = follower.view, follower.before
        assert view is not None
        if step is not Step.NEXT and not view.goes_with(self.scored.get(table)):
            self.scored.pop(table, None)
        self.scored |= {table: last} if (last := view.last_scored) else {}
        if step is Step.FRESH:
            self.tables.anew(table)
        if follower.went_back:
            self._shuffling.rolled_back(table)
        self._shuffling.seen(view, self.now)
        if step is Step.GAP:
            self._requests.outstanding.discard(self.ask("sync", {"table": table}, quiet=True).id)
        if table != self.focus:
            self.tell(self.board.elsewhere(view, before) if self.focus is not None else [])
            return
        if step is Step.NEXT:
            self.tell(self.board.happenings(view, before, self.now))
        else:
            self._anew(view, before, step, follower)
        self._go_on()
        if self.tables.over(self.focus) and (before is None or before.stage != "over"):
            self.ask("sheet", {"table": table}, quiet=True, then=self.show_sheet)

    def _anew(self, view: View, before: View | None, step: Step, follower: Follower) -> None:
        if step is Step.GAP:
            self.tell(self.board.say("link.gap", "dim"))
        elif follower.changed_while_away:
            self.tell(self.board.say("link.rolled_back" if follower.went_back else "link.changed", "dim"))
        if before is None or before.version != view.version:
            self.show_table(without_own(view) if follower.arriving else view)
        if step is Step.FRESH:
            self._prompter.anew()
        else:
            self._prompter.ask_again()

    def _refused(self, error: Message, *, quiet: bool) -> None:
        if table := unusable(error):
            self.tell(self.board.unusable(error))
            self._gone(table)
            return
        if quiet:
            return
        if error["code"] == "no_question" and self.view is not None and self.view.phase == "play":
            return  # the pause after the lead was over: it passed without this player's word
        self.tell(self.board.error(error))
        if error["code"] == "paused" and self.view is not None:
            self.tell(self.board.standing(self.view, self.now))
        if error["code"] == "stale":
            self.announce_again()

    def _noticed(self, notice: Message) -> None:
        table = notice.get("table")
        if notice["notice"] == "rolled_back" and table is not None:
            self._shuffling.rolled_back(table)
        if notice["notice"] == "store_back":
            self._see_again()
        if table in (None, self.focus):
            self.tell(self.board.say(f"link.{notice['notice']}", "dim"))

    def _see_again(self) -> None:
        """What could not be opened while the server's store was away may still be."""
        for follower in self.tables.followers.values():
            if follower.view is not None:
                self._shuffling.seen(follower.view, self.now)

    def _closed(self, message: Message) -> None:
        self._shuffling.left(message["table"])
        if message["table"] == self.focus:
            view, reason = self.view, str(message["reason"])
            led = reason == "left" and view is not None and view.public.get("tournament") is not None
            self.tell(self.board.say("link.closed_tournament" if led else f"link.closed_{reason}"))
        self._gone(message["table"])

    def _gone(self, table: str) -> None:
        """The player is at a table no longer, or it cannot be used; the next one comes into focus."""
        self.tables.followers.pop(table, None)
        self.memberships = [one for one in self.memberships if one["table"] != table]
        if table == self.focus:
            self.focus = None
            left = [*self.tables.followers, *(one["table"] for one in self.memberships)]
            if left:
                self.look_at(left[0])
            elif not self.following.any:
                self.ended.set()

    # ---- what follows from it

    def _perhaps_over(self) -> None:
        """Who stays until the match is over stays for the next table of his tournament too."""
        if self.until_over and self.tables.over(self.focus) and not self.following.keeps_going:
            self.ended.set()

    def _go_on(self) -> None:
        view = self.view
        behind = view is not None and self.tables.behind(view.table)
        free = self._acting is None or self._acting.answer.done()
        self._prompter.go_on(view, self.now, free=free, behind=behind)
