"""A session with the people and bots at a table: what is sent for them, and what the player reads."""

from pathlib import Path
from typing import Any

import pytest

from client_cli.opening import Opening
from tests.client_cli import evenings, samples
from tests.client_cli.fake import FakeServer, Message, Peer
from tests.client_cli.visits import HERE, RESUME, Script, table, visited


def shown(
    message: Message, version: int, *, from_: int | None = None, happened: list[Message] | None = None
) -> Message:
    """A sample as the view of this version."""
    whole = {"version": version, "from": version if from_ is None else from_, "resync": from_ is None}
    return message | whole | {"happened": happened or []}


@pytest.mark.parametrize(
    ("typed", "sent"),
    [
        ("bot", {"type": "seat_bot", "seat": None, "strength": "hard"}),
        ("bot 3 easy", {"type": "seat_bot", "seat": 2, "strength": "easy"}),
        ("remove jan", {"type": "remove", "player": "p1"}),
        ("pause", {"type": "pause"}),
        ("resume", {"type": "resume"}),
        ("hand over Max", {"type": "hand_over", "player": "p3"}),
        ("vote bot", {"type": "vote", "absence": 5, "choice": "bot"}),
        ("vote end 3", {"type": "vote", "absence": 5, "choice": "end"}),
        ("say Good  evening, Jan!", {"type": "say", "text": "Good  evening, Jan!", "phrase": None}),
        ('"ready?', {"type": "say", "text": "ready?", "phrase": None}),
        ("say 3", {"type": "say", "text": None, "phrase": "well_played"}),
        ("say well played", {"type": "say", "text": None, "phrase": "well_played"}),
    ],
)
async def test_a_command_is_sent(tmp_path: Path, typed: str, sent: Message) -> None:
    """With the public id of who is meant, the number of the absence, the name of the phrase."""
    heard: list[Message] = []

    async def script(peer: Peer) -> None:
        await peer.greet(tables=HERE)
        await peer.say(shown(samples.away(), 4))
        command = await peer.hear()
        heard.append(command.model_dump(exclude={"id", "table"}))
        await peer.reply(command, version=4)
        await peer.stay()

    async with FakeServer(script) as fake:
        assert await visited(fake.server, RESUME, Script(("Deal 3", typed)), tmp_path) == 0
    assert heard == [sent]


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("vote bot 4", "There is nothing for you to vote on."),
        ("say " + "x" * 201, "That is too long: 200 characters at most."),
        ("say 17", "There is no phrase number 17; there are 16. phrases lists them."),
        ("mute Zed", "Nobody is known here as “Zed”."),
        ("set deals=5", "“5” is no value of deals of a match (deals). Possible: 4 to 400 in steps of 4, none."),
        ("mute", "You hear everybody. mute NAME changes that, for you alone."),
        ("hand 2", "hand alone shows your cards; a number alone plays the card at that place."),
    ],
)
async def test_what_cannot_be_is_told_without_the_server(tmp_path: Path, typed: str, told: str) -> None:
    """In words that say what would do."""

    async def script(peer: Peer) -> None:
        await peer.greet(tables=HERE)
        await peer.say(shown(samples.away(), 4))
        await peer.stay()

    console = Script(("Deal 3", typed))
    async with FakeServer(script) as fake:
        assert await visited(fake.server, RESUME, console, tmp_path) == 0
    assert told in console.printed


async def test_a_pause_asks_again_afterwards(tmp_path: Path) -> None:
    """An act in the pause is refused and the reason told; when the table goes on the same question is put anew."""
    mine = samples.own(prompt="q4", actions=["go on", "double 1"])

    async def script(peer: Peer) -> None:
        await peer.greet(tables=HERE)
        await peer.say(table(4, own=mine))
        act = await peer.hear_command("act")
        paused = [{"event": "paused", "seat": 0}]
        standing = samples.paused_lately()["public"]["pause"]
        await peer.say(table(5, from_=4, own=mine | {"actions": []}, pause=standing, happened=paused))
        await peer.refuse(act, "paused", version=5)
        await peer.reply(await peer.hear_command("resume"), version=6)
        await peer.say(table(6, from_=5, own=mine, happened=[{"event": "resumed", "seat": 0}]))
        await peer.stay()

    console = Script(("go on (g)", "g"), ("is paused", "resume"), ("go on (g)", "quit"))
    async with FakeServer(script) as fake:
        assert await visited(fake.server, RESUME, console, tmp_path) == 0
    start = console.printed.index("You pause the table.")
    may = "Nothing can be done until somebody lets it go on; you may: resume."
    assert console.printed[start + 1 : start + 3] == [may, "The table is paused."]
    assert console.printed.count("Jan asks: may I? Answer go on (g), or call.") == 2


