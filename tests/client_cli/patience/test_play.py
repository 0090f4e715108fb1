"""Whole visits at a patience, against the pure rules behind a real websocket: what is sent, and what is read."""

import re
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

from client_cli.opening import Opening
from client_cli.style import Line, Look, plain
from server.games.game import RuleViolation
from tests.client_cli.fake import FakeServer, Peer
from tests.client_cli.patience.deals import Deals
from tests.client_cli.visits import HERE, Script, visited

CARPET = Opening("patience", game="carpet")
CARD = re.compile(r"((?:10|[A2-9JQK])[♣♠♥♦]) \(")


class Table:
    """Plays a patience with one client; `others` answers what is no act."""

    def __init__(self, deals: Deals, others: Callable[[Any], dict[str, Any]] | None = None) -> None:
        self.deals = deals
        self.acts: list[str] = []
        self._others = others

    async def __call__(self, peer: Peer) -> None:
        await peer.greet()
        created = await peer.hear_command("create")
        assert created.game == self.deals.game.name
        await peer.say(self.deals.message | {"from": self.deals.version, "resync": True, "happened": []})
        await peer.reply(created, version=self.deals.version, code="ABCDEFGHJKMN")
        await self.serve(peer)

    async def serve(self, peer: Peer) -> None:
        """Answers act after act until the client goes."""
        while True:
            said = await peer.hear()
            if said.type != "act":
                assert self._others is not None, said
                await peer.say(self._others(said) | {"id": said.id})
                continue
            self.acts.append(said.action)
            before = self.deals.version
            try:
                self.deals.act(said.action)
            except RuleViolation as refused:
                await peer.refuse(said, str(refused.code))
                continue
            await peer.say(self.deals.message | {"from": before})
            await peer.reply(said, version=self.deals.version)


class Follower:
    """A console whose player reads `?` and types what it offers: cards first, then gaps, then draws."""

    look = Look()
    interactive = False

    def __init__(self) -> None:
        self.printed: list[str] = []
        self.lines = 0

    def attach(self, suggestions: Any, toolbar: Any) -> None:
        """Both must work at any time."""
        self._suggestions, self._toolbar = suggestions, toolbar

    def show(self, lines: list[Line]) -> None:
        """Keeps what is printed."""
        self.printed += [plain(line) for line in lines]

    async def typed(self) -> AsyncIterator[str]:
        """Help, and what follows from it, until the deal is won or nothing leads on."""
        while True:
            self._suggestions()
            self._toolbar()
            seen = len(self.printed)
            yield "?"
            said = self._next(self.printed[seen:])
            if said is None:
                return
            self.lines += 1
            yield said

    @staticmethod
    def _next(told: list[str]) -> str | None:
        for line in told:
            if line.startswith("Can go out: "):
                found = CARD.search(line)
                assert found is not None
                return found[1]
            if line.startswith("Other moves, as typed: "):
                return line.removeprefix("Other moves, as typed: ").split(", ")[0]
            if line.startswith("d or Enter: "):
                return ""
        return None


@pytest.mark.parametrize("number", [1, 5, 12, 17])
async def test_carpet_is_played_to_its_end_by_the_help_on_the_screen(tmp_path: Path, number: int) -> None:
    """Nothing that it offers is refused; the end is told at once, whether won or stuck."""
    console, table = Follower(), Table(Deals("carpet", number=str(number)))
    async with FakeServer(table) as fake:
        assert await visited(fake.server, CARPET, console, tmp_path) == 0  # type: ignore[arg-type]
    play = table.deals.view.play
    assert play is not None
    assert table.acts[0] == "ready"
    assert len(table.acts) == console.lines + 1
    assert play["table"]["won"] or play["table"]["stuck"]
    last = "Won! All 52 cards are out." if play["table"]["won"] else "Nothing leads on: you are stuck."
    assert last in console.printed
    assert "It does not fit there now." not in console.printed


