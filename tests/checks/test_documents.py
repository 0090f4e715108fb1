"""The documents say what the code does."""

import json
import re
import tomllib
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import yaml
from prometheus_client import CollectorRegistry
from pydantic import TypeAdapter

from protocol.client import FromClient
from protocol.codec import Encoding, decode
from protocol.document import FOLDER, pages, stale
from protocol.errors import CLOSE_TEXTS, TEXTS, CloseCode, ErrorCode
from protocol.schemas import (
    CLIENT_MESSAGES,
    KOP_HAPPENINGS,
    PATIENCE_HAPPENINGS,
    SERVER_MESSAGES,
    TABLE_HAPPENINGS,
    asyncapi,
    word,
)
from protocol.server import FromServer
from server import configuration
from server.figures import Figures
from server.metrics import Meter

ROOT = Path(__file__).resolve().parent.parent.parent
README = FOLDER / "README.md"
PAGES = [path for path in [*sorted(ROOT.glob("docs/**/*.md")), ROOT / "README.md"] if path.is_file()]
TARGETS = set(re.findall(r"^([a-z-]+):.*## ", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
ELIDED = "{…}"


def test_generated_pages_are_fresh() -> None:
    """What stands in docs/protocol is what the models say."""
    assert stale(FOLDER) == []


def test_a_changed_page_is_stale(tmp_path: Path) -> None:
    """A page that differs from the models, or is missing, is found."""
    for name, text in pages().items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert stale(tmp_path) == []
    (tmp_path / "errors.md").write_text("other", encoding="utf-8")
    (tmp_path / "schema.json").unlink()
    assert {path.name for path in stale(tmp_path)} == {"errors.md", "schema.json"}


def test_every_code_has_a_text_and_is_documented() -> None:
    """No error code and no close code is without a text, and each stands in errors.md."""
    assert set(TEXTS) == set(ErrorCode)
    assert set(CLOSE_TEXTS) == set(CloseCode)
    page = (FOLDER / "errors.md").read_text(encoding="utf-8")
    assert [code for code in ErrorCode if f"| `{code}` |" not in page] == []
    assert [code for code in CloseCode if f"| {code.value} |" not in page] == []


def test_every_message_and_happening_is_documented() -> None:
    """Each message and each happening has its section in messages.md."""
    page = (FOLDER / "messages.md").read_text(encoding="utf-8")
    assert [m for m in CLIENT_MESSAGES + SERVER_MESSAGES if f"\n### `{word(m)}`\n" not in page] == []
    happenings = TABLE_HAPPENINGS + KOP_HAPPENINGS + PATIENCE_HAPPENINGS
    assert [h for h in happenings if f"\n#### happening `{word(h)}`\n" not in page] == []


def _references(node: Any) -> list[str]:
    if isinstance(node, dict):
        found = [node["$ref"]] if isinstance(node.get("$ref"), str) else []
        return found + [ref for value in node.values() for ref in _references(value)]
    return [ref for item in node for ref in _references(item)] if isinstance(node, list) else []


def _resolve(document: Any, reference: str) -> Any:
    for step in reference.removeprefix("#/").split("/"):
        document = document[step]
    return document


@pytest.mark.parametrize("name", ["asyncapi.json", "schema.json", "record.schema.json"])
def test_references_lead_somewhere(name: str) -> None:
    """Every `$ref` of the machine-readable files names something in the same file."""
    document = json.loads((FOLDER / name).read_text(encoding="utf-8"))
    for reference in _references(document):
        assert reference.startswith("#/")
        assert _resolve(document, reference)


def test_asyncapi_is_whole() -> None:
    """The AsyncAPI file has the parts that version 3.0 asks for, and every message goes one way."""
    document = yaml.safe_load((FOLDER / "asyncapi.json").read_text(encoding="utf-8"))
    assert document == asyncapi()
    assert document["asyncapi"] == "3.0.0"
    assert {"title", "version"} <= set(document["info"])
    assert document["channels"]["ws"]["address"] == "/ws"
    headers = document["channels"]["ws"]["bindings"]["ws"]["headers"]
    assert headers["properties"]["Sec-WebSocket-Protocol"]["enum"] == list(Encoding)
    ways = {
        operation["action"]: {ref.rsplit("/", 1)[1] for ref in _references(operation["messages"])}
        for operation in document["operations"].values()
    }
    assert ways["receive"] == {word(message) for message in CLIENT_MESSAGES}
    assert ways["send"] == {word(message) for message in SERVER_MESSAGES}
    for message in document["components"]["messages"].values():
        assert _resolve(document, message["payload"]["$ref"])["type"] == "object"


def _transcript() -> list[tuple[str, str]]:
    """The lines of the example session: the arrow and the message; left-out views are put back."""
    text = README.read_text(encoding="utf-8")
    lines = re.findall(r"^([→←]) (\{.*\})$", text, re.MULTILINE)
    whole = next(line for _, line in lines if '"phase": "calls"' in line)
    view = json.dumps(json.loads(whole)["public"])
    return [(arrow, line.replace(ELIDED, view)) for arrow, line in lines]


def test_example_session_is_valid() -> None:
    """Every message of the example is one of the protocol's, in its direction."""
    server: TypeAdapter[FromServer] = TypeAdapter(FromServer)
    lines = _transcript()
    assert len(lines) > 20
    for arrow, line in lines:
        if arrow == "→":
            decode(line.encode(), Encoding.JSON)
        else:
            server.validate_json(line)


def test_example_session_has_no_gap() -> None:
    """In the example ids count upward, `from` is the version seen, and every command has one answer."""
    messages = [(arrow, json.loads(line)) for arrow, line in _transcript()]
    asked = [message["id"] for arrow, message in messages if arrow == "→" and "id" in message]
    answered = [message["id"] for arrow, message in messages if arrow == "←" and "id" in message]
    assert asked == answered == list(range(1, len(asked) + 1))
    tables = [message for arrow, message in messages if message["type"] == "table" and arrow == "←"]
    left_out = {3: 1}  # the text says that the messages for the second and third seat are left out
    for before, after in pairwise(tables):
        assert left_out.get(after["from"], after["from"]) == before["version"]


def test_client_union_is_what_is_documented() -> None:
    """The adapter of the codec and the generator read the same union."""
    assert TypeAdapter(FromClient).json_schema()["discriminator"]["mapping"].keys() == {
        word(message) for message in CLIENT_MESSAGES
    }


@pytest.mark.parametrize("page", PAGES, ids=[str(page.relative_to(ROOT)) for page in PAGES])
def test_links_lead_somewhere(page: Path) -> None:
    """Every relative link of a page names a file, and every anchor a heading in it."""
    for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8")):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, anchor = target.partition("#")
        path = page if not name else (page.parent / name).resolve()
        assert path.exists(), target
        if anchor:
            assert anchor in _anchors(path.read_text(encoding="utf-8")), target


def _anchors(text: str) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=[str(page.relative_to(ROOT)) for page in PAGES])
def test_make_commands_exist(page: Path) -> None:
    """Every `make` command in code on a page is a target."""
    text = page.read_text(encoding="utf-8")
    code = (
        "\n".join(re.findall(r"```.*?\n(.*?)```", text, re.DOTALL)) + "\n" + "\n".join(re.findall(r"`([^`\n]+)`", text))
    )
    named = set(re.findall(r"(?:^|&&|;)\s*make ([a-z-]+)", code, re.MULTILINE))
    assert named <= TARGETS


def test_changelog_has_this_version() -> None:
    """The version of pyproject.toml has an entry."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.search(rf"^## {re.escape(project['version'])}\b", changelog, re.MULTILINE)


def _cells(page: str, columns: int) -> list[list[str]]:
    rows = [line.strip("|").split(" | ") for line in page.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in row] for row in rows if len(row) == columns]


def test_the_plan_for_a_million_players_is_reckoned_right() -> None:
    """Every result follows from the inputs by the formula beside it, to the digits that are shown."""
    page = (ROOT / "docs" / "million-players.md").read_text(encoding="utf-8")
    rows = _cells(page, 3)
    given = {row[0].strip("`"): float(row[1]) for row in rows if re.fullmatch(r"`\w+`", row[0])}
    results = [row for row in rows if row[1].startswith("`")]
    assert len(given) > 20
    assert len(results) > 15
    for what, formula, shown in results:
        value = eval(formula.strip("`"), {"__builtins__": {}}, given)
        assert float(f"{value:.3g}") == float(f"{float(shown):.3g}"), (what, value)


def test_operations_name_every_setting_and_metric() -> None:
    """No plain setting, and no metric, is without its line."""
    page = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
    assert [name for name in configuration.PLAIN_NAMES if f"| `{name}` |" not in page] == []
    registry = CollectorRegistry()
    Meter(registry, Figures())
    written = set(re.findall(r"`(kop_\w+?)(?:_total)?(?:\{\w+\})?`", page))
    assert {family.name for family in registry.collect()} - written == set()
