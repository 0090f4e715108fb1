"""The page of standings: what it shows, that it is well-formed, and that nothing in it can run."""

import re
from base64 import b64encode
from dataclasses import fields
from hashlib import sha256
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.endpoint.http import Page, render
from server.endpoint.standings_page import MOST_MEETINGS, SeatedTable, standings_page
from server.endpoint.standings_style import PAGE_HEADERS
from server.endpoint.standings_texts import TEXTS, Language
from server.tournament.standings import Account, LineKind
from tests.tournament.samples import account, line

VOID = {"meta"}
LANGUAGES: tuple[Language, ...] = ("de", "pl", "en")


class Reader(HTMLParser):
    """Reads a page strictly: every element is closed in order; keeps the tables as texts of cells."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.attributes: list[tuple[str, str]] = []
        self.captions: list[str] = []
        self.rows: list[list[str]] = []
        self.unscoped = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes += [(name, value or "") for name, value in attrs]
        if tag not in VOID:
            self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        elif tag in {"td", "th"}:
            self.rows[-1].append("")
            self.unscoped += tag == "th" and "scope" not in dict(attrs)
        elif tag == "small":
            self.rows[-1][-1] = self.rows[-1][-1].rstrip(" ") + " "
        elif tag == "caption":
            self.captions.append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "caption" in self.open:
            self.captions[-1] += data
        elif "td" in self.open or "th" in self.open:
            self.rows[-1][-1] += data


def read(page: str) -> Reader:
    """The page, read to its end."""
    reader = Reader()
    reader.feed(page)
    reader.close()
    assert reader.open == []
    return reader


ACCOUNTS = (
    account(1, line(1, "4", 9, 1, table=1), line(2, "3", 35, kind=LineKind.BYE), name="Anna", team="Wolsztyn"),
    account(2, line(1, "5/2", 1, 2, table=1), line(1, "-1/2", -5, kind=LineKind.PENALTY), name="Bo", team="Wolsztyn"),
    account(3, line(1, "5/2", 1, 2, table=1), line(2, "0", 0, kind=LineKind.FORFEIT, table=1), name="Cyl", team="Koło"),
    account(4, line(2, "3", 35, kind=LineKind.AWARDED, table=1), line(0, "-1", 0, kind=LineKind.PENALTY), name="Dan"),
    account(5, line(1, "0", -10, kind=LineKind.MISSED), name="Ewa"),
)
ROUNDS = (
    (SeatedTable(1, (1, 2, 3, None), (9, 1, 1, -11)),),
    (SeatedTable(1, (3, 4, None, None), None), SeatedTable(2, (2, 5, None, None), None)),
)


def page(
    accounts: tuple[Account, ...] = ACCOUNTS,
    rounds: tuple[tuple[SeatedTable, ...], ...] = ROUNDS,
    *,
    language: Language = "en",
    team_size: int = 2,
    title: str = "Cup",
) -> str:
    """A page at Wolsztyn's scale."""
    return standings_page(title, "sub", accounts, rounds, scale=(4, 3, 2, 1), team_size=team_size, language=language)


def test_standings_teams_and_tables() -> None:
    """Ranks and sums; a house bot has a row at its table but none in the standings; ties stand exactly."""
    rows = read(page()).rows
    assert ["1", "Anna Wolsztyn", "7", "+44", "1", "0"] in rows
    assert ["2", "Cyl Koło", "2½", "+1", "0", "1"] in rows
    assert ["1", "Wolsztyn Anna, Bo", "9", "+40", "1", "1"] in rows
    assert ["–", "Koło Cyl – incomplete", "2½", "+1", "0", "1"] in rows
    table = rows.index(["1", "Anna", "1", "+9", "4"])
    assert rows[table + 1 : table + 4] == [["Bo", "2", "+1", "2½"], ["Cyl", "2", "+1", "2½"], ["Bot", "4", "−11", "1"]]


