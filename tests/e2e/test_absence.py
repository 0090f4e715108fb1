"""Each rule on absence over real sockets: who goes is waited for, stood in for, voted on, or overtaken by the clock.

Whoever comes back has his seat and his hand at once, whatever the rule has done meanwhile.
"""

import asyncio
import contextlib

import pytest

from server.table.events import Absent, Returned
from tests.e2e.company import CLOCK, IN_A_DEAL, PHASES, Scene, acted_for, at_once, device, scene, told, versions
from tests.e2e.conftest import BRISK, StartServer
from tests.e2e.script import a_card
from tests.servers import ServerProcess
from tests.wire import Wire

WAYS = ("drop", "leave")
EITHER_WAY = pytest.mark.parametrize("way", WAYS)
GRACE = float(BRISK["KOP_LIMIT_GRACE_SECONDS"])


async def the_person_is_back(one: Scene, way: str, hand: list[str]) -> None:
    """He comes back: seat and hand are his at once, and what is asked of him he may answer."""
    await one.come_back(way)
    own = one.away.views[one.table]["own"]
    assert own["seat"] == one.seat
    await one.away.view(one.table, lambda view: view["public"]["absences"] == [])
    if hand:
        now = one.away.views[one.table]
        gone = {
            card["card"]
            for trick in (*now["public"]["play"]["tricks"], {"cards": now["public"]["play"]["trick"]})
            for card in trick["cards"]
            if card["seat"] == one.seat
        }
        if now["public"]["stage"] == "deal":
            assert sorted(one.hand) == sorted(set(hand) - gone)
    sitter = one.away.views[one.table]["public"]["seats"][one.seat]
    assert (sitter["player"], sitter["bot"]) == (one.away.player, None)
    if way == "drop":
        await one.tells("returned", seat=one.seat)
    else:
        await one.sees(lambda public: public["seats"][one.seat]["player"] == one.away.player)


async def finish_the_deal(one: Scene) -> None:
    """All four play the deal to its score, and begin the next."""
    scored = len(one.told("deal_scored"))
    await one.play_on(lambda: len(one.told("deal_scored")) > scored, one.players)


async def waits(server: ServerProcess, phase: str, way: str) -> None:
    async with scene(server.url, phase, on_absence="wait") as one:
        hand = one.hand
        await one.go(way)
        if way == "drop":
            await one.tells("absent", seat=one.seat)
            assert [(gone["seat"], gone["stand_in"], gone["votes"]) for gone in one.public["absences"]] == [
                (one.seat, False, None)
            ]
        else:
            await one.sees(lambda public: public["seats"][one.seat] is None)
        if phase in IN_A_DEAL:  # the others can wave a question or a lead through; then all wait
            await one.play_on(lambda: not any(one.choice(other) for other in one.others))
            assert acts_of(one) == 0
        await the_person_is_back(one, way, hand)
        await finish_the_deal(one)
        assert acted_for(server.entries(one.table)) == []


async def test_wait(brisk: ServerProcess) -> None:
    """The table waits, in each phase: nobody acts for who has gone, and he goes on with his hand."""
    await at_once(*((f"{way}, {phase}", waits(brisk, phase, way)) for way in WAYS for phase in PHASES))


async def stands_in(server: ServerProcess, phase: str, way: str) -> None:
    async with scene(server.url, phase, on_absence="bot") as one:
        hand = one.hand
        await one.go(way)
        await bot_plays(one, way)
        await the_person_is_back(one, way, hand)
        await finish_the_deal(one)
        check_one_at_a_time(server, one, way)


async def bot_plays(one: Scene, way: str) -> None:
    """Everybody is shown that a bot has the seat, and it acts there."""
    if way == "drop":
        await one.tells("stand_in", seat=one.seat)
        assert [(gone["seat"], gone["stand_in"]) for gone in one.public["absences"]] == [(one.seat, True)]
        assert one.public["seats"][one.seat]["player"] == one.away.player
        await one.play_on(lambda: bool(one.told("acted_for")))
        assert {(acted["seat"], acted["by"]) for acted in one.told("acted_for")} == {(one.seat, "bot")}
    else:
        await one.sees(lambda public: (public["seats"][one.seat] or {"bot": None})["bot"] == "hard")
        seated = one.told("seated")[0]
        assert (seated["seat"], seated["bot"]) == (one.seat, "hard")
        await one.play_on(lambda: acts_of(one) > 0)
        assert {(acted["seat"], acted["by"]) for acted in one.told("acted_for")} <= {(one.seat, "bot")}


