"""Every byte of a match with a bot, a stand-in, votes, pauses and talk: nobody gets what is not his to know.

The recorder is that of `leaks`: a bot's hand is a hand like any other, and a stand-in's too.
"""

import asyncio
import hashlib
from dataclasses import dataclass

import msgpack
import pytest

from protocol.codec import Encoding
from server.table.events import StandInCame
from tests.e2e.company import acted_for, told, versions
from tests.e2e.conftest import BRISK
from tests.e2e.leaks import CARD, Ledger, Secret, Viewer, leaks, writings
from tests.e2e.test_scenarios_secrecy import provoke, recording
from tests.servers import ServerProcess
from tests.wire import PATIENCE, RefusedError, Wire, quiet_choice

OPTIONS = {"deals": 4, "answer_seconds": None, "on_absence": "vote"}
AMONG_WATCHERS = "nie mów nikomu przy stole"
STALE = ("stale", "already_ready", "no_question", "paused")


@dataclass
class Company:
    """Who is at the table, and who has seen it."""

    table: str
    people: list[Wire]
    """Those who sit there now, by their connection."""
    watchers: list[Wire]
    all: list[Wire]


async def one_acts(company: Company) -> None:
    """The next quiet act of a person, or of a bot; seen by all who are there."""
    first = company.people[0]
    version = (await first.ask("sync", table=company.table))["version"]
    for wire in (*company.people, *company.watchers):
        await wire.at_version(company.table, version)
    if first.views[company.table]["public"]["stage"] == "over":
        return
    for wire in company.people:
        choice = quiet_choice(wire.views[company.table]["own"]["actions"])
        if choice is not None:
            try:
                await wire.act(company.table, choice)
            except RefusedError as refused:
                if refused.code not in STALE:
                    raise
            return
    await first.at_version(company.table, version + 1)


async def until_deal(company: Company, deals: int, tricks: int) -> None:
    """Plays until so many deals are scored, and so many tricks of the next are there."""
    async with asyncio.timeout(PATIENCE):
        while True:
            public = company.people[0].views[company.table]["public"]
            if public["stage"] == "over" or public["play"]["scored"] > deals:
                return
            running = public["stage"] == "deal" and len(public["play"]["tricks"]) >= tricks
            if public["play"]["scored"] == deals and running:
                return
            await one_acts(company)


async def a_stand_in_plays(company: Company, gone: Wire) -> None:
    """One drops out; the other two vote for a bot, and it acts; then he is back."""
    table = company.table
    await gone.drop()
    company.people.remove(gone)
    for voter in company.people:
        view = await voter.view(table, lambda view: bool(view["public"]["absences"]))
        (absence,) = view["public"]["absences"]
        if not absence["stand_in"]:
            await voter.ask("vote", table=table, absence=absence["number"], choice="bot")
    seen = len(told(company.people[0], table, "acted_for"))
    async with asyncio.timeout(PATIENCE):
        while len(told(company.people[0], table, "acted_for")) == seen:
            assert company.people[0].views[table]["public"]["stage"] != "over"
            await one_acts(company)
    await gone.open()
    await gone.view(table, lambda view: view["public"]["absences"] == [])
    company.people.append(gone)


async def talk(company: Company) -> None:
    """Everybody says something, and asks what was said."""
    for wire in company.people:
        await wire.ask("say", table=company.table, text="no to gramy")
        await wire.ask("talk", table=company.table)
        await wire.ask("evening", table=company.table)
    for wire in company.watchers:
        await wire.ask("say", table=company.table, text=AMONG_WATCHERS)
        await wire.ask("talk", table=company.table)


async def pause(company: Company, owner: Wire) -> None:
    """The table stands still; everybody comes anew and tries what he may not; then it goes on."""
    await owner.ask("pause", table=company.table)
    for wire in (*company.people, *company.watchers):
        await wire.reopen()
        await wire.view(company.table)
    await provoke(company.people, company.watchers, company.table)
    await owner.ask("resume", table=company.table)


async def a_guest_takes_the_bots_seat(company: Company, guest: Wire, owner: Wire) -> None:
    """A watcher sits down in mid-deal where the bot was, and leaves again; another bot comes."""
    code = owner.views[company.table]["own"]["code"]
    seat = (await guest.ask("join", code=code))["seat"]
    await guest.view(company.table, lambda view: view["own"] is not None)
    await guest.ask("leave", table=company.table)
    await guest.put_out(company.table)
    await owner.view(company.table, lambda view: view["public"]["seats"][seat] is None)
    await owner.ask("seat_bot", table=company.table, seat=seat, strength="easy")