async def test_one_of_these_deals_is_won(tmp_path: Path) -> None:
    """So that the end of a won deal is seen too: by the first of twenty numbers whose help leads there."""
    for number in range(1, 21):
        console, table = Follower(), Table(Deals("carpet", number=str(number)))
        async with FakeServer(table) as fake:
            await visited(fake.server, CARPET, console, tmp_path / str(number))  # type: ignore[arg-type]
        if "Won! All 52 cards are out." in console.printed:
            end = console.printed.index("Won! All 52 cards are out.")
            assert console.printed[end + 2 : end + 4] == [
                "A known deal: it does not count in your results.",
                f"Its number was {number}.",
            ]
            return
    raise AssertionError("none was won")


async def test_a_hint_is_told_with_its_reason_and_can_be_played(tmp_path: Path) -> None:
    """*Yes* does what was hinted at; the line after another one does not."""

    def answer(asked: Any) -> dict[str, Any]:
        assert (asked.type, asked.follow_solver) == ("hint", False)
        hint = {"move": "move carpet2 foundation", "reason": "hint.safe", "about": None}
        return {"type": "hint", "table": "t1", **hint}

    told = "Hint: 2♦ from carpet a2 to a foundation: it can never hurt. y plays it."
    table = Table(Deals("carpet", number="1"), answer)
    console = Script(("Enter draws", "h"), (told, "y"), ("2♦ goes out", "y"))
    async with FakeServer(table) as fake:
        assert await visited(fake.server, CARPET, console, tmp_path) == 0
    assert table.acts == ["ready", "move carpet2 foundation"]
    assert "Nothing was asked." in console.printed


async def test_the_solver_is_asked_after_a_warning_only(tmp_path: Path) -> None:
    """The deal is marked first; its progress and its verdict are told."""

    def answer(asked: Any) -> dict[str, Any]:
        assert asked.type == "solve"
        return {"type": "verdict", "table": "t1", "verdict": "winnable", "positions": 12, "millis": 3000}

    table = Table(Deals("carpet"), answer)
    warning = "The solver sees all cards; its verdict is a spoiler"
    console = Script(("Enter draws", "solve"), (warning, "t"), ("Carpet", "solve"), (warning, "y"))
    async with FakeServer(table) as fake:
        assert await visited(fake.server, CARPET, console, tmp_path) == 0
    assert table.acts == ["ready", "ask_solver"]
    assert console.printed[-2].startswith("It can be won from here (12 positions, 0:03).")


async def test_giving_up_is_asked_about_and_another_number_is_dealt(tmp_path: Path) -> None:
    """A running deal is given up before the next one; nothing is lost by a slip."""
    table = Table(Deals("carpet"))
    console = Script(
        ("Enter draws", "number 7"), ("Give this deal up?", "n"), ("I do not understand", "number 7"),
        ("Give this deal up?", "y"), ("number 7", "again"), ("at the beginning", "d"), ("You draw", "again"),
        ("Begin this deal anew?", "y"),
    )  # fmt: skip
    async with FakeServer(table) as fake:
        assert await visited(fake.server, CARPET, console, tmp_path) == 0
    assert table.acts == ["ready", "give_up", "ready number 7", "draw", "restart"]


async def test_an_enter_meant_for_drawing_deals_no_new_one(tmp_path: Path) -> None:
    """After the end of a deal the first Enter only says what can be done, the second one deals; each time anew."""
    table = Table(Deals("carpet"))
    once_more = "Enter once more, or new: another deal."
    console = Script(
        ("Enter draws", "give up"), ("Give this deal up?", "y"), ("new deals another one", "d"),
        (once_more, "hm"), ("I do not understand", ""), ("Deal 2.", "give up"), ("Give this deal up?", "y"),
        ("new deals another one", ""), (once_more, "again"), ("number ", ""), ("You draw", ""),
    )  # fmt: skip
    async with FakeServer(table) as fake:
        assert await visited(fake.server, CARPET, console, tmp_path) == 0
    assert table.acts == ["ready", "give_up", "ready", "give_up", "ready again", "draw", "draw"]
    assert sum(line.startswith(once_more) for line in console.printed) == 2