async def test_settings_do_not_act_in_a_pause_and_go_on_after_it(tmp_path: Path) -> None:
    """What is automatic waits for the view that offers it again."""
    acts: list[Any] = []
    mine = samples.own(prompt="q4", actions=["go on"])

    async def script(peer: Peer) -> None:
        await peer.greet(tables=HERE)
        await peer.say(table(4, own=mine))
        acts.append(await peer.hear_command("act"))
        await peer.say(table(5, from_=4, own=mine | {"actions": []}, pause=samples.paused()["public"]["pause"]))
        await peer.refuse(acts[0], "paused", version=5)
        await peer.say(table(6, from_=5, own=mine, happened=[{"event": "resumed", "seat": None}]))
        acts.append(await peer.hear_command("act"))
        await peer.reply(acts[1], version=7)
        await peer.say(table(7, from_=6, own=mine | {"actions": []}, happened=[{"event": "match_over"}]))
        await peer.stay()

    console = Script(("match is over", "quit"))
    async with FakeServer(script) as fake:
        assert await visited(fake.server, RESUME, console, tmp_path, auto={"go": True}) == 0
    assert [(act.prompt, act.action) for act in acts] == [("q4", "go on")] * 2


async def test_who_comes_back_after_an_absence_has_his_seat_and_is_asked(tmp_path: Path) -> None:
    """A bot has played meanwhile; that he is away is not said, since he has just come."""
    stood_in = [{"seat": 0, "number": 1, "stand_in": True, "votes": None}]

    async def first(peer: Peer) -> None:
        await peer.greet(tables=HERE)
        await peer.say(table(4))
        peer.socket.transport.abort()

    async def second(peer: Peer) -> None:
        await peer.greet(tables=HERE)
        await peer.say(table(8, absences=stood_in))
        back = [{"event": "returned", "seat": 0}]
        await peer.say(table(9, from_=8, happened=back, own=samples.own(prompt="q9", actions=["go on"])))
        act = await peer.hear_command("act")
        assert act.prompt == "q9"
        await peer.reply(act, version=9)
        await peer.stay()

    console = Script(("You are back and play on.", ""), ("go on (g)", "quit"))
    async with FakeServer(first, second) as fake:
        assert await visited(fake.server, RESUME, console, tmp_path) == 0
    assert not any("count as away" in line or "bot plays" in line for line in console.printed)


async def test_who_is_there_but_counts_as_away_is_told_what_brings_him_back(tmp_path: Path) -> None:
    """When he was too slow, long after he came."""
    stood_in = [{"seat": 0, "number": 1, "stand_in": True, "votes": None}]

    async def script(peer: Peer) -> None:
        await peer.greet(tables=HERE)
        await peer.say(table(4))
        late = [{"event": "absent", "seat": 0}, {"event": "stand_in", "seat": 0}]
        await peer.say(table(5, from_=4, absences=stood_in, happened=late))
        await peer.stay()

    console = Script(("until you are back", "t"), ("The next thing that you do brings you back.", "quit"))
    async with FakeServer(script) as fake:
        assert await visited(fake.server, RESUME, console, tmp_path) == 0


async def test_who_is_muted_is_not_heard(tmp_path: Path) -> None:
    """By his public id, whatever he calls himself then; nobody is told, and he can be heard again."""

    async def script(peer: Peer) -> None:
        await peer.greet(tables=HERE)
        await peer.say(table(4, happened=[]))
        await peer.say(table(5, from_=4, happened=[evenings.talked("one")]))
        first = await peer.hear_command("talk")
        await peer.say(
            table(6, from_=5, happened=[evenings.talked("two", name="Jan II"), evenings.talked("three", seat=2)])
        )
        lines = [evenings.talked("one"), evenings.talked("three", seat=2, name="Ewa")]
        await peer.say(type="talk", id=first.id, table="t1", lines=lines)
        second = await peer.hear_command("talk")
        await peer.say(type="talk", id=second.id, table="t1", lines=lines)
        await peer.stay()

    console = Script(
        ("Jan says: one", "mute Jan"), ("do not hear Jan", "talk"), ("says: three", "mute"), ("not hear", "unmute jan"),
        ("hear Jan again", "talk"),
    )  # fmt: skip
    async with FakeServer(script) as fake:
        assert await visited(fake.server, RESUME, console, tmp_path) == 0
    said = [line for line in console.printed if " says: " in line]
    assert said == ["Jan says: one", "Ewa says: three", "Ewa says: three", "Jan says: one", "Ewa says: three"]
    assert "You do not hear: Jan. unmute NAME changes that." in console.printed


