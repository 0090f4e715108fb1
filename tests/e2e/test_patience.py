"""Patiences over the wire, with real processes: played by hints, killed, watched, resumed, solved, recorded."""

import asyncio
import itertools
import json
import re
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest

from protocol.codec import Encoding
from server.games.patience.cards import PACK
from server.games.patience.events import Dealt
from server.games.patience.match import Match
from server.games.patience.options import terms
from server.games.patience.record import replay
from server.games.patience.solver.solve import solve_deal
from server.table import codec
from server.table.events import Paused
from tests.e2e.company import device
from tests.e2e.conftest import BRISK, StartServer
from tests.e2e.test_records import fetched, kept
from tests.e2e.test_scenarios_tables import until
from tests.servers import ServerProcess
from tests.wire import Message, Wire

HARD_FOR_THE_SOLVER = "14"
"""A deal of Zopf on which the solver says nothing in the first second."""
SOLVED = 90.0
"""Seconds in which the solver answers, though its process must start, and compile it."""


@pytest.fixture(params=list(Encoding), ids=["msgpack", "json"])
async def player(server_url: str, request: pytest.FixtureRequest) -> AsyncIterator[Wire]:
    """A player with no table yet."""
    async with Wire(server_url, "Ada", request.param) as wire:
        yield wire


async def opened(player: Wire, game: str = "carpet", word: str = "ready", **options: Any) -> str:
    """A new table of the player's, on which a deal is running; its id."""
    table: str = (await player.ask("create", game=game, options=options))["table"]
    await player.view(table)
    await done(player, table, word)
    return table


async def done(player: Wire, table: str, action: str) -> Message:
    """What the player sees after an action."""
    reply = await player.act(table, action)
    return await player.at_version(table, reply["version"])


def shown(view: Message) -> dict[str, Any]:
    """The deal as a view shows it."""
    found: dict[str, Any] = view["public"]["play"]["table"]
    return found


async def slow_answer(player: Wire, type: str, **fields: Any) -> Message:
    """The last answer to what the solver is asked; news of its progress come before."""
    command_id, since = player.next_id(), len(player.heard)
    await player.send({"type": type, "id": command_id, **fields})
    async with asyncio.timeout(SOLVED):
        while True:
            try:
                return await player.wait(
                    lambda message: message.get("id") == command_id and message["type"] != "progress", since
                )
            except TimeoutError:
                if asyncio.current_task().cancelling():  # type: ignore[union-attr]
                    raise


async def by_hints(player: Wire, table: str) -> Iterator[str]:
    """Plays the running deal by hints, until nothing leads further; the actions."""
    actions: list[str] = []
    while player.views[table]["public"]["stage"] == "deal":
        hint = await player.ask("hint", table=table)
        if hint["move"] is None:
            view = player.views[table]
            assert shown(view)["stuck"] or view["public"]["game"] == "burgvoegtin"  # its arch alone leads nowhere
            break
        assert hint["move"] in player.views[table]["own"]["actions"]
        assert hint["reason"].startswith("hint.")
        actions.append(hint["move"])
        await done(player, table, hint["move"])
    return iter(actions)


# --- play ------------------------------------------------------------------------------------------------------------


async def test_a_carpet_by_hints_to_its_end(player: Wire) -> None:
    """Deal 2 is won by hints: the line stands on the sheet, the record replays, and the next deal is on offer."""
    table = await opened(player, word="ready number 2")
    actions = list(await by_hints(player, table))
    view = player.views[table]
    assert view["public"]["stage"] == "between"
    last = view["public"]["play"]["last"]
    assert (last["won"], last["out"], last["moves"], last["number"], last["known"]) == (
        True,
        52,
        len(actions),
        "2",
        True,
    )
    sheet = await player.ask("sheet", table=table)
    assert sheet["lines"] == [{"names": ["Ada"], "bots": [False], "line": last}]
    assert sheet["ledger"] == {"finished": 1, "won": 1, "counted": 0, "counted_won": 0}
    assert "ready again" in view["own"]["actions"]
    [listed] = await kept(player, f"{table}-1-1")
    assert (listed["game"], listed["seats"]) == ("carpet", ["Ada"])
    record = await fetched(player, record=f"{table}-1-1")
    assert [one.move for one in replay(record)][1:] == actions == record["moves"]
    assert (await player.refused("explain", record=f"{table}-1-1"))["code"] == "no_hint"


