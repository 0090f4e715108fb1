"""A player's session where all call in turn, in the shuffle, and as an owner: what is sent, and what is read."""

from pathlib import Path
from typing import Any

import pytest

from client_cli.contribution import seat_commitment
from client_cli.kept import KeptFile
from client_cli.opening import Opening
from tests.client_cli import samples
from tests.client_cli.fake import FakeServer, Message, Peer
from tests.client_cli.visits import HERE, RESUME, Script, table, visited

READY = {"phase": "ready", "turn": None, "cards": [0] * 4}


def offered(version: int, **changes: Any) -> Message:
    """The deal is on offer, and the reader, who cuts, may be ready."""
    own = samples.own(hand=[], prompt="q4", actions=["ready", "ready 7"])
    return table(version, stage="between", play=samples.turn_play(**READY), own=own, **changes)


def opening(version: int, words: str, *, from_: int | None, opened: tuple[int, ...] = ()) -> Message:
    """All are ready; the reader's commitment and another one stand."""
    stand = {"commitments": [words, "cd" * 32, "", ""], "cut": None, "opened": list(opened)}
    play = samples.turn_play(**READY | {"phase": "opening", "opening": stand, "deadline": 1_000_003_000})
    happened = [{"event": "opening_begun", "commitments": stand["commitments"], "cut": None}]
    own = samples.own(hand=[], prompt="q5")
    return table(version, from_=from_, play=play, own=own, happened=happened if from_ is not None else [])


@pytest.mark.parametrize(("typed", "cut"), [("ready 7", 7), ("", 0)])
async def test_ready_commits_and_is_opened_by_itself(tmp_path: Path, typed: str, cut: int) -> None:
    """The words of ready are a commitment; what was committed to is opened to the newest prompt."""
    acts: list[Any] = []

    async def script(peer: Peer) -> None:
        await peer.greet(tables=HERE)
        await peer.say(offered(4))
        acts.append(await peer.hear_command("act"))
        await peer.reply(acts[0], version=5)
        await peer.say(opening(5, acts[0].action.removeprefix("ready "), from_=4))
        acts.append(await peer.hear_command("act"))
        await peer.reply(acts[1], version=6)
        await peer.stay()

    console = Script(("Ready for deal 3?", typed), ("shuffle together", "quit"))
    async with FakeServer(script) as fake:
        assert await visited(fake.server, RESUME, console, tmp_path) == 0
        [kept] = KeptFile(tmp_path, "default", fake.server.base).deals.values()
    word, secret, *number = acts[1].action.split()
    assert (word, acts[1].prompt, number) == ("open", "q5", [str(cut)] if cut else [])
    assert acts[0].action == f"ready {seat_commitment(bytes.fromhex(secret), cut)}"
    assert (kept.own[0].secret, kept.ready) == (secret, kept.own[0].commitment)
    assert console.printed.count("All are ready and shuffle together.") == 1


async def test_a_program_that_was_started_anew_opens_too(tmp_path: Path) -> None:
    """The bytes are in the file before they are committed to."""
    words: list[str] = []
    opened: list[str] = []

    async def first(peer: Peer) -> None:
        await peer.greet(tables=HERE)
        await peer.say(offered(4))
        ready = await peer.hear_command("act")
        words.append(ready.action.removeprefix("ready "))
        await peer.reply(ready, version=4)
        await peer.stay()

    async def second(peer: Peer) -> None:
        await peer.greet(tables=HERE)
        await peer.say(opening(6, words[0], from_=None))
        opened.append((await peer.hear_command("act")).action)
        await peer.say(opening(7, words[0], from_=6, opened=(0,)))
        await peer.stay()

    async with FakeServer(first, second) as fake:
        await visited(fake.server, RESUME, Script(("Ready for", "")), tmp_path)
        await visited(fake.server, RESUME, Script(("shuffle together", "quit")), tmp_path)
    assert seat_commitment(bytes.fromhex(opened[0].removeprefix("open ")), 0) == words[0]


async def test_an_owner_who_starts_is_ready_first(tmp_path: Path) -> None:
    """So that his bytes are in the cards; if all are ready then, the deal begins by itself."""
    kinds: list[str] = []

    async def script(peer: Peer) -> None:
        await peer.greet(tables=HERE)
        await peer.say(offered(4))
        ready = await peer.hear_command("act")
        await peer.say(table(5, from_=4, stage="between", play=samples.turn_play(**READY), own=samples.own(hand=[])))
        await peer.reply(ready, version=5)
        start = await peer.hear_command("start")
        kinds.extend((ready.action.split()[0], start.type))
        await peer.reply(start, version=5)
        await peer.stay()

    async with FakeServer(script) as fake:
        assert await visited(fake.server, RESUME, Script(("Ready for deal 3?", "start")), tmp_path) == 0
    assert kinds == ["ready", "start"]


