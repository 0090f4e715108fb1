"""What is said at a table, over real sockets: who hears it, as text and nothing else, and no more than is good."""

from typing import Any

import pytest

from protocol.codec import Encoding
from server.endpoint.settings import Limits
from server.table.talk import MOST_KEPT, PHRASES
from tests.e2e.company import told
from tests.e2e.conftest import StartServer
from tests.e2e.script import close
from tests.e2e.test_names import BAD
from tests.servers import ServerProcess
from tests.wire import Message, Wire, four_at_table

LIMITS = Limits()
BY_DEFAULT = {
    "KOP_LIMIT_SAYINGS_PER_SECOND": str(LIMITS.sayings_per_second),
    "KOP_LIMIT_SAYINGS_BURST": str(LIMITS.sayings_burst),
}


async def pair(url: str, **options: Any) -> tuple[Wire, Wire, Wire, str]:
    """Two who sit at a table, each with another encoding, a watcher, and the table."""
    ada, ola, eve = Wire(url, "Ada"), Wire(url, "Ola", Encoding.JSON), Wire(url, "Ewa", Encoding.JSON)
    for wire in (ada, ola, eve):
        await wire.open()
    created = await ada.ask("create", options=options)
    await ola.ask("join", code=created["code"])
    await eve.ask("join", code=created["code"], watch=True)
    for wire in (ada, ola, eve):
        await wire.view(created["table"])
    return ada, ola, eve, created["table"]


async def hears(wire: Wire, table: str, **said: Any) -> Message:
    """Waits until somebody hears this."""
    await wire.view(table, lambda _: any(said.items() <= one.items() for one in told(wire, table, "talked")))
    return next(one for one in told(wire, table, "talked") if said.items() <= one.items())


async def lines(wire: Wire, table: str) -> list[Message]:
    """What was said lately, as the server tells this player."""
    answer = await wire.ask("talk", table=table)
    return list(answer["lines"])


async def test_seats_are_heard_by_all_and_watchers_by_watchers(server_url: str) -> None:
    """A seat's text and phrase reach seats and watchers; a watcher's reach watchers, and no byte of it a seat."""
    ada, ola, eve, table = await pair(server_url)
    other = Wire(server_url, "Iga")
    await other.open()
    await other.ask("join", code=ada.views[table]["own"]["code"], watch=True)
    await ada.ask("say", table=table, text="Dzień dobry!")
    await ola.ask("say", table=table, phrase="good_luck")
    secret = "patrz na jego karty"
    said = await eve.ask("say", table=table, text=secret)
    for wire in (ada, ola, eve, other):
        first = await hears(wire, table, seat=0, player=ada.player, name="Ada", text="Dzień dobry!", phrase="")
        await hears(wire, table, seat=1, player=ola.player, name="Ola", text="", phrase="good_luck")
        assert first["at"] > 0
    for wire in (eve, other):
        await hears(wire, table, seat=None, player=eve.player, name="Ewa", text=secret)
    for wire in (ada, ola):
        await wire.at_version(table, said["version"])
        assert [one["seat"] for one in await lines(wire, table)] == [0, 1]
        await wire.reopen()
        await wire.view(table)
        assert [one["seat"] for one in await lines(wire, table)] == [0, 1]
        assert not any(secret.encode() in raw for raw in wire.raw)
    for wire in (eve, other):
        assert [one["seat"] for one in await lines(wire, table)] == [0, 1, None]
    await other.ask("join", code=ada.views[table]["own"]["code"])
    assert [one["seat"] for one in await lines(other, table)] == [0, 1]
    await close(ada, ola, eve, other)


MARKUP = [
    "<script>alert(1)</script>",
    "<b>głośno</b> &amp; &lt;",
    "\\x1b[31m \\u202e \\n",
    "%s {0} {player} $(reboot) `reboot` '; DROP TABLE",
    "[bold]nie[/bold] [link=x]y[/link]",
    "https://example.org/?a=b&c=d",
    "ąćęłńóśźż ÄÖÜß 日本語 😀 ♠♥♦♣",
]


@pytest.mark.parametrize("encoding", list(Encoding), ids=["msgpack", "json"])
async def test_markup_and_escapes_in_talk(server_url: str, encoding: Encoding) -> None:
    """Whatever looks like markup arrives letter for letter as text, in the happening and in the list."""
    async with Wire(server_url, "Ada", encoding) as ada, Wire(server_url, "Ola", Encoding.JSON) as ola:
        created = await ada.ask("create")
        table = created["table"]
        await ola.ask("join", code=created["code"])
        for text in MARKUP:
            await ada.ask("say", table=table, text=text)
            await hears(ola, table, text=text)
        assert [one["text"] for one in await lines(ola, table)] == MARKUP


async def test_a_text_has_one_form(server_url: str) -> None:
    """NFC, single blanks, none at the ends."""
    ada, ola, eve, table = await pair(server_url)
    await ada.ask("say", table=table, text="  do\u0301bre   rozdanie ")
    await hears(ola, table, text="dóbre rozdanie")
    await close(ada, ola, eve)


UNSAYABLE = {**{name: text for name, text in BAD.items() if text and name != "too long"}, "too long": "x" * 201}