def acts_of(one: Scene) -> int:
    """How often the seat has done something."""
    kinds = ("ready", "said", "card_played")
    return sum(event["seat"] == one.seat for kind in kinds for event in one.told(kind))


def check_one_at_a_time(server: ServerProcess, one: Scene, way: str) -> None:
    """In the log: no command of who is away between absence and return, and no substitute's act outside of it."""
    lines = server.entries(one.table)
    own = [line.version for line in lines if line.client.startswith(f"{one.away.player}/")]
    if way == "leave":  # what is done there for the account of another is marked
        assert {(seat, by) for _, seat, by in acted_for(lines)} <= {(one.seat, "bot"), (one.seat, "successor")}
        return
    (gone,) = versions(server, one.table, Absent)
    (back,) = versions(server, one.table, Returned)
    assert not [version for version in own if gone <= version < back]
    marked = acted_for(lines)
    assert marked
    assert all(gone < version < back and seat == one.seat for version, seat, _ in marked)


async def test_bot(brisk: ServerProcess) -> None:
    """A bot plays on in each phase, shown to all and in the log, until the person is back; never two for one seat."""
    await at_once(*((f"{way}, {phase}", stands_in(brisk, phase, way)) for way in WAYS for phase in PHASES))


async def votes_for_a_bot(server: ServerProcess, phase: str, way: str) -> None:
    async with scene(server.url, phase, on_absence="vote") as one:
        hand = one.hand
        await one.go(way)
        await one.tells("absent", seat=one.seat)
        (absence,) = one.public["absences"]
        assert (absence["seat"], absence["stand_in"], absence["votes"]) == (one.seat, False, [])
        await vote(one, 0, "bot")
        assert not one.told("stand_in")
        await vote(one, 1, "bot")
        await bot_plays(one, way)
        await the_person_is_back(one, way, hand)
        await finish_the_deal(one)
        check_one_at_a_time(server, one, way)


async def vote(one: Scene, other: int, choice: str) -> None:
    """One of those who stay votes; all see it."""
    number = one.public["absences"][0]["number"]
    reply = await one.others[other].ask("vote", table=one.table, absence=number, choice=choice)
    for player in one.others:
        await player.at_version(one.table, reply["version"])
    (voter,) = {one.players.index(one.others[other])}
    assert {"event": "voted", "seat": voter, "absent": one.seat, "choice": choice} in one.told("voted")


async def test_vote(brisk: ServerProcess) -> None:
    """In each phase: two of the three others want a bot, and it plays until the person is back."""
    await at_once(*((f"{way}, {phase}", votes_for_a_bot(brisk, phase, way)) for way in WAYS for phase in PHASES))


async def runs_out(server: ServerProcess, phase: str, way: str) -> None:
    async with scene(server.url, phase, on_absence="clock", **CLOCK) as one:
        hand = one.hand
        await one.go(way)
        if way == "leave" and phase in ("ready", "between"):  # nobody is dealt to
            await one.play_on(lambda: one.public["ready"].count(True) == 3)
            assert one.public["clock"]["due"][one.seat] is None
        else:
            await one.tells("absent", seat=one.seat)
            await one.play_on(lambda: bool(one.told("acted_for")))
            assert {(acted["seat"], acted["by"]) for acted in one.told("acted_for")} == {(one.seat, "clock")}
            assert one.public["match"] == 1
            assert one.public["stage"] != "over"
        await the_person_is_back(one, way, hand)
        await finish_the_deal(one)


