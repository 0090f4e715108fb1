"""A tournament on the web, for whoever has its link: a page to read and to print, CSV, JSON.

`/tournament/ID` is in English, with `/de` or `/pl` behind it in those languages; `/tournament/ID.csv`, and `.json`.
"""

import asyncio
import json
import logging
import re
from collections import OrderedDict
from collections.abc import Callable
from typing import Final, get_args

from server.endpoint.http import Page, text_page
from server.endpoint.limits import TokenBucket
from server.endpoint.standings_page import SeatedTable, standings_page
from server.endpoint.standings_style import PAGE_HEADERS
from server.endpoint.standings_texts import TEXTS, Language
from server.games.game import RuleViolation
from server.runtime.tasks import Tasks
from server.runtime.tournaments import Tournaments
from server.store.port import StoreAway
from server.tournament import view
from server.tournament.accounts import accounts
from server.tournament.export import plain_standings, plain_team_standings, standings_csv
from server.tournament.opening import PREFIX
from server.tournament.standings import standings, team_standings
from server.tournament.state import Result, ResultKind, RoundTable, Tournament, TournamentId

PAGES_PER_SECOND: Final = 50.0
PAGES_BURST: Final = 200.0
"""Of all visitors together: each may cost a look into the store."""
MOST_KEPT: Final = 64
"""Pages that are kept, made of the newest version."""
_LANGUAGES: Final = get_args(Language)
_PATH: Final = re.compile(
    rf"/tournament/({PREFIX}[0-9a-z]{{1,20}})(?:\.(csv|json)|/({'|'.join(_LANGUAGES)}))?", re.ASCII
)

_BUSY: Final = text_page(429, "Too many ask for tournaments; try again in a moment.", ("Retry-After", "5"))
_AWAY: Final = text_page(503, "The server has lost its store for the moment; try again soon.", ("Retry-After", "5"))
_FAULT: Final = text_page(500, "The server has made a mistake; the operator can read of it in the log.")

log = logging.getLogger(__name__)


class TournamentWeb:
    """The pages of all tournaments."""

    def __init__(self, tournaments: Tournaments, tasks: Tasks, now: Callable[[], float]) -> None:
        self._tournaments = tournaments
        self._tasks = tasks
        self._now = now
        self._bucket = TokenBucket(PAGES_PER_SECOND, PAGES_BURST, now())
        self._kept: OrderedDict[tuple[TournamentId, str], tuple[int, bytes, Page]] = OrderedDict()

    def page(self, path: str) -> Page | asyncio.Future[Page | None] | None:
        """The page at a path; None where it is no tournament's."""
        match = _PATH.fullmatch(path)
        if match is None:
            return None
        if not self._bucket.take(self._now()):
            return _BUSY
        return self._tasks.start(self._fetched(TournamentId(match[1]), match[2] or match[3] or "en"))

    async def _fetched(self, tournament: TournamentId, kind: str) -> Page | None:
        try:
            state = (await self._tournaments.actor(tournament)).state
            self._tournaments.forget_unused()
            return None if state is None else self._made(state, kind)
        except RuleViolation:
            return None
        except StoreAway:
            return _AWAY
        except Exception:
            log.exception("the page of %s failed", tournament)
            return _FAULT

    def _made(self, state: Tournament, kind: str) -> Page:
        key, stamp = (state.id, kind), (state.version, state.nonce)
        kept = self._kept.pop(key, None)
        page = kept[2] if kept is not None and kept[:2] == stamp else made(state, kind)
        self._kept[key] = (*stamp, page)
        while len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)
        return page


def made(state: Tournament, kind: str) -> Page:
    """The tournament as `csv`, `json`, or as a page in a language."""
    match kind:
        case "csv":
            text = standings_csv(standings(accounts(state)), len(state.rounds))
            name = ("Content-Disposition", f'attachment; filename="{state.id}.csv"')
            return Page(200, "text/csv; charset=utf-8", text.encode("utf-8-sig"), (name,))
        case "json":
            return Page(200, "application/json", _json(state).encode())
        case _:
            return Page(200, "text/html; charset=utf-8", _html(state, kind).encode(), PAGE_HEADERS)


def _json(state: Tournament) -> str:
    found, size = accounts(state), state.terms.team_size
    plain = {
        "tournament": state.id,
        "version": state.version,
        **view.public(state),
        "standings": plain_standings(standings(found)),
        "teams": plain_team_standings(team_standings(found, size)) if size > 1 else [],
        "rounds_played": [view.round_page(state, one.number) for one in state.rounds],
        **view.decisions_page(state),
    }
    return json.dumps(plain, ensure_ascii=False, indent=1) + "\n"


def _html(state: Tournament, kind: str) -> str:
    language: Language = next(one for one in _LANGUAGES if one == kind)
    return standings_page(
        state.name,
        f"{TEXTS[language].round} {len(state.rounds)}/{state.terms.rounds}",
        accounts(state),
        [[_seated(table, state.told(one, table)) for table in one.tables] for one in state.rounds],
        scale=state.terms.scale,
        team_size=state.terms.team_size,
        language=language,
    )


def _seated(table: RoundTable, result: Result | None) -> SeatedTable:
    played = result is not None and result.kind is not ResultKind.FORFEIT
    return SeatedTable(table.number, table.seats, result.small if played and result is not None else None)