def test_byes_forfeits_and_penalties_are_lines_of_their_own() -> None:
    """With their round, except a penalty outside the rounds; and a table in play says so."""
    rows = read(page()).rows
    for row in (
        ["1", "Ewa", "missed", "−10", "0"],
        ["1", "Bo", "penalty", "−5", "−½"],
        ["2", "Anna", "bye", "+35", "3"],
        ["2", "Cyl", "forfeit", "0", "0"],
        ["2", "Dan", "awarded", "+35", "3"],
        ["–", "Dan", "penalty", "0", "−1"],
    ):
        assert row in rows
    assert ["2 in play", "Bo", "–", "–", "–"] in rows
    assert ["1", "Cyl", "forfeit", "0", "0"] in rows


def test_cross_table_and_meetings() -> None:
    """Each round's big points, small points and table; how often two met."""
    rows = read(page()).rows
    assert ["1. Anna", "4 +9 T\xa01", "3 +35 bye", "7 +44"] in rows
    assert ["4. Bo", "2½ +1 T\xa01", "… T\xa02", "2 −4 penalty −½ / −5"] in rows
    assert ["1. Anna", "", "1", "0", "1", "0"] in rows


def test_before_the_first_round_there_is_just_the_list() -> None:
    """Nobody at all is said in words."""
    assert read(page((account(1, name="Anna"),), (), team_size=1)).captions == ["Standings"]
    assert "Nobody has played yet." in page((), ())


def test_a_large_matrix_of_meetings_is_left_out() -> None:
    """It would fit no sheet; the cross table stays."""
    for number, shown in ((MOST_MEETINGS, True), (MOST_MEETINGS + 1, False)):
        accounts = tuple(account(entrant, name=f"P{entrant}") for entrant in range(1, number + 1))
        assert ('id="meetings"' in page(accounts)) is shown
        assert 'id="cross"' in page(accounts)


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_language_is_whole(language: Language) -> None:
    """Every word is there, the page names its language, all tables have captions and all headings a scope."""
    texts = TEXTS[language]
    assert all(getattr(texts, one.name) for one in fields(texts))
    assert set(texts.kinds) == set(LineKind)
    assert all(texts.kinds.values())
    written = page(language=language)
    reader = read(written)
    assert f'<html lang="{language}">' in written
    assert written.count("<table") == len(reader.captions) == 7
    assert all(reader.captions)
    assert reader.unscoped == 0
    for heading in (texts.standings, texts.teams, texts.rounds, texts.apart, texts.cross, texts.meetings):
        assert f">{heading}</h2>" in written


HOSTILE = '<script>alert(1)</script><img src=x onerror="alert(1)">"\'&amp;'


@given(st.one_of(st.just(HOSTILE), st.text(min_size=1, max_size=20)))
def test_texts_of_people_are_texts(text: str) -> None:
    """Names, teams and the title are escaped wherever they stand; no element but the page's own, nothing to run."""
    accounts = tuple(Account(one.entrant, text, text, one.lines) for one in ACCOUNTS)
    harmless = read(page())
    reader = read(page(accounts, title=text))
    assert reader.tags == harmless.tags
    assert {name for name, _ in reader.attributes} == {name for name, _ in harmless.attributes}
    assert not {"script", "img", "link", "form", "iframe"} & reader.tags
    assert not [name for name, _ in reader.attributes if name.startswith("on") or name in {"style", "src"}]


def test_its_policy_allows_this_style_and_nothing_else() -> None:
    """The hash is that of the style as it stands in the page; the header replaces the server's own."""
    written = page()
    [style] = re.findall("<style>(.*?)</style>", written, re.DOTALL)
    digest = b64encode(sha256(style.encode()).digest()).decode()
    head = render(Page(200, "text/html; charset=utf-8", written.encode(), PAGE_HEADERS), head_only=True).decode()
    [policy] = [line_ for line_ in head.split("\r\n") if line_.startswith("Content-Security-Policy:")]
    assert policy == (
        f"Content-Security-Policy: default-src 'none'; style-src 'sha256-{digest}'; "
        "frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
    )


def test_the_scale_is_the_tournaments_own() -> None:
    """A bot's big points follow it, like everybody's."""
    accounts = (account(1, line(1, "5", 3, 1, table=1), name="Anna"),)
    rounds = ((SeatedTable(1, (1, None, None, None), (3, -1, -1, -1)),),)
    written = standings_page("t", "s", accounts, rounds, scale=(5, 3, 1, 0), team_size=1, language="de")
    assert read(written).rows.count(["Bot", "2", "−1", "1⅓"]) == 3