async def test_clock(brisk: ServerProcess) -> None:
    """In each phase the clock acts once for each decision of who has gone; the match goes on."""
    await at_once(*((f"{way}, {phase}", runs_out(brisk, phase, way)) for way in WAYS for phase in PHASES))


async def leaves_at_every_moment(server: ServerProcess, rule: str, way: str) -> None:
    async with scene(server.url, "ready", on_absence=rule) as one:
        while not one.told("deal_scored"):
            one.seat = next((seat for seat, player in enumerate(one.players) if one.choice(player)), one.seat)
            before = one.hand
            await one.go(way)
            if way == "leave":
                await one.sees(
                    lambda public: (public["seats"][one.seat] or {"player": ""})["player"] != one.away.player
                )
            await one.come_back(way)
            if one.away.views[one.table]["public"]["stage"] == "deal" and before:
                assert set(one.hand) <= set(before)
            reply = await one.away.ask("sync", table=one.table)
            for player in one.players:
                await player.at_version(one.table, reply["version"])
            acts = len(one.told("card_played")) + len(one.told("said")) + len(one.told("ready"))
            await one.play_on(
                lambda acts=acts: len(one.told("card_played")) + len(one.told("said")) + len(one.told("ready")) > acts,  # type: ignore[misc]
                one.players,
            )
        sheet = await one.players[0].ask("sheet", table=one.table)
        assert len(sheet["lines"]) == 1


@EITHER_WAY
async def test_leaving_at_every_moment_by_each_rule(brisk: ServerProcess, way: str) -> None:
    """Before each step of a deal the one whose turn it is goes and comes back: the deal is scored, by any rule."""
    await at_once(*((rule, leaves_at_every_moment(brisk, rule, way)) for rule in ("wait", "bot", "vote")))


async def test_fresh_hand_by_rejoining_a_seat_that_a_bot_has_kept(brisk: ServerProcess) -> None:
    """Who leaves in a deal comes back to his own hand only: another seat is refused, though a bot has left it."""
    async with scene(brisk.url, "second trick", on_absence="bot") as one:
        hand, other = one.hand, (one.seat + 1) % 4
        await one.go("leave")
        await one.players[other].ask("leave", table=one.table)
        third = one.players[(one.seat + 2) % 4]
        await third.view(one.table, lambda view: view["public"]["seats"][other]["bot"] is not None)
        refused = await one.away.refused("join", code=one.code, seat=other)
        assert refused["code"] == "saw_other_hand"
        assert (await one.away.ask("join", code=one.code))["seat"] == one.seat
        view = await one.away.view(one.table)
        assert set(view["own"]["play"]["hand"]) <= set(hand)
        guest = await device(brisk.url, one.players[other].token)
        assert (await guest.ask("join", code=one.code))["seat"] == other
        await guest.close()


async def test_a_stand_in_stops_in_the_middle_of_its_thinking(start_server: StartServer) -> None:
    """The stand-in has the seat and is at work when the person comes back: he plays, and it does nothing more."""
    server = start_server({**BRISK, "KOP_LIMIT_BOT_SECONDS": "1.5"})
    async with scene(server.url, "second trick", on_absence="bot") as one:
        await one.go("drop")
        await one.tells("stand_in", seat=one.seat)
        await one.come_back("drop")
        reply = await one.away.act(one.table, a_card(one.away, one.table))
        for player in one.players:
            await player.at_version(one.table, reply["version"])
        await finish_the_deal(one)
        assert acted_for(server.entries(one.table)) == []
        assert one.told("returned") == [{"event": "returned", "seat": one.seat}]


async def test_a_second_device_brings_the_person_back(brisk: ServerProcess) -> None:
    """The first device is gone and a stand-in plays: the token on another one has the seat at once."""
    async with scene(brisk.url, "second trick", on_absence="bot") as one:
        await one.go("drop")
        await one.tells("stand_in", seat=one.seat)
        other = await device(brisk.url, one.away.token)
        view = await other.view(one.table, lambda view: view["public"]["absences"] == [])
        assert view["own"]["seat"] == one.seat
        await one.tells("returned", seat=one.seat)
        one.players[one.seat] = other
        one.since[one.seat] = 0
        await finish_the_deal(one)