async def test_what_cannot_be_seen_cannot_be_said(server_url: str) -> None:
    """Control, direction, zero-width and invisible characters, and more than 200: `bad_text`, and nothing is said."""
    ada, ola, eve, table = await pair(server_url)
    version = (await ada.ask("sync", table=table))["version"]
    for wire in (ada, ola, eve):
        for name, text in UNSAYABLE.items():
            error = await wire.refused("say", table=table, text=text)
            assert error["code"] == "bad_text", name
    assert (await ada.ask("sync", table=table))["version"] == version
    assert await lines(eve, table) == []
    await ada.ask("say", table=table, text="x" * 200)
    await hears(eve, table, text="x" * 200)
    await close(ada, ola, eve)


async def test_a_saying_sent_again_is_said_once(start_server: StartServer) -> None:
    """The same id again, over a new connection, after a kill, with no allowance left: one saying, one reply."""
    server = start_server({"KOP_LIMIT_SAYINGS_PER_SECOND": "0.001", "KOP_LIMIT_SAYINGS_BURST": "2"})
    ada, ola, eve, table = await pair(server.url)
    first = await ada.ask("say", table=table, text="tak")
    second = await ada.ask("say", table=table, text="tak")
    assert second["version"] == first["version"] + 1
    assert (await ada.refused("say", table=table, text="tak"))["code"] == "talked_too_much"
    for _ in range(2):
        assert await ada.ask("say", table=table, text="tak", id=first["id"]) == first
        assert await ada.ask("say", table=table, text="tak", id=second["id"]) == second
        assert (await ada.refused("say", table=table, text="nie", id=second["id"]))["code"] == "id_reused"
        await ada.reopen()
    server.kill()
    server.start()
    await ada.reopen()
    assert await ada.ask("say", table=table, text="tak", id=first["id"]) == first
    assert [one["text"] for one in await lines(ada, table)] == ["tak", "tak"]
    for wire in (ada, ola, eve):
        await wire.drop()


async def test_talk_outlives_a_kill(start_server: StartServer) -> None:
    """Kill -9 right after a saying was answered: `talk` has it, for seats and watchers each their part."""
    server = start_server()
    ada, ola, eve, table = await pair(server.url)
    await ada.ask("say", table=table, text="jutro o ósmej")
    await eve.ask("say", table=table, text="ja też")
    server.kill()
    server.start()
    for wire in (ada, ola, eve):
        await wire.reopen()
        await wire.view(table)
    for wire in (ada, ola):
        assert [one["text"] for one in await lines(wire, table)] == ["jutro o ósmej"]
    assert [one["text"] for one in await lines(eve, table)] == ["jutro o ósmej", "ja też"]
    await close(ada, ola, eve)


async def test_only_the_newest_sayings_are_kept(server_url: str) -> None:
    """However much is said, a table keeps no more than its bound."""
    ada, ola, eve, table = await pair(server_url)
    for number in range(MOST_KEPT + 5):
        await ada.ask("say", table=table, text=str(number))
    assert [one["text"] for one in await lines(ola, table)] == [str(number) for number in range(5, MOST_KEPT + 5)]
    await close(ada, ola, eve)


@pytest.mark.parametrize("talk", ["free", "phrases", "off"])
async def test_what_may_be_said_is_agreed(server_url: str, talk: str) -> None:
    """Everything, the phrases only, or nothing: for seats and watchers alike."""
    ada, ola, eve, table = await pair(server_url, talk=talk)
    assert ada.views[table]["public"]["talk"] == talk
    expected = {
        "free": ("reply", "reply"),
        "phrases": ("phrases_only", "reply"),
        "off": ("talk_off", "talk_off"),
    }[talk]
    for wire in (ada, ola, eve):
        for fields, wanted in zip(({"text": "tak"}, {"phrase": "yes"}), expected, strict=True):
            if wanted == "reply":
                await wire.ask("say", table=table, **fields)
            else:
                assert (await wire.refused("say", table=table, **fields))["code"] == wanted
    await close(ada, ola, eve)


async def test_sayings_that_are_none_are_refused(server_url: str) -> None:
    """Neither text nor phrase, or both; a phrase that there is not; who is not at the table."""
    ada, ola, eve, table = await pair(server_url)
    assert (await ada.refused("say", table=table))["code"] == "nothing_said"
    assert (await ada.refused("say", table=table, text="tak", phrase="yes"))["code"] == "nothing_said"
    assert (await ada.refused("say", table=table, phrase="curse"))["code"] == "no_such_phrase"
    assert (await ada.refused("say", table=table, phrase="Yes"))["code"] == "no_such_phrase"
    for phrase in PHRASES:
        await ada.ask("say", table=table, phrase=phrase)
    async with Wire(server_url, "Stranger") as stranger:
        assert (await stranger.refused("say", table=table, text="tak"))["code"] == "not_at_table"
        assert (await stranger.refused("talk", table=table))["code"] == "not_at_table"
    await ada.ask("remove", table=table, player=ola.player)
    await ola.put_out(table)
    assert (await ola.refused("say", table=table, text="tak"))["code"] == "not_at_table"
    assert (await ola.refused("talk", table=table))["code"] == "not_at_table"
    await close(ada, ola, eve)


async def test_talk_disturbs_no_question(server: ServerProcess) -> None:
    """Sayings between a view and the answer to it: the answer counts, for its prompt still stands."""
    players, table = await four_at_table(server.url, options={"deals": 4, "answer_seconds": None})
    prompt = players[0].views[table]["own"]["prompt"]
    for player in players:
        await player.ask("say", table=table, phrase="hurry_please")
    reply = await players[0].act(table, "ready", prompt)
    assert reply["version"] == 4 + 4 + 1
    assert players[0].views[table]["own"]["prompt"] == prompt
    await close(*players)
