"""Each command that the table or the rules forbid is refused with its own code, and changes nothing."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import pytest

from protocol.errors import TEXTS, ErrorCode
from tests.e2e.company import told
from tests.wire import Message, Wire, four_at_table, step


@dataclass
class Scene:
    """Four players at a private table whose match waits for *ready*, a watcher there, and a stranger."""

    players: list[Wire]
    table: str
    watcher: Wire
    stranger: Wire

    async def refused(self, who: Wire, code: str, type: str, /, *, told: bool = True, **fields: Any) -> Message:
        """The command is refused; who sits there is told the version; it changes nothing."""
        owner = self.players[0]
        before = (await owner.ask("sync", table=self.table))["version"]
        error = await who.refused(type, **fields)
        assert error["code"] == code, (type, fields)
        assert error["text"] == TEXTS[ErrorCode(code)]
        if told:
            assert error["version"] == before
        await who.send({"type": "ping"})
        await who.wait(lambda message: message["type"] == "pong", since=who.heard.index(error))
        assert (await owner.ask("sync", table=self.table))["version"] == before
        return error

    async def act_refused(self, who: Wire, code: str, action: str) -> Message:
        """The action is refused although its prompt stands."""
        prompt = self.players[0].views[self.table]["own"]["prompt"]
        return await self.refused(who, code, "act", table=self.table, prompt=prompt, action=action)

    async def act(self, seat: int, action: str) -> None:
        """The action, seen by all."""
        reply = await self.players[seat].act(self.table, action)
        for player in self.players:
            await player.at_version(self.table, reply["version"])

    @property
    def play(self) -> Message:
        """What everybody sees of the game."""
        play: Message = self.players[0].views[self.table]["public"]["play"]
        return play

    def own(self, seat: int) -> Message:
        """What a seat knows."""
        own: Message = self.players[seat].views[self.table]["own"]
        return own


@pytest.fixture
async def scene(server_url: str) -> AsyncIterator[Scene]:
    """A table before its first deal."""
    players, table = await four_at_table(server_url, options={"answer_seconds": None, "deals": 400})
    watcher, stranger = Wire(server_url, "Watcher"), Wire(server_url, "Stranger")
    for wire in (watcher, stranger):
        await wire.open()
    await watcher.ask("join", code=players[0].views[table]["own"]["code"], watch=True)
    yield Scene(players, table, watcher, stranger)
    for wire in (*players, watcher, stranger):
        await wire.close()


async def test_a_table_is_refused_to_who_has_no_way_to_it(scene: Scene) -> None:
    """A wrong code, no such table, a private one by its id: `no_such_table`, for watchers too."""
    table = scene.table
    for fields in (
        {"code": "000000000000"},
        {"table": "0000000000"},
        {"table": table},
        {"table": table, "watch": True},
        {"code": table},
        {},
    ):
        await scene.refused(scene.stranger, "no_such_table", "join", told=False, **fields)
    for type in ("leave", "start", "finish", "seat_bot", "pause", "resume"):
        await scene.refused(scene.stranger, "not_at_table", type, told=False, table=table)
        await scene.refused(scene.stranger, "no_such_table", type, told=False, table="0000000000")
    for type in ("sync", "sheet", "talk", "evening"):
        await scene.refused(scene.stranger, "not_at_table", type, told=False, table=table)
    more: tuple[tuple[str, dict[str, Any]], ...] = (
        ("say", {"text": "tak"}),
        ("vote", {"absence": 1, "choice": "bot"}),
        ("hand_over", {"player": scene.players[1].player}),
        ("options", {"options": {}}),
    )
    for type, fields in more:
        await scene.refused(scene.stranger, "not_at_table", type, told=False, table=table, **fields)
    await scene.refused(scene.stranger, "not_at_table", "remove", told=False, table=table, player="x")
    error = await scene.refused(
        scene.stranger, "not_at_table", "act", told=False, table=table, prompt="1.1r", action="ready"
    )
    assert error["version"] is None


async def test_seats_that_cannot_be_had_are_refused(scene: Scene) -> None:
    """A full table, a seat that is taken or does not exist, a second seat, a barred player."""
    code = scene.own(0)["code"]
    await scene.refused(scene.stranger, "table_full", "join", code=code)
    await scene.refused(scene.players[1], "already_seated", "join", code=code)
    await scene.players[0].ask("remove", table=scene.table, player=scene.players[2].player)
    assert await scene.players[2].put_out(scene.table) == "removed"
    await scene.refused(scene.players[2], "barred", "join", code=code)
    await scene.refused(scene.players[2], "barred", "join", told=False, code=code, watch=True)
    await scene.refused(scene.stranger, "seat_taken", "join", code=code, seat=1)
    await scene.refused(scene.stranger, "no_such_seat", "join", code=code, seat=4)
    await scene.refused(scene.stranger, "no_such_seat", "join", code=code, seat=15)
    await scene.refused(scene.players[0], "seats_empty", "start", table=scene.table)
    assert (await scene.stranger.ask("join", code=code))["seat"] == 2


async def test_what_only_the_owner_may_do_is_refused_to_others(scene: Scene) -> None:
    """Seats and watchers get `not_owner`; the owner himself is told what stands in the way."""
    owner, other = scene.players[0], scene.players[1]
    for who in (other, scene.watcher):
        await scene.refused(who, "not_owner", "start", table=scene.table)
        await scene.refused(who, "not_owner", "finish", table=scene.table)
        await scene.refused(who, "not_owner", "remove", table=scene.table, player=scene.players[3].player)
        await scene.refused(who, "not_owner", "seat_bot", table=scene.table)
        await scene.refused(who, "not_owner", "pause", table=scene.table)
        await scene.refused(who, "not_owner", "hand_over", table=scene.table, player=who.player)
        await scene.refused(who, "not_owner", "options", table=scene.table, options={})
    await scene.refused(scene.watcher, "not_seated", "act", table=scene.table, prompt="1.1r", action="ready")
    await scene.refused(scene.watcher, "not_seated", "resume", table=scene.table)
    await scene.refused(scene.watcher, "not_seated", "vote", table=scene.table, absence=1, choice="end")
    await scene.refused(owner, "no_such_sitter", "remove", table=scene.table, player=owner.player)
    await scene.refused(owner, "no_such_sitter", "remove", table=scene.table, player="nobody")
    await scene.refused(owner, "not_open_ended", "finish", table=scene.table)
    await owner.ask("start", table=scene.table)
    await scene.refused(owner, "deal_running", "start", table=scene.table)
    await scene.refused(owner, "deal_running", "finish", table=scene.table)


async def test_options_that_are_none_are_refused(scene: Scene) -> None:
    """An unknown game, an unknown option, a value that cannot be: the detail names it."""
    stranger = scene.stranger
    await scene.refused(stranger, "unknown_game", "create", told=False, game="skat")
    error = await scene.refused(stranger, "unknown_option", "create", told=False, options={"deal": 4})
    assert error["detail"] == "deal"
    for name, values in {
        "deals": (0, 3, 5, 404, -4, "4", True),
        "answer_seconds": (0, 601, "15", False),
        "stake": ("", "1,5", "-1", "1e3", "1.00000", 1, "\u0661"),
        "currency": ("", "x" * 13, "\u202epts", "p\nts", 1),
        "rules": ("skat", None, 1),
    }.items():
        for value in values:
            error = await scene.refused(stranger, "bad_option", "create", told=False, options={name: value})
            assert error["detail"] == name


async def test_options_are_changed_before_the_first_match_only(server_url: str) -> None:
    """What cannot be agreed changes nothing; what can is told to all; then the match begins, and it is too late."""
    async with Wire(server_url, "Ada") as ada, Wire(server_url, "Ola") as ola:
        created = await ada.ask("create", options={"deals": 8})
        table = created["table"]
        await ola.ask("join", code=created["code"])
        for options, code, detail in (
            ({"deals": 3}, "bad_option", "deals"),
            ({"deal": 4}, "unknown_option", "deal"),
            ({"on_absence": "kick"}, "bad_option", "on_absence"),
            ({"on_absence": None}, "bad_option", "on_absence"),
            ({"on_absence": "clock"}, "options_clash", "clock_seconds on_absence"),
            ({"clock_bank": 5}, "options_clash", "clock_seconds clock_bank"),
            ({"clock_seconds": 2}, "bad_option", "clock_seconds"),
            ({"clock_seconds": 601}, "bad_option", "clock_seconds"),
            ({"clock_seconds": True}, "bad_option", "clock_seconds"),
            ({"clock_seconds": 5, "clock_bank": 3601}, "bad_option", "clock_bank"),
            ({"talk": "loud"}, "bad_option", "talk"),
        ):
            for type in ("options", "create"):
                where = {"table": table} if type == "options" else {}
                error = await ada.refused(type, options=options, **where)
                assert (error["code"], error["detail"]) == (code, detail), (type, options)
        assert (await ola.refused("options", table=table, options={}))["code"] == "not_owner"
        agreed = {"deals": 4, "talk": "off", "clock_seconds": 60}
        reply = await ada.ask("options", table=table, options=agreed)
        assert await ada.ask("options", table=table, options=agreed, id=reply["id"]) == reply
        for reader in (ada, ola):
            view = await reader.at_version(table, reply["version"])
            assert view["public"]["talk"] == "off"
            (changed,) = told(reader, table, "options_changed")
            assert agreed.items() <= changed["options"].items()
        for _ in range(2):
            await ada.ask("seat_bot", table=table)
        assert (await ada.refused("options", table=table, options={}))["code"] == "match_begun"
        assert (await ada.ask("sheet", table=table))["options"]["deals"] == 4


async def test_a_table_is_handed_over_to_a_person_who_sits_there(scene: Scene) -> None:
    """Not to oneself, a watcher or a stranger; then the new owner has the owner's rights, and the old one none."""
    owner, other = scene.players[0], scene.players[2]
    for nobody in (owner.player, scene.watcher.player, scene.stranger.player, "", "x"):
        await scene.refused(owner, "no_such_sitter", "hand_over", table=scene.table, player=nobody)
    reply = await owner.ask("hand_over", table=scene.table, player=other.player)
    assert await owner.ask("hand_over", table=scene.table, player=other.player, id=reply["id"]) == reply
    for player in scene.players:
        view = await player.at_version(scene.table, reply["version"])
        assert view["public"]["owner"] == other.player
    await scene.refused(owner, "not_owner", "pause", table=scene.table)
    await scene.refused(owner, "not_owner", "hand_over", table=scene.table, player=owner.player)
    await other.ask("pause", table=scene.table)
    await other.ask("resume", table=scene.table)
    await other.ask("hand_over", table=scene.table, player=owner.player)