async def test_who_waves_too_late_is_not_told_of_a_question(tmp_path: Path) -> None:
    """The pause after the lead was over: nothing is wrong."""

    async def script(peer: Peer) -> None:
        await peer.greet(tables=HERE)
        await peer.say(samples.late_calls() | {"version": 4, "from": 4, "resync": True})
        await peer.refuse(await peer.hear_command("act"), "no_question")
        await peer.stay()

    console = Script(("Still kontra", ""))
    async with FakeServer(script) as fake:
        assert await visited(fake.server, RESUME, console, tmp_path) == 0
    assert not any("question" in line for line in console.printed)


async def test_a_server_that_changes_its_commitment_is_told_and_gets_no_bytes(tmp_path: Path) -> None:
    """Else it could wait for honest bytes and then choose."""

    async def script(peer: Peer) -> None:
        await peer.greet(tables=HERE)
        await peer.say(offered(4))
        ready = await peer.hear_command("act")
        await peer.reply(ready, version=5)
        changed = opening(5, ready.action.removeprefix("ready "), from_=4)
        changed["public"]["play"]["commitment"] = "ab" * 32
        await peer.say(changed)
        leave = await peer.hear_command("leave")
        await peer.reply(leave, version=6, seat=None)
        await peer.say(type="closed", table="t1", reason="left")
        await peer.stay()

    console = Script(("Ready for", ""), ("Careful", "leave"))
    async with FakeServer(script) as fake:
        await visited(fake.server, RESUME, console, tmp_path)
    assert sum("Careful, about the shuffle" in line for line in console.printed) == 1


async def test_a_shuffle_goes_on_without_a_file(tmp_path: Path) -> None:
    """Where no note can be kept, nothing is committed to, and the player is told once."""
    acts: list[Any] = []

    async def script(peer: Peer) -> None:
        await peer.greet(tables=HERE)
        await peer.say(offered(4))
        acts.append(await peer.hear_command("act"))
        await peer.reply(acts[0], version=5)
        await peer.say(offered(5))
        await peer.stay()

    file = tmp_path / "no folder"
    file.write_text("")
    console = Script(("Ready for", "ready 7"))
    async with FakeServer(script) as fake:
        await visited(fake.server, RESUME, console, file)
    assert acts[0].action == "ready 7"
    assert sum("take no part" in line for line in console.printed) == 1


async def test_all_call_in_turn_with_empty_lines(tmp_path: Path) -> None:
    """The first is the question, the next a pass, then the opening lead is let pass: never a call."""
    acts: list[Any] = []

    async def script(peer: Peer) -> None:
        await peer.greet(tables=HERE)
        await peer.say(table(4, play=samples.turn_play(turn=1)))
        steps = (samples.first_words(), samples.my_call(), samples.late_calls())
        for version, message in enumerate(steps, start=5):
            message["own"]["prompt"] = f"q{version}"
            await peer.say(message | {"from": version - 1, "version": version})
            acts.append(await peer.hear_command("act"))
            await peer.reply(acts[-1], version=version)
        await peer.stay()

    console = Script(("You speak first", ""), ("Your turn to call", ""), ("Still kontra", ""))
    async with FakeServer(script) as fake:
        assert await visited(fake.server, RESUME, console, tmp_path) == 0
    assert [act.action for act in acts] == ["ask", "pass", "go on"]


async def test_settings_pass_and_wave_by_themselves(tmp_path: Path) -> None:
    """`auto go` passes in turn and does not hold up the lead; `auto ask` asks."""
    acts: list[Any] = []

    async def script(peer: Peer) -> None:
        await peer.greet(tables=HERE)
        for version, message in enumerate((samples.first_words(), samples.my_call(), samples.late_calls()), start=4):
            message["own"]["prompt"] = f"q{version}"
            await peer.say(message | {"from": version - 1, "version": version, "resync": version == 4})
            acts.append(await peer.hear_command("act"))
            await peer.reply(acts[-1], version=version)
        await peer.say(table(7, from_=6, happened=[{"event": "match_over"}]))
        await peer.stay()

    console = Script(("match is over", "quit"))
    async with FakeServer(script) as fake:
        assert await visited(fake.server, RESUME, console, tmp_path, auto={"ask": True, "go": True}) == 0
    assert [act.action for act in acts] == ["ask", "pass", "go on"]