@pytest.mark.parametrize("game", ["zopf", "burgvoegtin", "archway"])
async def test_the_others_by_hints(server_url: str, game: str) -> None:
    """Until the deal is won or stuck; undo and redo lead back and forth; given up, the record replays."""
    async with Wire(server_url, "Ada") as player:
        table = await opened(player, game)
        actions = list(await by_hints(player, table))
        assert len(actions) > 3
        if player.views[table]["public"]["stage"] == "deal":
            end = shown(player.views[table])
            back = [shown(await done(player, table, "undo"))["piles"] for _ in range(3)]
            assert back[0] != end["piles"]
            for _ in range(3):
                view = await done(player, table, "redo")
            assert shown(view)["piles"] == end["piles"]
            await done(player, table, "give_up")
        await kept(player, f"{table}-1-1")
        assert replay(await fetched(player, record=f"{table}-1-1"))


async def test_restart_again_and_number(player: Wire) -> None:
    """The same cards once more; a restarted deal has its record too."""
    table = await opened(player)
    first = shown(player.views[table])
    assert first["number"] is None
    await done(player, table, "draw")
    again = shown(await done(player, table, "restart"))
    assert (again["piles"], again["known"]) == (first["piles"], True)
    await done(player, table, "give_up")
    more = shown(await done(player, table, "ready again"))
    assert (more["piles"], more["number"]) == (first["piles"], again["number"])
    names = [f"{table}-1-1", f"{table}-1-2"]
    await kept(player, *names)
    assert [(await fetched(player, record=name))["moves"] for name in names] == [["draw"], []]


# --- nothing is lost -------------------------------------------------------------------------------------------------


async def test_a_kill_after_every_few_entries_loses_nothing(own_server: ServerProcess) -> None:
    """A kill -9, restart, come back: the same view; the last command again: the same reply."""
    script = ["ready", "draw", "draw", "undo", "redo", "undo", "draw", "ask_solver", "restart", "draw", "give_up"]
    async with Wire(own_server.url, "Ada") as player:
        table = (await player.ask("create", game="zopf"))["table"]
        await player.view(table)
        for number, action in enumerate(script):
            prompt, command_id = player.views[table]["own"]["prompt"], player.next_id()
            asked = {"table": table, "prompt": prompt, "action": action, "id": command_id}
            reply = await player.ask("act", **asked)
            before = await player.at_version(table, reply["version"])
            if number % 3 != 2:
                continue
            own_server.kill()
            own_server.start()
            await player.reopen()
            after = await player.at_version(table, reply["version"])
            assert (after["version"], after["public"], after["own"]) == (
                before["version"],
                before["public"],
                before["own"],
            )
            assert await player.ask("act", **asked) == reply
        assert len(own_server.entries(table, "zopf")) == len(script) + 1


async def test_resume_on_another_device_and_a_deserted_table(start_server: StartServer) -> None:
    """The table pauses when nobody is there, goes on with the first who comes, and that was no playing time."""
    server = start_server(BRISK)
    async with Wire(server.url, "Ada") as player:
        table = await opened(player)
        await done(player, table, "draw")
        began = shown(player.views[table])["started"]
        await player.drop()
        await until(lambda: isinstance(server.entries(table, "carpet")[-1].events[0], Paused))
        other = await device(server.url, player.token)
        view = await other.view(table, lambda view: view["public"]["pause"] is None)
        assert shown(view)["started"] > began
        assert view["public"]["absences"] == []
        assert shown(await done(other, table, "draw"))["moves"] == 2
        await other.close()


# --- who may know what -----------------------------------------------------------------------------------------------


def hidden_for_ever(server: ServerProcess, table: str, game: str) -> dict[int, tuple[set[str], str]]:
    """Per version of a running deal: the cards of which no copy has lain open yet, and its number while hidden.

    Built from the log alone: face down lie the stock, and of a packet all but its last card.
    """
    state, seen, found = None, Counter[str](), dict[int, tuple[set[str], str]]()
    for line in server.entries(table, game):
        if any(isinstance(event, Dealt) for event in line.events):
            seen = Counter()
        state = codec.settled(state, codec.evolved(state, line.events), line)
        match = state.play
        assert isinstance(match, Match)
        if match.in_play is None:
            continue
        position = match.in_play.position
        for pile, cards in zip(match.rules.piles, position.piles, strict=True):
            down = {"stock": len(cards), "packet": len(cards) - 1}.get(pile.kind, 0)
            seen.update(cards[max(0, down) :])
        number = "" if match.in_play.origin.known else match.in_play.origin.number
        found[line.version] = ({card for card in PACK if not seen[card]}, number)
    return found