async def test_who_is_there_with_one_of_two_devices_is_not_absent(brisk: ServerProcess) -> None:
    """One of two connections breaks: nothing is noted, though the grace passes; when the other breaks too, it is."""
    async with scene(brisk.url, "second trick", on_absence="wait") as one:
        other = await device(brisk.url, one.away.token)
        await one.go("drop")
        witness = one.others[0]
        await witness.drop()  # its own absence shows that the grace has passed
        await one.others[1].view(one.table, lambda view: view["public"]["absences"] != [])
        gone = [absence["seat"] for absence in one.others[1].views[one.table]["public"]["absences"]]
        assert gone == [one.players.index(witness)]
        await other.drop()
        await one.others[1].view(one.table, lambda view: len(view["public"]["absences"]) == 2)


async def test_a_return_by_an_act_over_a_connection_that_never_broke(brisk: ServerProcess) -> None:
    """Who was not ready in time is absent though connected, until he acts: the act itself brings him back."""
    async with scene(brisk.url, "between", on_absence="vote", clock_seconds=3) as one:
        await one.play_on(lambda: one.public["absences"] != [])
        assert [absence["seat"] for absence in one.public["absences"]] == [one.seat]
        version = one.others[0].views[one.table]["version"]
        await one.away.at_version(one.table, version)
        await one.away.act(one.table, "ready")
        await one.tells("returned", seat=one.seat)
        await one.sees(lambda public: public["stage"] == "deal")


async def test_a_vote_without_a_majority_waits(brisk: ServerProcess) -> None:
    """Of two voters one wants a bot and one the end: nothing happens, until one of them changes his vote."""
    async with scene(brisk.url, "second trick", on_absence="vote") as one:
        second = one.others[2]
        await one.go("drop")
        await second.drop()
        voters = one.others[:2]
        for voter in voters:
            await voter.view(one.table, lambda view: len(view["public"]["absences"]) == 2)
        number = {gone["seat"]: gone["number"] for gone in one.public["absences"]}[one.seat]
        for voter, choice in zip(voters, ("bot", "end"), strict=True):
            reply = await voter.ask("vote", table=one.table, absence=number, choice=choice)
        for voter in voters:
            view = await voter.at_version(one.table, reply["version"])
            gone = {gone["seat"]: gone for gone in view["public"]["absences"]}[one.seat]
            assert not gone["stand_in"]
            assert {(vote["seat"], vote["choice"]) for vote in gone["votes"]} == {
                (one.players.index(voters[0]), "bot"),
                (one.players.index(voters[1]), "end"),
            }
        assert (await voters[0].ask("sync", table=one.table))["version"] == reply["version"]
        await voters[1].ask("vote", table=one.table, absence=number, choice="wait")
        assert told(voters[0], one.table, "stand_in") == []
        await voters[1].ask("vote", table=one.table, absence=number, choice="bot")
        for voter in voters:
            await voter.view(one.table, lambda _, voter=voter: bool(told(voter, one.table, "stand_in")))  # type: ignore[misc]
        await second.open()
        await second.view(one.table)


@EITHER_WAY
async def test_a_vote_for_the_end(brisk: ServerProcess, way: str) -> None:
    """Two of three want the end: the match is over, the running deal void, and what was scored counts."""
    async with scene(brisk.url, "between", on_absence="vote") as one:
        await one.play_on(lambda: one.public["stage"] == "deal", one.players)
        await one.go(way)
        await one.tells("absent", seat=one.seat)
        await vote(one, 0, "end")
        await vote(one, 2, "wait")
        await vote(one, 1, "end")
        await one.sees(lambda public: public["stage"] == "over")
        assert one.public["absences"] == []
        assert len((await one.others[0].ask("sheet", table=one.table))["lines"]) == 1
        await one.come_back(way)
        for player in one.players:
            reply = await player.act(one.table, "rematch")
        await one.players[0].at_version(one.table, reply["version"])
        assert one.players[0].views[one.table]["public"]["match"] == 2


