"""A tournament's pages on the web: for whoever has the link, safe whatever is asked, and made once for each version."""

import asyncio
import csv
import io
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

from server.endpoint import tournament_web
from server.endpoint.hall import Hall
from server.endpoint.http import Page
from server.endpoint.settings import Limits
from server.endpoint.tournament_web import TournamentWeb
from server.runtime.house import House
from server.runtime.tasks import Tasks
from tests.endpoint.parlour import Peer, player
from tests.endpoint.peers import listening, raw, until
from tests.endpoint.test_http import answer
from tests.endpoint.test_tournament_hall import opened, order
from tests.runtime.tables import STAFF, Store


class Lobby:
    """A hall with a tournament, and its pages."""

    def __init__(self) -> None:
        self.tasks = Tasks()
        self.store = Store()
        self.now = 0.0
        self.hall = Hall(House(self.store, self.tasks, STAFF), self.tasks, Limits(), lambda: self.now)
        self.web = TournamentWeb(self.hall.house.tournaments, self.tasks, lambda: self.now)

    async def get(self, path: str) -> Page | None:
        """The page at a path."""
        page = self.web.page(path)
        return await page if isinstance(page, asyncio.Future) else page


@pytest.fixture
async def lobby() -> AsyncIterator[Lobby]:
    """One of a test's own."""
    found = Lobby()
    yield found
    await found.tasks.close()


async def with_guests(director: Peer, *names: str, **options: Any) -> str:
    """A tournament into which these have been entered."""
    tournament = await opened(director, **options)
    for number, name in enumerate(names):
        reply = await order(director, tournament, number, order="enter", name=name)
        assert reply["type"] == "tournament_reply"
    return tournament


async def test_standings_as_a_page_as_csv_and_as_json(lobby: Lobby) -> None:
    """In three languages; names are escaped, and no name is a formula."""
    director = await player(lobby.hall)
    tournament = await with_guests(director, "<b>Łucja</b>", "=1+1")
    for path, language in (("", "en"), ("/en", "en"), ("/de", "de"), ("/pl", "pl")):
        page = await lobby.get(f"/tournament/{tournament}{path}")
        assert page is not None
        assert (page.status, page.content_type) == (200, "text/html; charset=utf-8")
        text = page.body.decode()
        assert f'<html lang="{language}">' in text
        assert "&lt;b&gt;Łucja&lt;/b&gt;" in text
        assert "<b>Łucja" not in text
        assert dict(page.headers)["Content-Security-Policy"].startswith("default-src 'none'; style-src 'sha256-")
    page = await lobby.get(f"/tournament/{tournament}.csv")
    assert page is not None
    assert page.content_type == "text/csv; charset=utf-8"
    rows = list(csv.DictReader(io.StringIO(page.body.decode("utf-8-sig"))))
    assert [row["name"] for row in rows] == ["<b>Łucja</b>", "'=1+1"]
    page = await lobby.get(f"/tournament/{tournament}.json")
    assert page is not None
    plain = json.loads(page.body)
    assert [row["name"] for row in plain["standings"]] == ["<b>Łucja</b>", "=1+1"]
    assert (plain["tournament"], plain["stage"], plain["version"]) == (tournament, "registration", 3)


@pytest.mark.parametrize(
    "path",
    [
        "/tournament/tournament0000000000zz",
        "/tournament/tournament0000000000zz.csv",
        "/tournament/",
        "/tournament",
        "/tournament/{id}/fr",
        "/tournament/{id}.xml",
        "/tournament/{id}.csv/de",
        "/tournament/{id}/",
        "/tournament/{ID}",
        "/tournament/{id}%0a",
        "/tournament/../tournament/{id}",
        "/tournament/tournament" + "a" * 5000,
    ],
)
async def test_what_is_no_tournaments_page_is_none(lobby: Lobby, path: str) -> None:
    director = await player(lobby.hall)
    tournament = await opened(director)
    assert await lobby.get(path.replace("{id}", tournament).replace("{ID}", tournament.upper())) is None


async def test_nothing_secret_stands_on_a_page(lobby: Lobby) -> None:
    """No code of an invitation, no public id of an entrant."""
    director, entrant = await player(lobby.hall), await player(lobby.hall)
    tournament = await opened(director)
    await order(director, tournament, 0, order="invite", name="Iwona")
    await entrant.ask("tournament_register", tournament=tournament, contribution="ab" * 32)
    desk = await director.ask("tournament_page", tournament=tournament, about="desk")
    [invitation] = desk["page"]["invitations"]
    for path in ("", ".csv", ".json"):
        page = await lobby.get(f"/tournament/{tournament}{path}")
        assert page is not None
        assert b"Ada" in page.body
        for secret in (invitation["code"], "ab" * 32, entrant.session.player_id):
            assert secret.encode() not in page.body


