"""A player's session: hears the server, tells it to the console, and sends what the player or his settings want."""

import asyncio
from typing import Any, Final

from client_cli.automatic import Automatic
from client_cli.board import Board
from client_cli.clean import clean
from client_cli.connection import Connection
from client_cli.console import Console
from client_cli.follower import Follower, Step
from client_cli.home import Profile
from client_cli.presence import Asked, Loss
from client_cli.style import Line
from client_cli.view import Message, Need, View, need_of

_FIRST_VIEW: Final = 10.0
_NOTICES: Final = frozenset({"draining", "store_away", "store_back", "rolled_back"})


class Session:
    """Listens to one connection. `focus` is the table that is told about; `ended` is set when it is over."""

    connection: Connection

    def __init__(self, console: Console, board: Board, profile: Profile, automatic: Automatic, *, keep: bool) -> None:
        """`keep`: tokens and the name are saved in the profile."""
        self.console = console
        self.board = board
        self.profile = profile
        self.automatic = automatic
        self.greeted = asyncio.Event()
        self.ended = asyncio.Event()
        self.changed = asyncio.Event()
        self.memberships: list[Message] = []
        self.followers: dict[str, Follower] = {}
        self.focus: str | None = None
        self.scored: dict[str, dict[str, Any]] = {}
        self.outstanding: set[int] = set()
        self.until_over = False
        self.resuming = False
        """Whether the first of the player's tables comes into focus at once."""
        self.code: str | None = None
        self._keep = keep
        self._quiet: set[int] = set()
        self._acting: Asked | None = None
        self._acked: dict[str, int] = {}
        self._announced: object = None
        self._called: object = None
        self._drawn = False
        self._automated: object = None

    @property
    def view(self) -> View | None:
        """The newest view of the table in focus."""
        follower = self.followers.get(self.focus or "")
        return follower.view if follower else None

    @property
    def seated(self) -> bool:
        """Whether the player has a seat anywhere."""
        return any(follower.view is not None and follower.view.seat is not None for follower in self.followers.values())

    # ---- what is sent

    def ask(self, kind: str, fields: Message, *, quiet: bool = False) -> Asked:
        """Sends a command; a quiet one's refusal is not told."""
        asked = self.connection.post(kind, **fields)
        if quiet:
            self._quiet.add(asked.id)
        self.outstanding.add(asked.id)
        return asked

    def act(self, action: str) -> Asked | None:
        """Does an action as an answer to the newest view; None without a seat."""
        view = self.view
        if view is None or view.seat is None:
            return None
        self._acting = self.ask("act", {"table": view.table, "prompt": view.prompt, "action": action})
        return self._acting

    async def settle(self, asked: Asked, limit: float | None) -> Message | None:
        """Waits for the answer and for the view that goes with it, at most `limit` seconds for each."""
        try:
            async with asyncio.timeout(limit):
                answer = await asyncio.shield(asked.answer)
        except TimeoutError:
            return None
        if answer["type"] == "reply":
            await self.reached(answer["table"], answer["version"], 5.0 if limit is None else limit)
        return answer

    async def reached(self, table: str, version: int, limit: float) -> None:
        """Waits until a table's view is at least this new, or is gone, or the time is over."""
        try:
            async with asyncio.timeout(limit):
                while table in self.followers and self._version(table) < version:
                    self.changed.clear()
                    await self.changed.wait()
        except TimeoutError:
            return

    async def arrived(self, table: str, version: int) -> None:
        """Waits for the first view of a table, which may still be on its way."""
        self.followers.setdefault(table, Follower())
        await self.reached(table, version, _FIRST_VIEW)

    def look_at(self, table: str) -> None:
        """Puts a table into focus and shows it."""
        self.focus, self._announced = table, None
        follower = self.followers.setdefault(table, Follower())
        if follower.view is not None:
            self.show_table(follower.view)
            self._go_on()

    def tell(self, lines: list[Line]) -> None:
        """Prints lines."""
        if lines:
            self.console.show(lines)

    def seconds(self) -> int | None:
        """How many seconds are left to answer at the table in focus."""
        view = self.view
        deadline = view.play["deadline"] if view and view.play else None
        return None if deadline is None else max(0, -(-(deadline - self.connection.server_time()) // 1000))

    def show_table(self, view: View) -> None:
        """Shows how the table stands; the question that follows does not show it once more."""
        self.tell(self.board.table(view, self.seconds()))
        self._drawn = True

    def announce_again(self) -> None:
        """Says anew what is asked of the player."""
        self._announced = None
        self._go_on()

    # ---- what is heard

    def welcomed(self, welcome: Message) -> None:
        """Keeps the token, and after an outage says that all is well again."""
        self.memberships = welcome["tables"]
        if self._keep:
            self._save(welcome)
        if not self.greeted.is_set():
            seated_first = sorted(self.memberships, key=lambda one: one["seat"] is None)
            self.focus = seated_first[0]["table"] if self.resuming and seated_first else None
            self.greeted.set()
            return
        self.tell(self.board.say("link.back", "good"))
        here = {membership["table"] for membership in self.memberships}
        for table, follower in list(self.followers.items()):
            follower.came_back()
            if table not in here:
                self._closed({"table": table, "reason": "expired"})

    def _save(self, welcome: Message) -> None:
        base = self.connection.server.base
        try:
            if welcome["token"]:
                self.profile.keep_token(base, welcome["token"])
            self.profile.change(name=welcome["name"], server=base)
        except OSError as fault:
            self._keep = False
            self.tell(self.board.say("start.no_file", "warn", why=clean(fault, 120)))

    def lost(self, loss: Loss) -> None:
        """Says that the connection is gone."""
        known = loss.why == "closed" and loss.code is not None and loss.code >= 4000
        key = "link.lost_still" if loss.why == "still" else "link.lost_code" if known else "link.lost_closed"
        self.tell(self.board.say(key, "warn", code=loss.code))

    def forgotten(self) -> None:
        """The server has forgotten the player."""
        self.profile.keep_token(self.connection.server.base, None)
        self.tell(self.board.say("link.forgotten", "warn"))

    def heard(self, message: Message) -> None:
        """Takes a message of the server."""
        self.outstanding.discard(message.get("id") or 0)
        match message["type"]:
            case "table":
                self._table(message)
            case "reply":
                self._acked[message["table"]] = max(message["version"], self._acked.get(message["table"], 0))
                self._go_on()
            case "error":
                self._refused(message)
            case "sheet":
                follower = self.followers.get(message["table"])
                self.tell(self.board.sheet(message, follower.view if follower else None))
                if self.until_over and self._over():
                    self.ended.set()
            case "lobby":
                self.tell(self.board.lobby(message))
            case "closed":
                self._closed(message)
            case "notice" if message["notice"] in _NOTICES:
                self._noticed(message)
        self.changed.set()

    def _table(self, message: Message) -> None:
        table = message["table"]
        follower = self.followers.setdefault(table, Follower())
        step = follower.take(message)
        if step is Step.OLD:
            return
        view, before = follower.view, follower.before
        assert view is not None
        for happening in message["happened"]:
            if happening["event"] == "deal_scored":
                self.scored[table] = happening
        if step is Step.GAP:
            self.outstanding.discard(self.ask("sync", {"table": table}, quiet=True).id)
        if table != self.focus:
            self._elsewhere(view, before)
            return
        if step is Step.NEXT:
            self.tell(self.board.happenings(view, before))
        else:
            self._anew(view, before, step, follower)
        self._go_on()
        if self._over() and (before is None or before.stage != "over"):
            self.ask("sheet", {"table": table}, quiet=True)

    def _anew(self, view: View, before: View | None, step: Step, follower: Follower) -> None:
        if step is Step.GAP or follower.changed_while_away:
            self.tell(self.board.say("link.gap" if step is Step.GAP else "link.changed", "dim"))
        if before is None or before.version != view.version:
            self.show_table(view)
        self._announced = None

    def _elsewhere(self, view: View, before: View | None) -> None:
        wanted = need_of(view) in (Need.ANSWER, Need.ASK, Need.CARD)
        had = before is not None and need_of(before) in (Need.ANSWER, Need.ASK, Need.CARD)
        if self.focus is not None and wanted and not had:
            names = ", ".join(name for name in view.names if name)
            self.tell(self.board.say("said.elsewhere", "dim", names=names))

    def _refused(self, error: Message) -> None:
        number = error.get("id") or 0
        if number in self._quiet:
            self._quiet.discard(number)
            return
        self.tell(self.board.error(error))
        if error["code"] == "stale":
            self.announce_again()

    def _noticed(self, notice: Message) -> None:
        table = notice.get("table")
        if notice["notice"] == "rolled_back" and table is not None:
            self._acked.pop(table, None)
        if table in (None, self.focus):
            self.tell(self.board.say(f"link.{notice['notice']}", "dim"))

    def _closed(self, message: Message) -> None:
        table = message["table"]
        self.followers.pop(table, None)
        self.memberships = [one for one in self.memberships if one["table"] != table]
        if table == self.focus:
            self.tell(self.board.say(f"link.closed_{message['reason']}"))
            self.focus = None
            if not self.followers:
                self.ended.set()
            else:
                self.look_at(next(iter(self.followers)))

    # ---- what follows from it

    def _go_on(self) -> None:
        """Does what is automatic, else says what is asked of the player."""
        drawn, self._drawn = self._drawn, False
        view = self.view
        if view is None or self._version(view.table) < self._acked.get(view.table, 0):
            return
        if action := self.automatic.action(view):
            wish = (view.table, view.version, view.prompt, action)
            if wish != self._automated and (self._acting is None or self._acting.answer.done()):
                self._automated = wish
                self.act(action)
            return
        need, dealt = need_of(view), any(happening["event"] == "dealt" for happening in view.message["happened"])
        calls = (view.table, view.play and view.play["deal"], self.board.calls(view))
        question = calls if need is Need.CALL else (view.table, need, tuple(view.actions), view.prompt)
        if question not in (self._announced, self._called):
            self._announced, self._called = question, calls
            self.tell(self.board.invite(view, self.seconds(), with_hand=dealt, drawn=drawn))

    def _over(self) -> bool:
        return self.view is not None and self.view.stage == "over"

    def _version(self, table: str) -> int:
        follower = self.followers.get(table)
        return follower.view.version if follower and follower.view else -1
