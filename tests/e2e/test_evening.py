"""An evening of several matches with people who come and go, over real sockets: the sheet agrees with what all saw."""

from collections import Counter
from decimal import Decimal
from typing import Any

import pytest

from protocol.codec import Encoding
from tests.e2e.company import told
from tests.e2e.conftest import StartServer
from tests.e2e.script import close
from tests.e2e.test_records import fetched, kept
from tests.servers import ServerProcess
from tests.wire import Message, RefusedError, Wire, four_at_table, step

OPTIONS: dict[str, Any] = {"deals": 4, "answer_seconds": None, "stake": "0.05", "currency": "zł", "on_absence": "wait"}


async def match_played(players: list[Wire], table: str) -> None:
    """Quiet play until the match is over."""
    while players[0].views[table]["public"]["stage"] != "over":
        assert await step(players, table) is not None


async def another(players: list[Wire], table: str) -> None:
    """All want one more match."""
    number = players[0].views[table]["public"]["match"]
    for player in players:
        await player.view(table)
        await player.act(table, "rematch")
    for player in players:
        await player.view(table, lambda view: bool(view["public"]["match"] == number + 1))


class Book:
    """A player's own sums from what was told at the table: whoever sat in a seat when a deal was scored."""

    def __init__(self) -> None:
        self.points: Counter[str] = Counter()
        self.money: Counter[str] = Counter()
        self.deals: Counter[str] = Counter()
        self.won: Counter[str] = Counter()
        self.read = 0

    def note(self, witness: Wire, table: str, sitters: list[Wire]) -> None:
        """Notes the deals that were scored since the last call, with these in the seats."""
        scored = told(witness, table, "deal_scored")
        for one in scored[self.read :]:
            line = one["line"]
            for seat, wire in enumerate(sitters):
                self.points[wire.player] += line["points"][seat]
                self.money[wire.player] += line["money"][seat]
                self.deals[wire.player] += 1
                self.won[wire.player] += (seat in line["old"]) == (line["won"] == "old")
        self.read = len(scored)

    def check(self, evening: Message) -> None:
        """The sheet of the evening says the same, person by person; and its debts settle it."""
        people = {one["player"]: one for one in evening["people"]}
        assert set(people) == set(self.deals)
        for player, one in people.items():
            assert one["points"] == self.points[player]
            assert one["deals"] == self.deals[player]
            assert Decimal(one["money"]) == self.money[player] * Decimal("0.05")
            assert one["old_won"] + one["young_won"] + one["alone_won"] == self.won[player]
        owed = {one["name"]: Decimal(one["money"]) for one in evening["people"]}
        assert sum(owed.values()) == 0
        for debt in evening["debts"]:
            owed[debt["debtor"]] += Decimal(debt["amount"])
            owed[debt["creditor"]] -= Decimal(debt["amount"])
        assert set(owed.values()) == {Decimal(0)}
        assert len(evening["debts"]) < len(people)


def content(evening: Message) -> Message:
    """An evening without the id of the question."""
    return {name: value for name, value in evening.items() if name != "id"}


async def test_an_evening_of_three_matches_with_changing_people(start_server: StartServer) -> None:
    """One leaves after the first match, another takes his seat, he comes back in a third's: money goes with people.

    Seats, watchers, and everybody after a kill are told the same.
    """
    server = start_server()
    players, table = await four_at_table(server.url, tuple(Encoding), options=OPTIONS)
    code, book = players[0].views[table]["own"]["code"], Book()
    witness, late = Wire(server.url, "Watcher"), Wire(server.url, "Late")
    for wire in (witness, late):
        await wire.open()
    await witness.ask("join", code=code, watch=True)
    await witness.view(table)
    assert (await witness.ask("evening", table=table))["matches"] == []
    await match_played(players, table)
    version = players[0].views[table]["version"]
    await witness.at_version(table, version)
    book.note(witness, table, players)
    book.check(await players[1].ask("evening", table=table))
    for number, seat in ((2, 3), (3, 1)):
        leaver = players[seat]
        await leaver.ask("leave", table=table)
        comer, late = late, leaver
        await comer.ask("join", code=code, seat=seat)
        players[seat] = comer
        await another(players, table)
        await match_played(players, table)
        await witness.at_version(table, players[0].views[table]["version"])
        book.note(witness, table, players)
        evening = await players[0].ask("evening", table=table)
        book.check(evening)
        assert [one["first"] for one in evening["matches"]] == list(range(1, number + 1))
        assert [one["deals"] for one in evening["matches"]] == [4] * number
    answers = [content(await wire.ask("evening", table=table)) for wire in (*players, witness)]
    assert all(answer == answers[0] for answer in answers)
    back = next(one for one in answers[0]["people"] if one["player"] == players[1].player)
    assert back["seats"] == [1, 3]
    server.kill()
    server.start()
    for wire in (*players, witness):
        await wire.reopen()
        await wire.view(table)
        assert content(await wire.ask("evening", table=table)) == answers[0]
    await late.reopen()
    assert (await late.refused("evening", table=table))["code"] == "not_at_table"
    await close(*players, witness, late)


