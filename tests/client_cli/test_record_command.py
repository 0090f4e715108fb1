"""`kop record` in every language: what it tells, what it writes, and how it fails."""

import asyncio
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from client_cli.cards import face_of
from client_cli.catalogue import LANGUAGES, load
from client_cli.clean import width
from client_cli.presence import Asked
from client_cli.record_command import RecordCommand, needs_server
from client_cli.style import Line, plain
from client_cli.witness import Kept, Key
from tests.cheating import CASES, ME, Case
from tests.client_cli import evenings
from tests.parties import Party, contributor, played

Record = dict[str, Any]


class Archive:
    """Answers as a server that holds these records; the first one is shared."""

    def __init__(self, records: Sequence[Record]) -> None:
        self.records = {record["record"]: record for record in records}
        self.asked: list[str] = []

    def post(self, kind: str, **fields: object) -> Asked:
        """A command whose answer is there at once."""
        answer: asyncio.Future[Record] = asyncio.get_running_loop().create_future()
        answer.set_result(self._answer(kind, fields))
        self.asked.append(kind)
        return Asked(len(self.asked), answer)

    def _answer(self, kind: str, fields: Mapping[str, object]) -> Record:
        if kind == "records":
            names = ("record", "game", "table", "match", "deal", "at", "seats")
            return {
                "type": "records",
                "records": [{name: one[name] for name in names} for one in self.records.values()],
            }
        found = next(iter(self.records.values())) if fields.get("code") == "7KQ2-MZX4-V93H" else None
        found = found or self.records.get(str(fields.get("record")))
        if found is None:
            return {"type": "error", "code": "no_such_record", "text": "There is no such record."}
        if kind == "explain":
            return {"type": "explanation", "record": found["record"], "explanation": evenings.explanation()}
        if kind == "share":
            return {"type": "shared", "record": found["record"], "code": "7KQ2MZX4V93H"}
        return {"type": "record", "record": found}


class Told:
    """A command with everything that it has printed."""

    def __init__(self, archive: Archive | None, kept: Mapping[Key, Kept] | None = None, language: str = "en") -> None:
        texts = load(language)
        self.lines: list[str] = []
        self.command = RecordCommand(archive, texts, face_of(texts, unicode=True), self._show, lambda: kept or {})

    @property
    def text(self) -> str:
        """Everything that was printed."""
        return "\n".join(self.lines)

    def _show(self, lines: list[Line]) -> None:
        self.lines += [plain(line) for line in lines]


@pytest.fixture
def case(tmp_path: Path) -> Case:
    """Two honest deals."""
    return CASES["honest"](tmp_path)


async def test_list(case: Case) -> None:
    """A line for each record, with its name, number and who sat there; with none a sentence."""
    told = Told(Archive(case.records))
    assert await told.command.listing() == 0
    assert [line.split()[0] for line in told.lines] == ["t1-1-1", "t1-1-2"]
    assert "match 1, deal 2: Ola, Jan, Ewa, Max" in told.lines[1]
    empty = Told(Archive([]))
    assert await empty.command.listing() == 0
    assert "no records yet" in empty.text


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("rules", ["klassisch", "pagat", "wolsztyn", "koscian"])
async def test_show_and_replay_in_every_language(rules: str, language: str) -> None:
    """Every deal of some matches can be shown and replayed: hands, calls, four tricks, the result."""
    for record in played({"rules": rules, "deals": 4}, 3):
        told = Told(Archive([record]), language=language)
        assert await told.command.show(record["record"]) == 0
        texts = load(language)
        tricks = [
            texts("tricks.line", number=number, cards="|", name="", eyes="").split("|")[0] for number in range(1, 5)
        ]
        assert [line for line in told.lines if line.startswith(tuple(tricks))][3].startswith(tricks[3])
        assert all(name in told.text for name in ("Ola", "Jan", "Ewa", "Max"))
        asked = texts("happened.ask", name="").strip()
        assert "?" not in told.text.replace(asked, "")
        replayed = Told(Archive([record]), language=language)
        assert await replayed.command.replay(record["record"]) == 0
        assert replayed.lines[-1] == texts("record.replayed")
        assert len(replayed.lines) > len(told.lines)


