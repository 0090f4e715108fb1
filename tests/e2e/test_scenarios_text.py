"""What could not be read, or read too well, at comparable servers; here each is a test named after its report."""

import asyncio
import os
import sys
import unicodedata
from collections.abc import Callable
from pathlib import Path

import pytest

from client_cli.clean import clean, clean_name
from protocol.codec import Encoding
from tests.e2e.script import close
from tests.e2e.test_names import BAD
from tests.e2e.test_talk import MARKUP
from tests.servers import ServerProcess
from tests.trouble.players import Steady, scored
from tests.wire import PATIENCE, RefusedError, Wire

NAMES = ("<b>Ada</b>", "<script>alert(1)</script", "[bold]Ewa[/bold] %s {0}", "&lt;Max&gt; \\x1b[31m")


class Lines:
    """The program `kop` in a pipe: what it says, line by line, and what is typed when it says something."""

    def __init__(self, server: ServerProcess, folder: Path, react: Callable[[str], str | None]) -> None:
        self.said: list[str] = []
        self._react = react
        self._surroundings = {
            **os.environ,
            "KOP_HOME": str(folder),
            "KOP_SERVER": f"http://127.0.0.1:{server.port}",
            "LC_ALL": "C.UTF-8",
        }

    async def run(self, *arguments: str) -> None:
        """Runs it to its end."""
        command = [sys.executable, "-m", "client_cli.main", "--plain", "--lang", "en", *arguments]
        pipe = asyncio.subprocess.PIPE
        process = await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe, env=self._surroundings)
        assert process.stdout is not None
        assert process.stdin is not None
        async with asyncio.timeout(2 * PATIENCE):
            async for raw in process.stdout:
                line = raw.decode()
                self.said.append(line.rstrip("\n"))
                typed = self._react(self.said[-1])
                if typed is not None:
                    process.stdin.write(f"{typed}\n".encode())
            assert await process.wait() == 0
        check_plain(self.said)


def check_plain(said: list[str]) -> None:
    """No line steers a terminal: nothing moves the cursor, colours, hides or turns the direction."""
    assert not {unicodedata.category(char) for line in said for char in line} & {"Cc", "Cf", "Zl", "Zp"}


async def check_escapes(wire: Wire, table: str) -> None:
    """Escapes are refused as names and as talk; from a dishonest server they do not reach the terminal."""
    for name in ("terminal escape", "one-byte escape", "right-to-left override", "line feed"):
        stranger = Wire(wire.url, BAD[name])
        with pytest.raises(RefusedError, match="bad_name"):
            await stranger.open()
        await stranger.drop()
        assert (await wire.refused("say", table=table, text=BAD[name]))["code"] == "bad_text"
        assert clean_name(BAD[name])
        check_plain([clean(BAD[name])])


async def test_markup_and_escapes_in_names(server: ServerProcess, tmp_path: Path) -> None:
    """Names and talk that look like markup are told letter for letter, to programs and in lines; no escape is."""
    wires = [Wire(server.url, name, tuple(Encoding)[seat % 2]) for seat, name in enumerate(NAMES)]
    for wire in wires:
        await wire.open()
    created = await wires[0].ask("create", private=False)
    table = created["table"]
    for wire in wires[1:]:
        await wire.ask("join", table=table)
    for wire in wires:
        view = await wire.view(table, lambda view: None not in view["public"]["seats"])
        assert [sitter["name"] for sitter in view["public"]["seats"]] == list(NAMES)
        (listed,) = [one for one in (await wire.ask("list"))["tables"] if one["table"] == table]
        assert listed["names"] == list(NAMES)
    await check_escapes(wires[0], table)
    left = [*MARKUP]

    def react(line: str) -> str | None:
        if "are watching" in line:
            say.set()
        for text in MARKUP:
            if line.endswith(text) and text in left:
                left.remove(text)
        return None if left else "quit"

    say = asyncio.Event()
    kop = Lines(server, tmp_path, react)
    async with asyncio.TaskGroup() as group:
        group.create_task(kop.run("watch", table, "--name", "Eye"))
        await say.wait()
        for text in MARKUP:
            await wires[1].ask("say", table=table, text=text)
    for name in NAMES:
        assert any(name in line for line in kop.said), name
    await close(*wires)


def answers(line: str) -> str | None:
    """What a player types who knows nothing but the lines that he is read."""
    if line.startswith("Ready for deal"):
        return "r"
    if line.startswith("You lead. Ask first"):
        return "a"
    if "asks: may I? Answer go on" in line:
        return "g"
    if line.startswith(("You lead: ", "Your turn: ")):
        return line.split(": ")[1].split(" ")[0].strip(" .")
    return None


async def test_blind_players(server: ServerProcess, tmp_path: Path) -> None:
    """A player who hears lines, and types, plays two deals: all that happens is told once, in its order, as a sentence.

    Nothing is drawn again: a line that was read stays as it was. Tricks, hand, sheet and table can be asked for.
    """
    others = [Steady(lambda: server.url, name) for name in ("Ada", "Bolek", "Cela")]
    for player in others:
        await player.come()
    created = await others[0].do("create", options={"deals": 4, "answer_seconds": None})
    table = created["table"]
    for player in others[1:]:
        await player.do("join", code=created["code"])
    asked = iter(("tricks", "hand", "sheet", "table", "?", "quit"))

    def react(line: str) -> str | None:
        if line.startswith("Deal 2, "):
            return "\n".join(asked)
        return answers(line)

    kop = Lines(server, tmp_path, react)
    async with asyncio.TaskGroup() as group:
        group.create_task(kop.run("join", created["code"], "--name", "Zed"))
        for player in others:
            group.create_task(player.play(table, scored(2)))
    happened = [event for one in others[0].wire.heard if one["type"] == "table" for event in one["happened"]]
    played = [(event["seat"], event["card"]) for event in happened if event["event"] == "card_played"]
    names = ("Ada", "Bolek", "Cela", "You")
    sentences = [f"{names[seat]} play{'' if seat == 3 else 's'} {shown(card)}." for seat, card in played]
    assert len(sentences) == 32
    assert [line for line in kop.said if line in set(sentences)] == sentences
    assert sum("the trick: " in line and "take" in line for line in kop.said) == 8
    results = [line for line in kop.said if line.startswith(("Deal 1, ", "Deal 2, "))]
    assert {line[:6] for line in results} == {"Deal 1", "Deal 2"}
    assert sum(line.startswith("Trick ") for line in kop.said) >= 4
    assert any(line.startswith("Points: ") for line in kop.said)
    assert kop.said[-1].startswith("Good bye. Your seat is kept")
    for player in others:
        await player.close()


def shown(card: str) -> str:
    """A card as the program writes it."""
    return card[0].replace("T", "10") + {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}[card[1]]
