"""What the pages and the news of a tournament look like, in the three languages: golden texts."""

import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import TypeAdapter

from client_cli.board import Board
from client_cli.catalogue import LANGUAGES, load
from client_cli.clean import width
from client_cli.style import Line, Look, dress, plain
from client_cli.tournament.news import standing
from protocol.server import FromServer
from tests.client_cli.samples import NOW
from tests.client_cli.tournament import samples

GOLDEN = Path(__file__).parent.parent / "golden"
RICH, SENTENCES, ASCII = Look(rich=True), Look(), Look(unicode=False, rich=True)
PAGES = {
    "standings": samples.standings(),
    "round": samples.round_(),
    "cross": samples.cross(),
    "comparison": samples.comparison(),
    "entrants": samples.entrants(),
    "terms": samples.terms(),
    "decisions": samples.decisions(),
    "desk": samples.desk(),
}
NOTHING: dict[str, samples.Message] = {
    "standings": {"rows": [], "teams": []},
    "cross": {"rows": [], "meetings": []},
    "comparison": {"round": 1, "seats": []},
    "entrants": {"entrants": []},
    "decisions": {"decisions": []},
}
STANDS = {
    "watching": samples.message(),
    "before": samples.message(stage="registration", round=0, deadline=None, own=samples.own(**samples.IDLE)),
    "late": samples.message(own=samples.own(**samples.IDLE, from_round=3)),
    "seated": samples.message(own=samples.own()),
    "on paper": samples.message(own=samples.own(table=None)),
    "finished": samples.message(own=samples.own(finished=True)),
    "a bye": samples.message(own=samples.own(**samples.IDLE, bye=True)),
    "asked": samples.message(admission="approval", own=samples.own(**samples.IDLE, status="waiting")),
    "out": samples.message(open=False, own=samples.own(**samples.IDLE, status="out")),
    "director": samples.message(waiting=2, admission="invitation", own=samples.DIRECTOR),
    "break": samples.message(stage="break", due=NOW + 40_000, deadline=None),
    "break for the director": samples.message(stage="break", deadline=None),
    "halted": samples.message(halted=NOW - 1_000),
    "over": samples.message(stage="over", round=5, deadline=None, open=False),
}
SEATS = {1: ["Jan", "Zofia", "Ewa", "Max"], 2: ["Ola", "Max", "Jan K.", "Bolek"]}