async def test_a_page_is_made_once_for_each_version(lobby: Lobby, monkeypatch: pytest.MonkeyPatch) -> None:
    """And so many are kept, and no more."""
    made: list[tuple[int, str]] = []
    make = tournament_web.made

    def counted(state: Any, kind: str) -> Page:
        made.append((state.version, kind))
        return make(state, kind)

    monkeypatch.setattr(tournament_web, "made", counted)
    monkeypatch.setattr(tournament_web, "MOST_KEPT", 2)
    director = await player(lobby.hall)
    tournament = await opened(director)
    for _ in range(3):
        await lobby.get(f"/tournament/{tournament}/de")
    await order(director, tournament, 0, order="tell", text="Soup")
    for path in ("/de", ".csv", "/de", ".json", ".csv"):
        await lobby.get(f"/tournament/{tournament}{path}")
    assert made == [(1, "de"), (2, "de"), (2, "csv"), (2, "json"), (2, "csv")]
    assert len(lobby.web._kept) == 2


async def test_troubles_are_pages_too(lobby: Lobby, caplog: pytest.LogCaptureFixture) -> None:
    """The store is away, too many ask, or we have made a mistake: a status that says so."""
    director = await player(lobby.hall)
    path = f"/tournament/{await opened(director)}"
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(tournament_web, "standings_page", lambda *_, **__: 1 // 0)
        page = await lobby.get(path)
    assert page is not None
    assert page.status == 500
    assert "ZeroDivisionError" in caplog.text
    statuses = [one.status for one in [await lobby.get(path) for _ in range(300)] if one is not None]
    assert sorted(set(statuses)) == [200, 429]
    lobby.now += 60.0
    page = await lobby.get(path)
    assert page is not None
    assert page.status == 200
    lobby.hall.house.watch.lost()
    page = await lobby.get(path)
    assert page is not None
    assert page.status == 503


async def test_over_the_port(lobby: Lobby) -> None:
    """GET and HEAD; who has said all that he wants to say still gets his page."""
    director = await player(lobby.hall)
    path = f"/tournament/{await opened(director)}".encode()
    async with listening(pages=lobby.web.page) as port:
        status, headers, body = await answer(port, b"GET " + path + b".json HTTP/1.1\r\n\r\n")
        assert (status, json.loads(body)["name"]) == (200, "Cup")
        status, headers, body = await answer(port, b"HEAD " + path + b".json HTTP/1.1\r\n\r\n")
        assert (status, body) == (200, b"")
        assert int(headers["Content-Length"]) > 100
        status, _, _ = await answer(port, b"GET /tournament/tournament0000000000zz HTTP/1.1\r\n\r\n")
        assert status == 404
        status, _, _ = await answer(port, b"POST " + path + b" HTTP/1.1\r\n\r\n")
        assert status == 405
        async with raw(port) as peer:
            await peer.say(b"GET " + path + b" HTTP/1.1\r\n\r\n")
            peer.writer.write_eof()
            assert (await peer.rest()).startswith(b"HTTP/1.1 200 ")


@pytest.mark.parametrize("ending", ["cancelled", "answered", "late"])
async def test_a_page_that_takes_its_time(ending: str) -> None:
    """More bytes meanwhile change nothing; who does not wait is no trouble; a page that never comes ends in time."""
    fetched: asyncio.Future[Page | None] = asyncio.get_running_loop().create_future()
    asked: list[str] = []

    def pages(path: str) -> asyncio.Future[Page | None]:
        asked.append(path)
        return fetched

    async with listening(pages=pages) as port, raw(port) as peer:
        await peer.say(b"GET /x HTTP/1.1\r\n\r\nGET /y HTTP/1.1\r\n\r\n")
        await until(lambda: bool(asked))
        match ending:
            case "cancelled":
                fetched.cancel()
                assert await peer.rest() == b""
            case "answered":
                fetched.set_result(None)
                assert (await peer.rest()).startswith(b"HTTP/1.1 404 ")
            case "late":
                port.tick(60.0)
                assert await peer.rest() == b""
                fetched.set_result(None)
    assert asked == ["/x"]