@pytest.mark.parametrize("language", LANGUAGES)
async def test_records_fit_eighty_columns(case: Case, language: str) -> None:
    """With the longest names too; a hand is never torn apart."""
    names = [f"Bartłomiej {name} Nowakowski" for name in "ABCD"]
    record = case.records[0] | {"seats": [name[:24] for name in names]}
    told = Told(Archive([record]), language=language)
    assert await told.command.replay(record["record"]) == 0
    assert await told.command.show(record["record"]) == 0
    assert await told.command.verify([record["record"]]) == 0
    assert [line for line in told.lines if width(line) > 80] == []
    left = load(language)("record.left", hands="")
    assert any(line.startswith(left) and line.endswith(";") for line in told.lines)


async def test_replay_fails_when_the_result_differs(case: Case) -> None:
    """A record whose money was changed is refused, loudly, and nothing of it is shown as true."""
    case.records[0]["line"]["money"] = [9, -3, -3, -3]
    for action in ("replay", "show"):
        told = Told(Archive(case.records))
        assert await getattr(told.command, action)("t1-1-1") == 1
        assert "does not follow the rules, or its result is another one" in told.text
        assert len(told.lines) == 1


@pytest.mark.parametrize("target", ["7KQ2-MZX4-V93H", "t1-1-1"])
async def test_by_name_and_by_code(case: Case, target: str) -> None:
    """A record is found by its name, or by a code that somebody gave."""
    told = Told(Archive(case.records))
    assert await told.command.show(target) == 0
    assert told.lines[0].startswith("Deal 1 of match 1")


@pytest.mark.parametrize("target", ["t9-1-1", "ABCD-EFGH-JKMN", "nothing.json", "no/such/file", ""])
async def test_what_is_not_there_is_refused(case: Case, target: str) -> None:
    """An unknown name, code or file: the server's refusal in words, and exit code 1."""
    for action in ("show", "replay", "export"):
        told = Told(Archive(case.records))
        assert await getattr(told.command, action)(target) == 1
        assert told.text == load("en")("error.no_such_record")
    told = Told(Archive(case.records))
    assert await told.command.share(target) == 1
    assert await told.command.verify([target]) == 1