async def test_options_are_set_beside_those_that_stand(tmp_path: Path) -> None:
    """The sheet tells what they are; what is set replaces it, and the change is told to all."""
    sent: list[Any] = []

    async def script(peer: Peer) -> None:
        await peer.greet(tables=HERE)
        await peer.say(samples.waiting() | {"version": 4, "from": 4, "resync": True})
        sheet = await peer.hear_command("sheet")
        await peer.say(samples.sheet() | {"id": sheet.id, "options": samples.WOLSZTYN})
        sent.append(await peer.hear_command("options"))
        changed = [{"event": "options_changed", "options": samples.WOLSZTYN | {"deals": 8}}]
        await peer.say(samples.waiting() | {"version": 5, "from": 4, "happened": changed})
        await peer.reply(sent[0], version=5)
        await peer.stay()

    console = Script(("No deal yet", "set deals=8 talk=phrases"), ("deals = 8", "quit"))
    async with FakeServer(script) as fake:
        assert await visited(fake.server, RESUME, console, tmp_path) == 0
    assert sent[0].options == samples.WOLSZTYN | {"deals": 8, "talk": "phrases"}
    assert not any("owes" in line for line in console.printed)


async def test_the_evening_is_shown_and_written_to_a_new_file(tmp_path: Path) -> None:
    """In a pipe as sentences; an existing file is left as it is."""

    async def script(peer: Peer) -> None:
        await peer.greet(tables=HERE)
        await peer.say(table(4))
        for _ in range(3):
            asked = await peer.hear_command("evening")
            await peer.say(evenings.evening() | {"id": asked.id})
        await peer.stay()

    file = tmp_path / "Our Evening.csv"
    console = Script(("Deal 3", "evening"), ("owes", f"evening csv {file}"), ("written", f"evening json {file}"))
    async with FakeServer(script) as fake:
        assert await visited(fake.server, RESUME, console, tmp_path) == 0
    assert any(line.startswith("Match 1, deals: 16. Ola, seat 1: points 34, +1.20 zł;") for line in console.printed)
    assert f"The sheet of the evening is written to {file}." in console.printed
    assert any("is there already. Name another file." in line for line in console.printed)
    assert file.read_text().startswith("match,name,")


@pytest.mark.parametrize(("typed", "number"), [("explain", 3), ("explain 2", 2)])
async def test_a_deal_is_laid_open(tmp_path: Path, typed: str, number: int) -> None:
    """The last one that was scored, or that of a number; the record is asked for, then what its cards were worth."""
    asked: list[str] = []
    hands = [["AH", "QC", "JD", "TS"]] * 4
    scored = {"event": "deal_scored", "line": samples.line(), "hands": hands, "secret": "00" * 32}

    async def script(peer: Peer) -> None:
        await peer.greet(tables=HERE)
        await peer.say(table(4))
        await peer.say(table(5, from_=4, happened=[scored]))
        record = await peer.hear_command("record")
        asked.append(record.record)
        await peer.socket.send(evenings.packed({"type": "record", "id": record.id, "record": evenings.record()}))
        explain = await peer.hear_command("explain")
        asked.append(explain.record)
        told = evenings.explanation()
        await peer.say(type="explanation", id=explain.id, record=explain.record, explanation=told)
        await peer.stay()

    console = Script(("Deal 3, ordinary", typed))
    async with FakeServer(script) as fake:
        assert await visited(fake.server, RESUME, console, tmp_path) == 0
    assert asked == [f"t1-1-{number}"] * 2
    assert "Trick 1, Jan: J♥ instead of 10♥ gave 21 card points away." in console.printed