async def test_an_answer_to_another_question_is_stale_and_tells_the_version(scene: Scene) -> None:
    """`stale` for a prompt that was or never was, before and in the deal."""
    for prompt in ("1.2r", "0.1r", "", "1.1c0"):
        await scene.refused(scene.players[1], "stale", "act", table=scene.table, prompt=prompt, action="ready")
    await scene.players[0].ask("start", table=scene.table)
    await scene.refused(scene.players[1], "stale", "act", table=scene.table, prompt="1.1r", action="ready")


async def test_ids_that_were_used_or_are_forgotten_are_refused(scene: Scene) -> None:
    """Other content under a used id: `id_reused`; an id before the last 32 commands: `too_old`."""
    player, table = scene.players[3], scene.table
    player.last_id = 100
    reply = await player.act(table, "ready")
    await scene.refused(player, "id_reused", "leave", id=reply["id"], table=table)
    await scene.refused(player, "id_reused", "act", id=reply["id"], table=table, prompt="1.1r", action="ready 3")
    code = scene.own(0)["code"]
    for _ in range(16):
        await player.ask("leave", table=table)
        await player.ask("join", code=code)
    await scene.refused(player, "too_old", "act", id=50, table=table, prompt="1.1r", action="ready")
    await scene.refused(player, "too_old", "act", id=reply["id"], table=table, prompt="1.1r", action="ready")