async def test_votes_that_count_for_nothing_are_refused(brisk: ServerProcess) -> None:
    """On no absence, on another, by a watcher, when it is decided, when it is over: a code each."""
    async with scene(brisk.url, "second trick", on_absence="vote") as one, Wire(brisk.url, "Watcher") as watcher:
        await watcher.ask("join", code=one.code, watch=True)
        voter, fields = one.others[0], {"table": one.table, "choice": "bot"}
        assert (await voter.refused("vote", absence=1, **fields))["code"] == "no_vote"
        await one.go("drop")
        await one.tells("absent", seat=one.seat)
        number = one.public["absences"][0]["number"]
        assert (await voter.refused("vote", absence=number + 1, **fields))["code"] == "no_vote"
        assert (await watcher.refused("vote", absence=number, **fields))["code"] == "not_seated"
        for other in (0, 1):
            await vote(one, other, "bot")
        await one.tells("stand_in", seat=one.seat)
        assert (await voter.refused("vote", absence=number, **fields))["code"] == "no_vote"
        await one.come_back("drop")
        await one.tells("returned", seat=one.seat)
        assert (await voter.refused("vote", absence=number, **fields))["code"] == "no_vote"
    async with scene(brisk.url, "second trick", on_absence="wait") as one:
        await one.go("drop")
        await one.tells("absent", seat=one.seat)
        number = one.public["absences"][0]["number"]
        refused = await one.others[0].refused("vote", table=one.table, absence=number, choice="end")
        assert refused["code"] == "no_vote"


async def back_after_a_kill(server: ServerProcess, one: Scene, rule: str) -> None:
    """After the restart those who stayed are there again; the rule takes hold, and the person has his seat."""
    hand = one.hand
    await one.sees(lambda public: [gone["seat"] for gone in public["absences"]] == [one.seat])
    match rule:
        case "bot":
            await one.play_on(lambda: bool(one.told("acted_for")))
        case "vote":
            for other in (0, 1):
                await vote(one, other, "bot")
            await one.play_on(lambda: bool(one.told("acted_for")))
        case "clock":
            await one.play_on(lambda: bool(one.told("acted_for")))
        case _:
            await one.play_on(lambda: not any(one.choice(other) for other in one.others))
            assert acted_for(server.entries(one.table)) == []
    await the_person_is_back(one, "drop", hand)
    await finish_the_deal(one)
    if rule != "clock":
        assert len(versions(server, one.table, Absent)) == len(versions(server, one.table, Returned)) == 1


@pytest.mark.parametrize("noted", [False, True], ids=["in the grace", "after it"])
async def test_a_kill_between_going_and_coming_back(start_server: StartServer, noted: bool) -> None:
    """By each rule, in each phase, the server is killed while one is away: a grace that ran begins anew; on it goes."""
    grace = 0.3 if noted else 3.0
    server = start_server({**BRISK, "KOP_LIMIT_GRACE_SECONDS": str(grace)})
    async with contextlib.AsyncExitStack() as stack:
        scenes: list[tuple[str, Scene]] = []
        for rule in ("wait", "bot", "vote", "clock"):
            options = {"on_absence": rule, **(CLOCK if rule == "clock" else {})}
            opened = [await stack.enter_async_context(scene(server.url, phase, **options)) for phase in PHASES]
            scenes += [(rule, one) for one in opened]
        for _, one in scenes:
            one.since = [0] * 4
            await one.go("drop")
        if noted:
            for _, one in scenes:
                await one.sees(lambda public: public["absences"] != [])
        server.kill()
        server.start()
        with server.store() as store:
            seconds, _ = store.time()
        await asyncio.gather(*(other.reopen() for _, one in scenes for other in one.others))
        if not noted:
            for _, one in scenes:
                await one.tells("absent", seat=one.seat)
                (version,) = versions(server, one.table, Absent)
                assert server.entries(one.table)[version - 1].at >= 1000 * (seconds + grace)
        await at_once(*((f"{rule}, {one.phase}", back_after_a_kill(server, one, rule)) for rule, one in scenes))