async def test_what_the_rules_forbid_is_told_with_the_reason(tmp_path: Path) -> None:
    """The server says the rule, the client its words."""
    table = Table(Deals("carpet", number="1"))
    console = Script(("Enter draws", "b1"), ("It does not fit", "b1 c1"), ("Carpet cards do not move", "redo"))
    async with FakeServer(table) as fake:
        assert await visited(fake.server, CARPET, console, tmp_path) == 0
    assert "Nothing was taken back." in console.printed


async def test_results_and_ranking_are_shown(tmp_path: Path) -> None:
    """Of this game; a day that is over with its number."""
    group = {
        "game": "zopf", "variants": ["fill_corners", "long_braid"], "played": 4, "won": 1, "streak": 0,
        "best_streak": 1, "best_millis": 754000, "undos": 9, "known_played": 2, "known_won": 1,
    }  # fmt: skip
    line = {"place": 1, "name": "Ola", "player": "p0", "won": True, "moves": 80, "millis": 61000}
    ranking = {"type": "ranking", "day": "2025-12-31", "game": "carpet", "number": "17", "secret": "ab" * 32}

    def answer(asked: Any) -> dict[str, Any]:
        if asked.type == "results":
            assert asked.game == "carpet"
            return {"type": "results", "groups": [group]}
        assert (asked.game, asked.day) == ("carpet", "2025-12-31")
        return ranking | {"lines": [line]}

    console = Script(("Enter draws", "results"), ("do not count", "ranking 2025-12-31"))
    async with FakeServer(Table(Deals("carpet"), answer)) as fake:
        assert await visited(fake.server, CARPET, console, tmp_path) == 0
    assert (
        "Braid (corners by hand, long braid): won 1 of 4 (25 %), in a row 0, at best 1; best time 12:34; taken back 9."
        in (console.printed)
    )
    assert "1: Ola won, time 1:01, moves 80." in console.printed
    assert f"Its number was 17, from the secret {'ab' * 32}." in console.printed


async def test_a_running_deal_is_gone_back_to(tmp_path: Path) -> None:
    """`kop carpet` opens no second table while one is there."""
    table = Table(Deals("carpet", number="1").dealt())

    async def script(peer: Peer) -> None:
        await peer.greet(tables=HERE)
        await peer.say(table.deals.message | {"from": table.deals.version, "resync": True, "happened": []})
        await table.serve(peer)

    console = Script(("Enter draws", "a2"), ("2♦ goes out", "moves"))
    async with FakeServer(script) as fake:
        assert await visited(fake.server, CARPET, console, tmp_path) == 0
    assert "You are back at your deal." in console.printed
    assert table.acts == ["move carpet2 foundation"]


async def test_progress_of_the_solver_is_no_answer(tmp_path: Path) -> None:
    """The verdict that follows is."""
    deals = Deals("carpet", number="1").dealt()

    async def script(peer: Peer) -> None:
        await peer.greet(tables=HERE)
        await peer.say(deals.message | {"from": deals.version, "resync": True, "happened": []})
        act = await peer.hear_command("act")
        deals.act(act.action)
        await peer.say(deals.message | {"from": deals.version - 1})
        await peer.reply(act, version=deals.version)
        asked = await peer.hear_command("solve")
        await peer.say(type="progress", id=asked.id, table="t1", positions=5, millis=1000)
        await peer.say(type="verdict", id=asked.id, table="t1", verdict="unwinnable", positions=9, millis=2000)
        await peer.stay()

    console = Script(("Enter draws", "solve"))
    async with FakeServer(script) as fake:
        assert await visited(fake.server, CARPET, console, tmp_path) == 0
    assert "Still searching: 5 positions, 0:01." in console.printed
    assert "It cannot be won from here (9 positions, 0:02). u takes back." in console.printed
