"""Does what is typed at a patience: moves, deals, hints, the solver; what belongs to every table goes back."""

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta

from client_cli import meanings
from client_cli.meanings import Do, Show
from client_cli.patience.layout import Layout, is_patience
from client_cli.patience.meanings import Again, Ask, GiveUp, Meaning, Moves, NewDeal, Onward, Which, Yes
from client_cli.patience.reader import Reader
from client_cli.session import Session
from client_cli.view import Message, View

Then = Callable[[], Awaitable[None]]


class Player:
    """`obey` gives back a meaning that is not about the game, for the keyboard to do.

    What costs something is asked about first: the next line either agrees, or counts as if nothing had been asked.
    """

    def __init__(self, session: Session, act: Callable[[str], Awaitable[None]], limit: float | None) -> None:
        """`act` does an action and waits for its answer, at most `limit` seconds."""
        self._session = session
        self._board = session.board.patience
        self._reader = Reader(session.board.texts)
        self._act = act
        self._limit = limit
        self._agreed: Then | None = None
        self._choices: tuple[str, ...] = ()
        self._warned: tuple[str, str] | None = None

    async def obey(self, typed: str, view: View) -> meanings.Meaning | None:
        """Does what a line means; what is not about the game is given back."""
        agreed, self._agreed = self._agreed, None
        choices, self._choices = self._choices, ()
        bare = typed.strip()
        if bare.isdecimal() and len(bare) < 3 and 0 < int(bare) <= len(choices):
            await self._act(choices[int(bare) - 1])
            return None
        meaning = self._reader.read(typed, Layout(view))
        if isinstance(meaning, Yes):
            if agreed is not None:
                await agreed()
            elif bare.casefold() == "t":  # Polish for yes, but here the table
                return Show("table")
            else:
                self._say("patience.nothing_asked")
            return None
        return await self._do(meaning, view)

    async def _do(self, meaning: Meaning, view: View) -> meanings.Meaning | None:
        layout = Layout(view)
        match meaning:
            case Which(actions):
                self._choices = actions
                self._session.tell(self._session.board.line(self._board.guide.choice(actions, layout), "turn"))
            case Do(action):
                await self._act(action)
            case Onward(action):
                await self._onward(action, view)
            case NewDeal(words):
                await self._after_this(layout, lambda: self._act(f"ready {words}".strip()))
            case Again():
                await self._again(layout)
            case GiveUp():
                if layout.running:
                    await self._after_this(layout, None)
                else:
                    self._say("patience.no_deal")
            case Moves():
                self._session.tell(self._board.moves(view))
            case Ask():
                await self._ask(meaning, view, layout)
            case Yes():
                pass
            case _:
                return meaning
        return None

    async def _after_this(self, layout: Layout, then: Then | None) -> None:
        """Gives the running deal up, once the player has agreed to that, and then goes on."""
        if not layout.running:
            if then is not None:
                await then()
            return

        async def go_on() -> None:
            await self._act("give_up")
            view = self._session.view
            if then is not None and view is not None and is_patience(view) and not Layout(view).running:
                await then()

        self._confirm("patience.sure_give_up", go_on)

    async def _onward(self, action: str, view: View) -> None:
        """The first Enter after a deal only says what can be done; the second one goes on."""
        ended = (view.table, view.prompt)
        if self._warned == ended:
            self._warned = None
            await self._act(action)
        else:
            self._warned = ended
            self._session.tell(self._board.once_more(action))

    async def _again(self, layout: Layout) -> None:
        if not layout.running:
            await self._act("ready again" if layout.deal else "ready")
        elif "restart" not in layout.actions:
            self._say("patience.at_start")
        else:

            async def restart() -> None:
                await self._act("restart")

            self._confirm("patience.sure_restart", restart)

    def _confirm(self, key: str, then: Then) -> None:
        self._agreed = then
        self._session.tell(self._session.board.say(key, "turn"))

    async def _ask(self, wanted: Ask, view: View, layout: Layout) -> None:
        board, table = self._board, {"table": view.table}
        match wanted.what:
            case "hint" | "line":
                fields: Message = {**table, "follow_solver": True} if wanted.what == "line" else dict(table)
                await self._send("hint", fields, self._hint)
            case "solve":
                await self._solve(layout)
            case "winnable" if layout.game == "archway":
                self._say("error.not_winnable")
            case "daily" if layout.varied:
                self._say("error.no_daily")
            case "winnable" | "daily" as what:
                await self._after_this(layout, lambda: self._deal(what))
            case "results" | "all_results" as what:
                game = layout.game if what == "results" else None
                await self._send("results", {"game": game}, lambda one: self._session.tell(board.answers.results(one)))
            case "ranking" | "yesterday":
                await self._ranking(wanted, layout)

    async def _ranking(self, wanted: Ask, layout: Layout) -> None:
        day = wanted.day
        if wanted.what == "yesterday":
            day = day_before(self._session.now)
        answers = self._board.answers
        fields: Message = {"game": layout.game, "day": day}
        await self._send("ranking", fields, lambda one: self._session.tell(answers.ranking(one)))

    def _hint(self, answer: Message) -> None:
        """Shows a hint; *yes* plays it."""
        view, action = self._session.view, answer["move"]
        if view is None or not is_patience(view):
            return
        self._session.tell(self._board.answers.hint(answer, view))
        if action is None:
            return

        async def play() -> None:
            await self._act(str(action))

        self._agreed = play

    async def _deal(self, kind: str) -> None:
        """A deal that the server chooses: one that can be won, or that of the day."""
        view = self._session.view
        if view is not None:
            if kind == "winnable":
                self._say("patience.wait")
            asked = self._session.ask(kind, {"table": view.table, "prompt": view.prompt})
            await self._session.settle(asked, self._limit)

    async def _solve(self, layout: Layout) -> None:
        if not layout.running:
            self._say("patience.no_deal")
        elif layout.table["helped"] or layout.table["known"]:
            await self._ask_solver()
        else:
            self._confirm("patience.sure_solve", self._ask_solver)

    async def _ask_solver(self) -> None:
        """Marks the deal as helped, as the solver sees all cards, and asks."""
        view = self._session.view
        if view is None:
            return
        if not Layout(view).table.get("helped"):
            await self._act("ask_solver")
        self._say("patience.wait")
        answers = self._board.answers
        await self._send("solve", {"table": view.table}, lambda one: self._session.tell(answers.verdict(one)))

    async def _send(self, kind: str, fields: Message, then: Callable[[Message], None]) -> None:
        self._session.ask(kind, fields, then=then)
        await self._session.rest(self._limit)

    def _say(self, key: str) -> None:
        self._session.tell(self._session.board.say(key))


def day_before(now: int) -> str:
    """Yesterday in the server's time (UTC), as `YYYY-MM-DD`; `now` in ms since 1970."""
    return (datetime.fromtimestamp(now / 1000, UTC) - timedelta(days=1)).date().isoformat()