@dataclass
class Recorded:
    ledger: Ledger
    company: Company
    secrets: list[Secret]
    log: str
    stand_ins: int
    acts_for: int


@pytest.fixture(scope="module")
async def match(tmp_path_factory: pytest.TempPathFactory) -> Recorded:
    """A match of four deals with all of that in each, on a server that logs everything."""
    server = ServerProcess(tmp_path_factory.mktemp("company"), {**BRISK, "KOP_LOG": "debug"}).start()
    encodings = list(Encoding)
    wires = [Wire(server.url, f"Player {number}", encodings[number % 2]) for number in range(6)]
    for wire in wires:
        await wire.open()
    owner, ola, ula, guest, *watchers = wires
    created = await owner.ask("create", options=OPTIONS)
    table = created["table"]
    for wire in (ola, ula):
        await wire.ask("join", code=created["code"])
    await owner.ask("seat_bot", table=table)
    for wire in watchers:
        await wire.ask("join", code=created["code"], watch=True)
    for wire in (owner, ola, ula, *watchers):
        await wire.view(table)
    company = Company(table, [owner, ola, ula], watchers, wires)
    for deal in range(4):
        await until_deal(company, deal, 0)
        if deal % 2 == 0:
            await talk(company)
        await a_stand_in_plays(company, (ola, ula)[deal % 2])
        await until_deal(company, deal, 1)
        await pause(company, owner)
        await a_guest_takes_the_bots_seat(company, guest, owner)
        await until_deal(company, deal + 1, 0)
    lines = server.entries(table)
    assert lines[0].version == 1, "a snapshot has cut off the beginning"
    secrets = []
    for wire in wires:
        token = wire.token or ""
        secrets.append(Secret("a token", token.encode(), wire.player))
        secrets += [
            Secret("the hash of a token", text, None) for text in writings(hashlib.sha256(token.encode()).digest())
        ]
        await wire.close()
    stand_ins = len(versions(server, table, StandInCame))
    server.stop()
    return Recorded(Ledger.of(lines), company, secrets, server.log, stand_ins, len(acted_for(lines)))


async def test_no_byte_says_more_than_its_reader_may_know(match: Recorded) -> None:
    """No hidden card, of people, bots and stand-ins; no secret, code or token: to seats, guests and watchers."""
    assert match.stand_ins >= 3
    assert match.acts_for >= 3
    for wire in match.company.all:
        recorded = recording(wire)
        assert len([message for _, message in recorded if message["type"] == "table"]) >= 4
        assert leaks(match.ledger, Viewer(wire.player, wire.token or ""), recorded, match.secrets) == []


async def test_what_watchers_say_reaches_no_seat(match: Recorded) -> None:
    """Not one byte of it, in happenings, in `talk`, or after a reconnect; the watchers have it all."""
    said = AMONG_WATCHERS.encode()
    for wire in match.company.people:
        assert not any(said in raw for raw in wire.raw)
        assert b"no to gramy" in b"".join(wire.raw)
    for wire in match.company.watchers:
        assert sum(said in raw for raw in wire.raw) >= 2


async def test_the_log_of_the_server_has_no_card_and_no_talk(match: Recorded) -> None:
    """Not even at the level of debug."""
    raw = match.log.encode()
    assert b"stopping" in raw
    assert CARD.findall(raw) == []
    assert AMONG_WATCHERS.encode() not in raw
    for secret in match.ledger.secrets:
        assert not any(text in raw for text in writings(secret))


@pytest.mark.parametrize("kind", ["hand", "seen", "thought"])
async def test_a_planted_leak_of_a_bot_is_caught(match: Recorded, kind: str) -> None:
    """A card of the bot's hand, planted into what its owner received, is found wherever it stands."""
    owner = match.company.all[0]
    recorded = recording(owner)
    place = next(
        place
        for place, (_, message) in enumerate(recorded)
        if message["type"] == "table"
        and message["public"]["stage"] == "deal"
        and match.ledger.at[message["version"]].held(3)
    )
    message = msgpack.unpackb(msgpack.packb(recorded[place][1]))
    card = min(match.ledger.at[message["version"]].held(3))
    match kind:
        case "hand":
            message["own"]["play"]["hand"].append(card)
        case "seen":
            message["public"]["seats"][3]["seen"] = {"hand": [card]}
        case _:
            message["happened"].append({"event": "acted_for", "seat": 3, "by": f"bot, play {card}"})
    recorded[place] = (msgpack.packb(message), message)
    assert leaks(match.ledger, Viewer(owner.player, owner.token or ""), recorded, match.secrets)