async def test_export_and_read_again(case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file holds the record as it is, is named after it, and an existing one is never written over."""
    monkeypatch.chdir(tmp_path)
    told = Told(Archive(case.records))
    assert await told.command.export("t1-1-2") == 0
    assert json.loads((tmp_path / "t1-1-2.json").read_text(encoding="utf-8")) == case.records[1]
    assert await told.command.export("t1-1-1", tmp_path / "t1-1-2.json") == 1
    assert json.loads((tmp_path / "t1-1-2.json").read_text(encoding="utf-8")) == case.records[1]
    assert await told.command.export("t1-1-1", tmp_path / "no" / "such.json") == 1
    alone = Told(None)
    assert await alone.command.replay("t1-1-2.json") == 0
    assert not needs_server(["t1-1-2.json"])
    assert needs_server(["t1-1-2.json", "t1-1-1"])


async def test_without_a_server_only_files_are_read(case: Case) -> None:
    """Everything else says that there is no server to ask."""
    told = Told(None, case.kept)
    assert await told.command.show("t1-1-1") == 1
    assert await told.command.listing() == 1
    assert await told.command.share("t1-1-1") == 1
    assert set(told.lines) == {load("en")("record.no_server")}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("target", ["7KQ2-MZX4-V93H", "t1-1-1", "file"])
async def test_explain(case: Case, target: str, language: str, tmp_path: Path) -> None:
    """By name, by a code, or the record in a file by its name: hands, the best result, what each card gave away."""
    archive, texts = Archive(case.records), load(language)
    if target == "file":
        file = tmp_path / "r.json"
        file.write_text(json.dumps(case.records[0]), encoding="utf-8")
        target = str(file)
    told = Told(archive, language=language)
    assert await told.command.explain(target) == 0
    assert archive.asked[-1] == "explain"
    assert told.lines[0] == texts("open_hands.title", deal=1, match=1)
    assert "21" in told.text
    assert all(width(line) <= 79 for line in told.lines)


async def test_explain_needs_a_server_that_knows_the_record(case: Case, tmp_path: Path) -> None:
    """Without one it says so; what the server refuses is told."""
    file = tmp_path / "r.json"
    file.write_text(json.dumps(case.records[0] | {"record": "t9-1-1"}), encoding="utf-8")
    for archive, why in ((None, "record.no_server"), (Archive(case.records), "error.no_such_record")):
        told = Told(archive)
        assert await told.command.explain(str(file)) == 1
        assert told.text == load("en")(why)


async def test_bots_and_what_was_done_for_the_absent_are_shown(case: Case) -> None:
    """A bot has its mark; a card that was not the player's own is told, in the whole deal and act by act."""
    record = case.records[0]
    card = next(act for act, (_, words) in enumerate(record["acts"]) if words.startswith("play "))
    record |= {"bots": [False, True, False, False], "acted_for": [0, card]}
    told = Told(Archive(case.records))
    assert await told.command.show("t1-1-1") == 0
    assert "Jan (bot): " in told.text
    assert "Played by somebody else in that seat (a bot, the clock, a successor): " in told.text
    replayed = Told(Archive(case.records))
    assert await replayed.command.replay("t1-1-1") == 0
    assert replayed.text.count("(by somebody else)") == 2


async def test_share(case: Case) -> None:
    """The code is shown in groups."""
    told = Told(Archive(case.records))
    assert await told.command.share("t1-1-1") == 0
    assert told.text.endswith("7KQ2-MZX4-V93H")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", CASES)
async def test_verify_in_every_language(name: str, language: str, tmp_path: Path) -> None:
    """Every way to cheat is told in words, with exit code 1; an honest deal or a doubt with 0."""
    case = CASES[name](tmp_path)
    file = tmp_path / "records.json"
    file.write_text(json.dumps(case.records), encoding="utf-8")
    told = Told(None, case.kept, language)
    code = await told.command.verify([str(file)])
    cheated = load(language)("record.cheated", record=case.records[-1]["record"])
    assert (cheated in told.lines) == (code == 1)
    assert (code == 1) == (name not in ("honest", "annulled_openly", "opening_said_to_be_late", "store_went_back"))
    if name == "honest":
        assert told.lines == [load(language)("record.nobody_chose", record=f"t1-1-{deal}") for deal in (1, 2)]


async def test_verify_asks_for_the_deal_before(tmp_path: Path) -> None:
    """One record by name: the player's own record before it is held against it, so a hidden deal shows."""
    case = CASES["annulled_in_silence"](tmp_path)
    told = Told(Archive(case.records))
    assert await told.command.verify(["t1-1-3"]) == 1
    assert [line for line in told.lines if line.startswith("t1-1-")] == ["t1-1-3: NOT in order:"]
    assert any("another seat would have dealt" in line for line in told.lines)


async def test_findings_name_the_seat(tmp_path: Path) -> None:
    """Whose bytes were changed is said by name."""
    case = CASES["accomplice_chose_last"](tmp_path)
    told = Told(Archive(case.records), case.kept)
    assert await told.command.verify(["t1-1-1"]) == 1
    found = "  - the commitment of Ola is not the one that you had seen before anybody opened."
    assert found in " ".join(told.lines)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"5",
        b"{}",
        b"[[]]",
        b'{"record": 5}',
        b"\xff",
        b"[" * 100_000,
        b'{"record":"x","format":1,"game":"kop"}',
    ],
)
async def test_files_that_are_no_records(content: bytes, tmp_path: Path) -> None:
    """Any other file is refused in words, never with a fault."""
    file = tmp_path / "file.json"
    file.write_bytes(content)
    for action in ("show", "replay", "export"):
        told = Told(None)
        assert await getattr(told.command, action)(str(file)) == 1
        assert told.lines
    told = Told(None)
    assert await told.command.verify([str(file)]) == 1


async def test_a_newer_record_is_not_judged(case: Case) -> None:
    """A record of a later format, or of another game, is no cheating: this program cannot read it."""
    for change in ({"format": 2}, {"game": "patience"}):
        told = Told(Archive([{**case.records[0], **change}]))
        assert await told.command.verify(["t1-1-1"]) == 1
        assert "newer server" in told.text


async def test_nothing_in_a_record_reaches_the_terminal_raw(tmp_path: Path) -> None:
    """Names, options and ids with escapes in them are shown without them."""
    party = Party({"deals": 4, "currency": "zł"}, 3, {ME: contributor(tmp_path, ME)})
    record = party.deal()
    evil = "\x1b[2J\u202e"
    record["seats"] = [f"A{evil}"] * 4
    record["options"]["doubling_names"] = ",".join(f"k{number}\x1b" for number in range(4))
    record["options"]["rules"] = "klassisch"
    file = tmp_path / "r.json"
    file.write_text(json.dumps(record), encoding="utf-8")
    told = Told(None)
    for action in ("show", "replay"):
        await getattr(told.command, action)(str(file))
    record["record"] = f"t1{evil}"
    file.write_text(json.dumps(record), encoding="utf-8")
    await told.command.verify([str(file)])
    assert told.lines
    assert "\x1b" not in told.text
    assert "\u202e" not in told.text