@pytest.mark.parametrize("game", ["carpet", "burgvoegtin", "zopf"])
async def test_hidden_cards_and_numbers_never_leave_the_server(server: ServerProcess, game: str) -> None:
    """In no byte that the player or a watcher gets before the end, whatever they ask."""
    async with Wire(server.url, "Ada", Encoding.JSON) as player, Wire(server.url, "Bob", Encoding.JSON) as watcher:
        table = await opened(player, game)
        code = player.views[table]["own"]["code"]
        await watcher.ask("join", code=code, watch=True)
        for number in itertools.count():
            actions = player.views[table]["own"]["actions"]
            hint = await player.ask("hint", table=table)
            await player.refused("solve", table=table)
            await player.refused("hint", table=table, follow_solver=True)
            await player.refused("record", record=f"{table}-1-1")
            await player.ask("sheet", table=table)
            if hint["move"] is None or number == 40:
                break
            view = await done(player, table, "undo" if number % 5 == 4 and "undo" in actions else hint["move"])
            if view["public"]["stage"] != "deal":
                break
        await watcher.at_version(table, player.views[table]["version"])
        hidden = hidden_for_ever(server, table, game)
        assert any(cards for cards, _ in hidden.values())
        checked = 0
        for wire in (player, watcher):
            version = 0
            for raw in wire.raw:
                message = json.loads(raw)
                version = message.get("version") or version if message["type"] == "table" else version
                if version not in hidden:
                    continue
                cards, secret = hidden[version]
                assert secret.encode() not in raw
                named = set(re.findall(rb"(?<![A-Za-z0-9])([A2-9TJQK][CSHD])(?![A-Za-z0-9])", raw))
                assert not named & {card.encode() for card in cards}, message
                checked += 1
        assert checked > 20
        if player.views[table]["public"]["stage"] == "deal":
            last = (await done(player, table, "give_up"))["public"]["play"]["last"]
            assert last["number"] == next(secret for _, secret in hidden.values())


async def test_a_watcher_sees_what_the_player_sees(server_url: str) -> None:
    """By the code of the link; he cannot act, nor ask."""
    async with Wire(server_url, "Ada") as player, Wire(server_url, "Bob") as watcher:
        table = await opened(player)
        await watcher.ask("join", code=player.views[table]["own"]["code"], watch=True)
        version = (await done(player, table, "draw"))["version"]
        seen = await watcher.at_version(table, version)
        assert (seen["public"], seen["own"]) == (player.views[table]["public"], None)
        for type, fields in (("hint", {}), ("solve", {}), ("winnable", {"prompt": "x"})):
            assert (await watcher.refused(type, table=table, **fields))["code"] == "not_seated"


# --- the solver ------------------------------------------------------------------------------------------------------


async def test_the_verdict_on_a_marked_deal(player: Wire) -> None:
    """As the solver says it of the numbered deal; before the mark it is refused, after the deal too."""
    table = await opened(player, word="ready number 3")
    assert (await player.refused("solve", table=table))["code"] == "not_marked"
    assert (await player.refused("hint", table=table, follow_solver=True))["code"] == "not_marked"
    view = await done(player, table, "ask_solver")
    assert shown(view)["helped"]
    verdict = await slow_answer(player, "solve", table=table)
    assert verdict["verdict"] == solve_deal(terms("carpet", {}).rules, 3).verdict.value
    assert verdict["positions"] > 0
    await done(player, table, "give_up")
    assert (await player.refused("solve", table=table))["code"] == "no_deal_running"
    assert (await player.refused("hint", table=table))["code"] == "no_deal_running"


async def test_the_solvers_line_wins(server_url: str) -> None:
    """A deal of Burgvoegtin that can be won, played by the solver's hints."""
    rules = terms("burgvoegtin", {}).rules
    number = next(number for number in itertools.count(1) if solve_deal(rules, number).verdict.value == "winnable")
    async with Wire(server_url, "Ada") as player:
        table = await opened(player, "burgvoegtin", f"ready number {number}")
        await done(player, table, "ask_solver")
        while player.views[table]["public"]["stage"] == "deal":
            hint = await slow_answer(player, "hint", table=table, follow_solver=True)
            assert hint["reason"] == "hint.solver_line"
            await done(player, table, hint["move"])
        last = player.views[table]["public"]["play"]["last"]
        assert (last["won"], last["helped"], last["counts"]) == (True, True, False)


async def test_nothing_waits_for_the_solver(server_url: str) -> None:
    """While it thinks the player plays on; he may ask one thing at a time; he hears how it goes."""
    async with Wire(server_url, "Ada") as player:
        table = await opened(player, "zopf", f"ready number {HARD_FOR_THE_SOLVER}")
        await done(player, table, "ask_solver")
        command_id, since = player.next_id(), len(player.heard)
        await player.send({"type": "solve", "id": command_id, "table": table})
        busy = await player.refused("hint", table=table, follow_solver=True)
        assert busy["code"] == "already_thinking"
        await done(player, table, "draw")
        assert (await player.ask("hint", table=table))["type"] == "hint"
        progress = await player.wait(lambda one: one.get("id") == command_id, since)
        assert (progress["type"], progress["table"]) == ("progress", table)
        assert progress["positions"] > 0
        assert progress["millis"] >= 1000
        await player.reopen()
        await player.view(table)
        assert (await slow_answer(player, "hint", table=table, follow_solver=True))["type"] == "hint"