async def test_a_card_that_was_taken_back_stays_in_sight(tmp_path: Path) -> None:
    """It is told, and the table shows it until it lies again."""

    async def script(peer: Peer) -> None:
        await peer.greet(tables=HERE)
        await peer.say(table(4))
        happened = [
            {"event": "said", "seat": 3, "say": "double 1"},
            {"event": "lead_taken_back", "seat": 1, "card": "TH"},
        ]
        await peer.say(samples.my_call() | {"from": 4, "version": 5, "happened": happened})
        await peer.stay()

    console = Script(("takes 10♥ back", "table"), ("Jan has shown 10♥.", "quit"))
    async with FakeServer(script) as fake:
        assert await visited(fake.server, RESUME, console, tmp_path) == 0
    assert "Max: kontra!" in console.printed


async def test_an_owner_annuls_a_deal_that_cannot_go_on(tmp_path: Path) -> None:
    """Where a seat is empty he is told that he can; then the hands are laid open."""

    async def script(peer: Peer) -> None:
        await peer.greet(tables=HERE)
        await peer.say(table(4))
        left = [{"event": "seat_left", "seat": 2, "name": "Ewa"}]
        await peer.say(samples.seat_empty() | {"from": 4, "version": 5, "happened": left})
        annul = await peer.hear_command("annul")
        assert annul.prompt == "q1"
        await peer.reply(annul, version=6)
        void = {"event": "deal_annulled", "deal": 3, "hands": [["AH"] * 4] * 4, "secret": "00" * 32}
        await peer.say(table(6, from_=5, play=samples.play(deal=4, phase="ready"), stage="between", happened=[void]))
        await peer.stay()

    console = Script(("A seat is empty", "annul"), ("is annulled", "table"), ("number 4", "quit"))
    async with FakeServer(script) as fake:
        assert await visited(fake.server, RESUME, console, tmp_path) == 0
    assert any(line.startswith("Deal 3 of 16, number 4, ") for line in console.printed)


async def test_an_owner_removes_a_person_not_a_seat(tmp_path: Path) -> None:
    """So that nobody who has just sat down there is meant; an empty seat is told at once."""
    removed: list[str] = []

    async def script(peer: Peer) -> None:
        await peer.greet(tables=HERE)
        await peer.say(samples.seat_empty() | {"version": 4, "from": 4, "resync": True})
        remove = await peer.hear_command("remove")
        removed.append(remove.player)
        await peer.reply(remove, version=4)
        await peer.stay()

    console = Script(("Deal 3", "remove 3"), ("Nobody sits", "remove max"))
    async with FakeServer(script) as fake:
        assert await visited(fake.server, RESUME, console, tmp_path) == 0
    assert removed == ["p3"]


async def test_the_rules_of_the_table_are_shown(tmp_path: Path) -> None:
    """Asked for when they are wanted, with a mark at what differs from the named set; the sheet itself is not shown."""

    async def script(peer: Peer) -> None:
        await peer.greet(tables=HERE)
        await peer.say(table(4))
        sheet = await peer.hear_command("sheet")
        await peer.say(samples.sheet() | {"id": sheet.id, "options": samples.WOLSZTYN})
        await peer.stay()

    console = Script(("Deal 3", "rules"), ("Rules: wolsztyn", "quit"))
    async with FakeServer(script) as fake:
        assert await visited(fake.server, RESUME, console, tmp_path) == 0
    marked = [line.split() for line in console.printed if line.startswith("* ")]
    assert marked == [["*", "cap_zolo_du", "none", "instead", "of", "2"]]
    assert not any("owes" in line for line in console.printed)


async def test_options_that_clash_are_named_in_the_users_words(tmp_path: Path) -> None:
    """Both fields, and a value that is not possible with its field."""

    async def script(peer: Peer) -> None:
        await peer.greet()
        create = await peer.hear_command("create")
        assert create.options == {"calling": "in_turn"}
        await peer.refuse(create, "options_clash", detail="calling passes_to_close")
        await peer.stay()

    console = Script()
    async with FakeServer(script) as fake:
        opened = Opening("create", options={"calling": "in_turn"})
        assert await visited(fake.server, opened, console, tmp_path) == 1
    both = "way of calling (calling) and passes that close the calls (passes_to_close)"
    assert console.printed == [f"{both} do not go together with these values."]
