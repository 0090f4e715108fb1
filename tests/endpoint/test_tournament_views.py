"""Everything that the pure tournament shows is what the wire contract says."""

import json
from fractions import Fraction
from typing import Any, get_args

import pytest
from pydantic import TypeAdapter

from protocol import tournament_pages as pages
from protocol.codec import Encoding, pack
from protocol.server import FromServer
from protocol.tournament_client import About
from protocol.tournament_server import Tournament as TournamentMessage
from protocol.tournament_server import TournamentPage
from server.endpoint.tournament_pages import MOST_BYTES, public_page, short
from server.endpoint.tournament_web import made
from server.games.game import RuleViolation
from server.tournament import view
from server.tournament.commands import (
    AnnulDeal,
    Call,
    Claim,
    Correct,
    EnterGuest,
    EnterPaper,
    GoOn,
    Halt,
    Invite,
    OfferMove,
    Penalise,
    Tell,
    Undo,
    Withdraw,
)
from server.tournament.state import Stage
from tests.tournament.evenings import DIRECTOR, Evening, player

MODELS = {
    "terms": pages.TermsPage,
    "entrants": pages.EntrantsPage,
    "standings": pages.StandingsPage,
    "round": pages.RoundPage,
    "cross": pages.CrossPage,
    "comparison": pages.ComparisonPage,
    "decisions": pages.DecisionsPage,
    "desk": pages.DeskPage,
}
MISSING = {("round", "no_such_round")} | {
    ("comparison", code) for code in ("no_such_round", "not_same_cards", "round_running")
}
CONTRACT: TypeAdapter[Any] = TypeAdapter(FromServer)


class Watched(Evening):
    """An evening of which everything that can be shown is looked at after each entry."""

    def write(self, events: Any) -> None:
        super().write(events)
        tournament = self.tournament
        happened = view.happenings(tournament, events)
        for who in (DIRECTOR.player, player(1), player(2), player(99)):
            plain = {"type": "tournament", "tournament": tournament.id, "from": 1, "version": tournament.version}
            plain |= {"resync": False, "happened": happened, "public": view.public(tournament)}
            assert isinstance(validated({**plain, "own": view.own(tournament, who)}), TournamentMessage)
        for about in get_args(About):
            self.look(about)
        for kind in ("csv", "json", "de", "pl", "en"):
            assert made(tournament, kind).status == 200

    def look(self, about: Any) -> None:
        """A page, where there is one."""
        tournament = self.tournament
        try:
            page = (
                {**view.desk_page(tournament), "tables": []}
                if about == "desk"
                else public_page(tournament, about, None)
            )
        except RuleViolation as refused:
            if (about, refused.code) not in MISSING:
                raise
            return
        plain = {"type": "tournament_page", "id": 1, "tournament": tournament.id, "version": 1, "about": about}
        found = validated({**plain, "page": page})
        assert isinstance(found, TournamentPage)
        assert type(found.page) is MODELS[about]


def validated(plain: Any) -> Any:
    """The message, as a client reads it."""
    return CONTRACT.validate_json(pack(plain, Encoding.JSON))


def test_there_is_a_model_for_each_page() -> None:
    assert tuple(MODELS) == get_args(About)


@pytest.mark.parametrize(
    "options",
    [
        {"preset": "quick", "rounds": 2, "deals": 4},
        {"preset": "wolsztyn", "rounds": 2, "team_size": 2, "dropout": "forfeit", "break_seconds": 60},
        {"preset": "koscian", "rounds": 2, "duplicate": True, "late_until": 2, "break_seconds": 0},
    ],
    ids=["quick", "teams", "same cards"],
)
def test_a_whole_evening_is_shown_as_the_contract_says(options: dict[str, Any]) -> None:
    """With everything that a director can do, byes, a late entrant, one who leaves, and one who moves."""
    evening = Watched(**options)
    for number in range(1, 11):
        evening.enter(number, "Bees" if number < 3 and "team_size" in options else "")
    evening.order(Invite("Iwona"))
    evening.order(EnterGuest("Guest", ""))
    evening.order(OfferMove(2))
    evening.do(Claim(player(98), evening.tournament.offers[0].code))
    evening.open_round()
    evening.order(EnterPaper(1, None))
    evening.order(EnterPaper(1, (3, -3, 10, -10)))
    evening.do(Withdraw(player(7)))
    evening.order(Halt())
    evening.order(GoOn())
    evening.order(Call(3, "To your table, please"))
    deals = ((1, (3, -3, 1, -1)), (2, (1, 1, 1, -3)))
    for table in evening.tournament.rounds[-1].tables:
        if not table.results:
            evening.result(table.number, (4, -2, 2, -4), deals)
    evening.order(Correct(1, 2, (5, -5, 0, 0), "counted wrongly"))
    evening.order(Undo(len(evening.tournament.decisions)))
    evening.order(AnnulDeal(1, 2, 1, "a card was seen"))
    evening.order(Penalise(4, 1, Fraction(-1, 2), -10, "late"))
    evening.order(Tell("Soup is ready"))
    if evening.tournament.stage is not Stage.OVER:
        evening.play_on()
    assert evening.tournament.stage is Stage.OVER
    assert ("duplicate" in options) == (evening.tournament.rounds[0].seed != b"")


def test_a_page_that_is_too_long_says_less() -> None:
    """It never fills what a connection may hold back; a page that cannot be shorter is refused."""
    lines = [{"round": 1, "kind": "played", "big": "4", "small": 12, "place": 1, "table": 1}] * 20
    rows = [{"rank": 1, "entrant": number, "name": "ż" * 24, "lines": lines} for number in range(512)]
    assert short("standings", {"rows": rows[:50], "teams": []})["rows"][0]["lines"] == lines
    shown = short("standings", {"rows": rows, "teams": []})
    assert len(shown["rows"]) == 512
    assert all(row["lines"] == [] for row in shown["rows"])
    decisions = [{"number": number, "text": "ż" * 200} for number in range(1, 1001)]
    kept = short("decisions", {"decisions": decisions})["decisions"]
    assert kept == decisions[-len(kept) :]
    assert len(kept) > 100
    assert len(json.dumps(kept, ensure_ascii=False).encode()) <= MOST_BYTES
    with pytest.raises(RuleViolation, match="page_too_long"):
        short("cross", {"rows": [], "meetings": [[1] * 512] * 512})
