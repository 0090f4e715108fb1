"""The pages of a tournament, made when somebody asks for one, and short enough for a message."""

import json
from typing import Final, Literal

from protocol.tournament_client import AskTournamentPage
from server.games.game import Plain, RuleViolation
from server.runtime.tournament_actor import TournamentActor
from server.runtime.tournaments import Tournaments
from server.table.ids import PlayerId
from server.tournament import view
from server.tournament.state import Tournament

MOST_BYTES: Final = 128 * 1024
"""Of a page: half of what a connection holds back for a slow reader."""
Public = Literal["terms", "entrants", "standings", "round", "cross", "comparison", "decisions"]


async def page(
    tournaments: Tournaments, actor: TournamentActor, player: PlayerId, message: AskTournamentPage
) -> tuple[Tournament, Plain]:
    """The page that is meant, and the tournament as it shows it.

    Raises:
        RuleViolation: `no_such_tournament`, `not_director`, `page_too_long`, or why there is no such page
        StoreAway
    """
    if message.about == "desk":
        check_directs(known(actor), player)
        tables = await tournaments.stands(actor)
        tournament = known(actor)
        check_directs(tournament, player)  # also now
        return tournament, short(message.about, {**view.desk_page(tournament), "tables": tables})
    tournament = known(actor)
    return tournament, short(message.about, public_page(tournament, message.about, message.round))


def public_page(tournament: Tournament, about: Public, number: int | None) -> Plain:
    """A page that anybody may see; a round is the newest where none is named.

    Raises:
        RuleViolation: `no_such_round`, `not_same_cards`, `round_running`
    """
    round_ = len(tournament.rounds) if number is None else number
    match about:
        case "terms":
            return view.terms_page(tournament)
        case "entrants":
            return view.entrants_page(tournament)
        case "standings":
            return view.standings_page(tournament)
        case "round":
            return view.round_page(tournament, round_)
        case "cross":
            return view.cross_page(tournament)
        case "comparison":
            return view.comparison_page(tournament, round_)
        case "decisions":
            return view.decisions_page(tournament)


def short(about: str, plain: Plain) -> Plain:
    """The page, without what is least needed where it would be too long.

    Raises:
        RuleViolation: `page_too_long`
    """
    if _bytes(plain) <= MOST_BYTES:
        return plain
    match about:
        case "standings":
            plain = {**plain, "rows": [{**row, "lines": []} for row in plain["rows"]]}
        case "comparison":
            plain = {**plain, "seats": [{**seat, "deals": []} for seat in plain["seats"]]}
        case "decisions":
            while _bytes(plain) > MOST_BYTES:
                plain = {"decisions": plain["decisions"][len(plain["decisions"]) // 4 + 1 :]}
    if _bytes(plain) > MOST_BYTES:
        raise RuleViolation("page_too_long")
    return plain


def known(actor: TournamentActor) -> Tournament:
    """The tournament as it is.

    Raises:
        RuleViolation: `no_such_tournament`
    """
    if actor.state is None:
        raise RuleViolation("no_such_tournament")
    return actor.state


def check_directs(tournament: Tournament, player: PlayerId) -> None:
    """Raises RuleViolation: `not_director`."""
    if not tournament.directs(player):
        raise RuleViolation("not_director")


def _bytes(plain: Plain) -> int:
    """How long the page is as JSON, the longer of the two encodings."""
    return len(json.dumps(plain, ensure_ascii=False, separators=(",", ":")).encode())