async def test_a_match_that_is_running_counts_with_its_scored_deals(server_url: str) -> None:
    """In the second deal the evening has the first; the sheet of the match owes the same."""
    players, table = await four_at_table(server_url, options=OPTIONS)
    assert (await players[0].ask("evening", table=table))["people"] == []
    while not told(players[0], table, "deal_scored"):
        assert await step(players, table) is not None
    evening = await players[2].ask("evening", table=table)
    assert [(one["first"], one["last"], one["deals"]) for one in evening["matches"]] == [(1, 1, 1)]
    sheet = await players[2].ask("sheet", table=table)
    assert evening["debts"] == sheet["debts"]
    assert sum(Decimal(debt["amount"]) for debt in sheet["debts"]) == sum(
        Decimal(money) for money in sheet["ledger"]["money"] if Decimal(money) > 0
    )
    await close(*players)


async def test_an_explanation_is_private_and_of_finished_deals_only(server: ServerProcess) -> None:
    """Who did not sit there is refused, unless by a code; a running deal and one that never was are no records."""
    players, table = await four_at_table(server.url, options=OPTIONS)
    while not told(players[0], table, "deal_scored"):
        assert await step(players, table) is not None
    name = f"{table}-1-1"
    await kept(players[0], name)
    for player in players:
        await player.act(table, "ready")
    async with Wire(server.url, "Stranger") as stranger:
        assert (await stranger.refused("explain", record=name))["code"] == "not_your_record"
        assert (await stranger.refused("explain", code="000000000000"))["code"] == "no_such_record"
        assert (await stranger.refused("explain"))["code"] == "no_such_record"
    for record in (f"{table}-1-2", f"{table}-9-9", table):
        assert (await players[0].refused("explain", record=record))["code"] == "no_such_record"
    await close(*players)


async def test_an_explanation_names_what_each_card_was_worth(server: ServerProcess) -> None:
    """For who sat there, and by a shared code: all hands, and each decision of the record with its loss."""
    players, table = await four_at_table(server.url, options=OPTIONS)
    while not told(players[0], table, "deal_scored"):
        assert await step(players, table) is not None
    name = f"{table}-1-1"
    await kept(players[0], name)
    record = await fetched(players[0], record=name)
    mine = await players[0].ask("explain", record=name)
    code = (await players[1].ask("share", record=name))["code"]
    async with Wire(server.url, "Stranger", Encoding.JSON) as stranger:
        theirs = await stranger.ask("explain", code=code)
    assert theirs["explanation"] == mine["explanation"]
    assert mine["record"] == name
    explanation = mine["explanation"]
    deck, dealer = record["deck"], record["dealer"]
    assert explanation["hands"] == [deck[(seat - dealer - 1) % 4 :: 4] for seat in range(4)]
    assert explanation["old"] == record["line"]["old"]
    assert explanation["decisions"]
    await close(*players)


async def test_one_explanation_at_a_time(server: ServerProcess) -> None:
    """A second question while the first is worked on is `already_thinking`; the first is answered all the same."""
    players, table = await four_at_table(server.url, options=OPTIONS)
    while not told(players[0], table, "deal_scored"):
        assert await step(players, table) is not None
    name = f"{table}-1-1"
    await kept(players[0], name)
    other = Wire(server.url, "")
    other.token = players[0].token
    await other.open()
    wires = (players[0], other)
    since = [len(wire.heard) for wire in wires]
    ids = [wire.next_id() for wire in wires]
    for wire, command_id in zip(wires, ids, strict=True):
        await wire.send({"type": "explain", "id": command_id, "record": name})
    answers = [await wire.answer_to(*asked) for wire, *asked in zip(wires, ids, since, strict=True)]
    kinds = sorted(str(answer.get("code", answer["type"])) for answer in answers)
    assert kinds in (["already_thinking", "explanation"], ["explanation", "explanation"])
    await close(other, *players)


async def test_the_evening_of_no_table(server_url: str) -> None:
    """`evening` at a table that one is not at, or that there is not, is refused."""
    async with Wire(server_url, "Ada") as ada:
        for table in ("none", "t"):
            with pytest.raises(RefusedError, match="not_at_table"):
                await ada.ask("evening", table=table)