async def test_calls_that_the_rules_forbid_are_refused_by_their_names(scene: Scene) -> None:
    """One deal's calls, with every refusal on the way."""
    await scene.act_refused(scene.players[0], "no_deal_running", "ask")
    await scene.act_refused(scene.players[0], "no_deal_running", "rematch")
    cutter = (scene.play["dealer"] + 3) % 4
    await scene.act_refused(scene.players[(cutter + 1) % 4], "not_your_cut", "ready 7")
    for word in ("ready 0", "ready 16", "ready x", "ready 07"):
        await scene.act_refused(scene.players[cutter], "not_your_cut", word)
    await scene.act(1, "ready")
    await scene.act_refused(scene.players[1], "already_ready", "ready")
    await scene.players[0].ask("start", table=scene.table)
    for player in scene.players:
        await player.view(scene.table, lambda view: bool(view["public"]["play"]["phase"] == "calls"))
    leader = scene.play["turn"]
    asker, caller, doubler, last = (scene.players[(leader + place) % 4] for place in range(4))
    card = scene.own(leader)["play"]["hand"][0]
    for word in ("fly", "go", "double", "double x", "double 01", "play", "play XX", "play AH AH", "ready", "wesele QC"):
        await scene.act_refused(asker, "unknown_action", word)
    await scene.act_refused(asker, "ask_first", f"play {card}")
    await scene.act_refused(caller, "not_your_turn", f"play {card}")
    await scene.act_refused(caller, "not_leader", "ask")
    await scene.act_refused(caller, "no_question", "go on")
    await scene.act_refused(asker, "leader_goes_not_on", "go on")
    await scene.act_refused(caller, "doubling_out_of_order", "double 2")
    await scene.act_refused(caller, "no_more_doublings", "double 5")
    poor = next(player for seat, player in enumerate(scene.players) if "wesele" not in scene.own(seat)["actions"])
    await scene.act_refused(poor, "wesele_needs_queens", "wesele")
    await scene.act((leader + 1) % 4, "zolo")
    await scene.act_refused(doubler, "call_too_low", "zolo")
    await scene.act_refused(doubler, "call_too_low", "wesele")
    await scene.act_refused(caller, "no_first_doubling", "double 1")
    await scene.act((leader + 2) % 4, "double 1")
    await scene.act_refused(last, "doubling_taken", "double 1")
    await scene.act(leader, "ask")
    await scene.act_refused(asker, "already_asked", "ask")
    await scene.act_refused(asker, "await_answers", f"play {card}")
    for place in (1, 2, 3):
        await scene.act((leader + place) % 4, "go on")
        await scene.act_refused(scene.players[(leader + place) % 4], "already_went_on", "go on")
    await scene.act(leader, f"play {card}")
    await scene.act_refused(last, "not_in_calls", "double 2")


async def test_cards_that_the_duties_forbid_are_refused_by_their_names(scene: Scene) -> None:
    """Deals are played until both duties were met: every card that is not offered has its code."""
    met: set[str] = set()
    while met != {"must_follow", "must_beat"}:
        play = scene.play
        if play["phase"] == "play":
            seat = play["turn"]
            own = scene.own(seat)
            for card in own["play"]["hand"]:
                if f"play {card}" not in own["actions"]:
                    error = await scene.players[seat].refused(
                        "act", table=scene.table, prompt=own["prompt"], action=f"play {card}"
                    )
                    assert error["code"] in ("must_follow", "must_beat")
                    if error["code"] not in met:
                        met.add(error["code"])
                        await scene.act_refused(scene.players[seat], error["code"], f"play {card}")
            other = scene.own((seat + 1) % 4)["play"]["hand"][0]
            await scene.act_refused(scene.players[seat], "not_your_card", f"play {other}")
            await scene.act_refused(scene.players[(seat + 1) % 4], "not_your_turn", f"play {other}")
        assert await step(scene.players, scene.table) is not None