@pytest.mark.parametrize("game", ["carpet", "burgvoegtin", "zopf"])
async def test_a_winnable_deal(server: ServerProcess, game: str) -> None:
    """It can be won, its number is hidden, it is marked as helped, and the command takes effect once."""
    async with Wire(server.url, "Ada") as player:
        table = (await player.ask("create", game=game))["table"]
        own = (await player.view(table))["own"]
        assert (await player.refused("winnable", table=table, prompt="1.9r"))["code"] == "stale"
        command_id = player.next_id()
        reply = await slow_answer(player, "winnable", table=table, prompt=own["prompt"])
        view = await player.at_version(table, reply["version"])
        deal = shown(view)
        assert (view["public"]["stage"], deal["helped"], deal["known"], deal["number"]) == ("deal", True, False, None)
        again = await player.ask("winnable", table=table, prompt=own["prompt"], id=command_id + 1)
        assert again == reply
        assert (await player.refused("winnable", table=table, prompt=view["own"]["prompt"]))["code"] == "deal_running"
        last = (await done(player, table, "give_up"))["public"]["play"]["last"]
        assert not last["counts"]
        assert solve_deal(terms(game, {}).rules, int(last["number"])).verdict.value == "winnable"


# --- what is refused -------------------------------------------------------------------------------------------------


async def test_refused_in_other_games(server_url: str) -> None:
    """Kop has neither hints nor a solver for a running deal; Archway has no search for winnable deals."""
    async with Wire(server_url, "Ada") as player:
        kop = (await player.ask("create", game="kop"))["table"]
        archway = (await player.ask("create", game="archway"))["table"]
        await player.view(kop)
        prompt = (await player.view(archway))["own"]["prompt"]
        assert (await player.refused("hint", table=kop))["code"] == "no_hint"
        assert (await player.refused("solve", table=kop))["code"] == "no_hint"
        assert (await player.refused("winnable", table=archway, prompt=prompt))["code"] == "not_winnable"
        prompt = player.views[kop]["own"]["prompt"]
        assert (await player.refused("winnable", table=kop, prompt=prompt))["code"] == "not_winnable"
        assert (await player.refused("evening", table=archway))["code"] == "no_evening"
        for type, fields in (("hint", {}), ("solve", {}), ("winnable", {"prompt": "x"})):
            assert (await player.refused(type, table="nowhere", **fields))["code"] == "not_at_table"
        refused = await player.refused("create", game="carpet", options={"clock_seconds": 10})
        assert (refused["code"], refused["detail"]) == ("bad_option", "clock_seconds")


@pytest.mark.parametrize(
    ("type", "fields"),
    [
        ("hint", {"follow_solver": "yes"}),
        ("hint", {"follow_solver": None}),
        ("hint", {"prompt": "1.1m0"}),
        ("hint", {"table": None}),
        ("hint", {"table": "UPPER"}),
        ("solve", {"table": 17}),
        ("solve", {"seconds": 1}),
        ("winnable", {}),
        ("winnable", {"prompt": 1}),
        ("winnable", {"prompt": "x" * 33}),
        ("winnable", {"prompt": "1.1r", "entropy": "00"}),
        ("progress", {}),
        ("verdict", {}),
    ],
)
async def test_bad_input(player: Wire, type: str, fields: dict[str, Any]) -> None:
    """Fields that are wrong, unknown or missing, and messages of the server's; the table stands where it stood."""
    table = await opened(player)
    before = player.views[table]["version"]
    refused = await player.refused(type, **{"table": table, **fields})
    assert refused["code"] == ("unknown_type" if type in ("progress", "verdict") else "bad_field")
    assert (await player.ask("sync", table=table))["version"] == before


@pytest.mark.parametrize(
    ("action", "code"),
    [
        ("redeal", "unknown_action"),
        ("move carpet1.1 foundation", "unknown_action"),
        ("move carpet1 foundation", "does_not_fit"),
        ("move stock foundation", "draw_first"),
        ("move waste carpet1", "pile_empty"),
        ("move nowhere foundation", "unknown_action"),
        ("move carpet99 foundation", "unknown_action"),
        ("undo", "nothing_to_undo"),
        ("redo", "nothing_to_redo"),
        ("restart", "nothing_to_undo"),
        ("ready", "unknown_action"),
    ],
)
async def test_refused_moves(server_url: str, action: str, code: str) -> None:
    """With a code; the view stays as it is."""
    async with Wire(server_url, "Ada") as player:
        table = await opened(player, word="ready number 1")
        before = player.views[table]
        refused = await player.refused("act", table=table, prompt=before["own"]["prompt"], action=action)
        assert refused["code"] == code
        assert player.views[table] == before