@pytest.fixture(autouse=True)
def greenwich(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Times of day are told in UTC here."""
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


def drawn(board: Board) -> list[tuple[str, list[Line]]]:
    """Everything that is compared, with a title each."""
    own, tournaments = 5, board.tournament
    parts = [("list", tournaments.pages.listing(samples.LIST)), ("empty list", tournaments.pages.listing([]))]
    for stand, message in STANDS.items():
        parts.append((f"stands: {stand}", standing(board.texts, message["public"], message["own"], NOW)))
    for about, content in PAGES.items():
        parts.append((about, tournaments.page(samples.page(about, content), "Autumn cup", own, SEATS, NOW)))
    for about, content in NOTHING.items():
        parts.append((f"nothing: {about}", tournaments.page(samples.page(about, content), "Autumn cup", None, {}, NOW)))
    teams = samples.page("standings", samples.team_standings())
    parts.append(("teams", tournaments.page(teams, "Autumn cup", own, SEATS, NOW)))
    for title, reader in (("player", samples.own()), ("director", samples.DIRECTOR), ("watcher", None)):
        told: list[Line] = []
        for one in samples.HAPPENED:
            told += tournaments.teller.tell(one, reader, SEATS[1] if one.get("table") == 1 else [])
        parts.append((f"news for a {title}", told))
    parts.append(("help", tournaments.help(directs=True)))
    parts.append(("options", tournaments.options()))
    hows = [key for key in board.texts.texts if key.startswith("tournament_how.")]
    parts.append(("asked back", [dress(board.texts(key, player="p7")) for key in hows]))
    return parts


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("kind", "look"), [("pictures", RICH), ("sentences", SENTENCES)])
def test_golden_tournament(language: str, kind: str, look: Look, update_golden: bool) -> None:
    """Pages and news are as they were when somebody last looked at them."""
    parts = drawn(Board(load(language), look))
    text = "\n".join("\n".join([f"=== {title}", *map(plain, lines)]) for title, lines in parts) + "\n"
    golden = GOLDEN / f"tournament-{kind}.{language}.txt"
    if update_golden:
        golden.write_text(text, encoding="utf-8")
    assert text == golden.read_text(encoding="utf-8")


@pytest.mark.parametrize("language", LANGUAGES)
def test_tables_fit_eighty_columns(language: str) -> None:
    """Standings, rounds and cross tables; sentences are wrapped by the terminal."""
    for title, lines in drawn(Board(load(language), RICH)):
        if title in ("standings", "round", "cross", "teams"):
            assert [plain(line) for line in lines if width(plain(line)) > 79] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_tables_of_a_big_evening_fit_too(language: str) -> None:
    """A hundred entrants with long names, nine rounds, four-digit points."""
    name = "W" * 24
    rows = [samples.row(place, 1, "1999/12", -9_999) | {"name": name, "team": name} for place in range(1, 101)]
    cell = samples.cell(25, big="23/2", small=-9_999)
    crossed = [{"rank": 1, "entrant": number, "name": name, "rounds": [cell] * 9} for number in range(1, 19)]
    met = {"rows": crossed, "meetings": [[9] * 18] * 18}
    board = Board(load(language), RICH).tournament
    for about, content in (("standings", {"rows": rows, "teams": []}), ("cross", met)):
        lines = board.page(samples.page(about, content), "Autumn cup", 1, {}, NOW)
        assert [plain(line) for line in lines if width(plain(line)) > 79] == []


def test_points_and_marks_can_be_shown_in_ascii() -> None:
    """Where the output cannot show suits and box lines."""
    board = Board(load("en"), ASCII).tournament
    for about in ("standings", "round", "cross"):
        text = "\n".join(plain(one) for one in board.page(samples.page(about, PAGES[about]), "Cup", 5, SEATS, NOW))
        assert text.replace("·", "").isascii()
        assert about != "standings" or "6 1/2" in text


def test_no_escape_or_markup_of_a_stranger_comes_through() -> None:
    """Names, teams, reasons and messages are shown as text only, and braces in them fill nothing."""
    evil = "\x1b[31m{name}<b>\N{RIGHT-TO-LEFT OVERRIDE}"

    def spoiled(plain_: object) -> object:
        if isinstance(plain_, dict):
            return {
                key: evil if key in ("name", "team", "text", "by") and isinstance(value, str) else spoiled(value)
                for key, value in plain_.items()
            }
        return [spoiled(one) for one in plain_] if isinstance(plain_, list) else plain_

    for look in (RICH, SENTENCES):
        board = Board(load("en"), look)
        lines: list[Line] = []
        for about, content in PAGES.items():
            whole = samples.page(about, spoiled(content))  # type: ignore[arg-type]
            lines += board.tournament.page(whole, evil, 5, SEATS, NOW)
        for one in samples.HAPPENED:
            lines += board.tournament.teller.tell(spoiled(one), samples.own(), [])  # type: ignore[arg-type]
        lines += board.tournament.pages.listing(spoiled(samples.LIST))  # type: ignore[arg-type]
        shown = "\n".join(plain(line) for line in lines)
        assert "{name}<b>" in shown
        assert not set("\x1b\N{RIGHT-TO-LEFT OVERRIDE}") & set("".join(text for line in lines for _, text in line))


def test_samples_keep_to_the_contract() -> None:
    """What these tests draw is such as the server may send."""
    contract: TypeAdapter[object] = TypeAdapter(FromServer)
    for message in STANDS.values():
        contract.validate_json(json.dumps(message))
    pages: list[tuple[str, samples.Message]] = [*PAGES.items(), *NOTHING.items()]
    for about, content in (*pages, ("standings", samples.team_standings())):
        contract.validate_json(json.dumps(samples.page(about, content)))
    contract.validate_json(json.dumps(samples.tournaments()))
    contract.validate_json(json.dumps(samples.message(happened=samples.HAPPENED)))