@pytest.mark.parametrize(
    ("listed", "number"), [([("t1", 1, 2), ("t1", 1, 4), ("t2", 1, 9)], 4), ([("t2", 1, 9)], None)]
)
async def test_the_last_deal_is_looked_up_where_the_session_has_not_seen_it(
    tmp_path: Path, listed: list[tuple[str, int, int]], number: int | None
) -> None:
    """In the player's records: numbers of annulled deals have none, and what was seen may be long ago."""
    asked: list[str] = []
    scored = {"event": "deal_scored", "line": samples.line(), "hands": [["AH"]] * 4, "secret": "00" * 32}

    async def first(peer: Peer) -> None:
        await peer.greet(tables=HERE)
        await peer.say(table(4))
        await peer.say(table(5, from_=4, happened=[scored]))
        peer.socket.transport.abort()

    async def second(peer: Peer) -> None:
        await peer.greet(tables=HERE)
        await peer.say(table(9, play=samples.play(deal=6, scored=4)))
        records = await peer.hear_command("records")
        lines = [{"record": f"{t}-{m}-{d}", "table": t, "match": m, "deal": d} for t, m, d in listed]
        await peer.socket.send(evenings.packed({"type": "records", "id": records.id, "records": lines}))
        if number is not None:
            record = await peer.hear_command("record")
            asked.append(record.record)
            await peer.refuse(record, "no_such_record")
        await peer.stay()

    console = Script(("Deal 5 of 16, number 6", "explain"))
    async with FakeServer(first, second) as fake:
        assert await visited(fake.server, RESUME, console, tmp_path) == 0
    assert asked == ([] if number is None else [f"t1-1-{number}"])
    assert number is not None or "This record is for those who sat there." in console.printed[-2]


async def test_between_deals_the_last_line_says_which_deal_it_was(tmp_path: Path) -> None:
    """Though its number is not the one before the next deal's."""
    asked: list[str] = []

    async def script(peer: Peer) -> None:
        await peer.greet(tables=HERE)
        await peer.say(table(4, stage="between", play=samples.play(phase="ready", deal=6, last=samples.line(4))))
        record = await peer.hear_command("record")
        asked.append(record.record)
        await peer.refuse(record, "no_such_record")
        await peer.stay()

    async with FakeServer(script) as fake:
        assert await visited(fake.server, RESUME, Script(("Deal 3", "explain")), tmp_path) == 0
    assert asked == ["t1-1-4"]


async def test_without_a_finished_deal_nothing_can_be_laid_open(tmp_path: Path) -> None:
    """Told without the server."""

    async def script(peer: Peer) -> None:
        await peer.greet(tables=HERE)
        await peer.say(samples.waiting() | {"version": 4, "from": 4, "resync": True})
        await peer.stay()

    console = Script(("No deal yet", "explain"))
    async with FakeServer(script) as fake:
        assert await visited(fake.server, RESUME, console, tmp_path) == 0
    assert "No deal of this table is finished yet." in console.printed


async def test_bots_sit_down_at_a_table_that_is_opened(tmp_path: Path) -> None:
    """One after the other; a refusal is told and ends it."""
    asked: list[str] = []

    async def script(peer: Peer) -> None:
        await peer.greet()
        create = await peer.hear_command("create")
        await peer.say(samples.waiting() | {"version": 4, "from": 4, "resync": True})
        await peer.reply(create, version=4, code="ABCDEFGHJKMN")
        seat_bot = await peer.hear_command("seat_bot")
        asked.append(seat_bot.strength)
        await peer.refuse(seat_bot, "too_many")
        await peer.stay()

    console = Script(("too fast", "quit"))
    async with FakeServer(script) as fake:
        opening = Opening("create", bots=2, strength="medium")
        assert await visited(fake.server, opening, console, tmp_path) == 0
    assert asked == ["medium"]


async def test_lobby_shows_bots_as_bots(tmp_path: Path) -> None:
    """With the mark that they have everywhere."""

    async def script(peer: Peer) -> None:
        await peer.greet()
        asked = await peer.hear_command("list")
        entry = {"table": "t7", "game": "kop", "stage": "deal", "names": ["Ola", "Ada", None, None], "age": 3}
        lobby = [entry | {"bots": [False, True, False, False], "options": samples.OPTIONS}]
        await peer.say(type="lobby", id=asked.id, tables=lobby)
        await peer.stay()

    console = Script()
    async with FakeServer(script) as fake:
        assert await visited(fake.server, Opening("list"), console, tmp_path) == 0
    assert console.printed == ["t7  Ola, Ada (bot), free, free  (playing, klassisch, 16 deals)"]
