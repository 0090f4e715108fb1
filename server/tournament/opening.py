"""A round is drawn and opened.

The draw follows from bytes to which the tournament committed itself when it was opened, before anybody could
enter, and from what the entrants have added since: nobody can have chosen it, and everybody can do it again.
Source: docs/tournament-seating.md.
"""

import hmac
from typing import Final

from server.games.game import Millis, RuleViolation
from server.games.kop.fair import commitment
from server.games.kop.same_cards import deal_commitments
from server.table.ids import TableId
from server.tournament.accounts import accounts
from server.tournament.draw import draw_seed
from server.tournament.events import RoundOpened, TournamentEvent
from server.tournament.placing import Placing
from server.tournament.seating import seat_round
from server.tournament.standings import standings
from server.tournament.state import Round, RoundTable, Stage, Tournament, TournamentId

PREFIX: Final = "tournament"
MORE_DEALS: Final = 8
"""How many deals beyond the agreed ones are committed to: for each annulled one a later one is played."""


def draw_secret(tournament: Tournament, number: int) -> bytes:
    """The bytes that the draw of a round is made from; secret until then."""
    return hmac.digest(tournament.secret, f"draw {number}".encode(), "sha256")


def draw_commitments(tournament: Tournament) -> tuple[str, ...]:
    """For each round, the commitment to its draw; public from the opening of the tournament on."""
    return tuple(commitment(draw_secret(tournament, number)) for number in range(1, tournament.terms.rounds + 1))


def label(tournament: TournamentId, number: int) -> str:
    """What a round's draw and decks are for."""
    return f"{tournament}/{number}"


def table_id(tournament: TournamentId, number: int, table: int) -> TableId:
    """The table's id follows from where it stands: opening it again opens the same."""
    return TableId(f"{tournament.removeprefix(PREFIX)}r{number}t{table}")


def placings(tournament: Tournament) -> tuple[Placing, ...]:
    """How the rounds so far were seated."""
    return tuple(Placing(tuple(table.seats for table in one.tables), one.byes) for one in tournament.rounds)


def open_round(tournament: Tournament, now: Millis) -> tuple[TournamentEvent, ...]:
    """The next round.

    Raises:
        RuleViolation: `tournament_over`, `halted`, `round_running`, `results_missing`, `too_few_entrants`
    """
    if tournament.stage is Stage.OVER:
        raise RuleViolation("tournament_over")
    if tournament.halted is not None:
        raise RuleViolation("halted")
    if tournament.stage is Stage.ROUND:
        raise RuleViolation("round_running")
    if not all(table.results for one in tournament.rounds for table in one.tables):
        raise RuleViolation("results_missing")
    number, agreed = len(tournament.rounds) + 1, tournament.terms
    playing = {one.number: one for one in tournament.playing}
    order = [one.entrant for one in standings(accounts(tournament)) if one.entrant in playing]
    order += [one for one in playing if one not in order]
    secret = draw_secret(tournament, number)
    seed = draw_seed(secret, label(tournament.id, number), [(one, playing[one].contribution) for one in sorted(order)])
    placing = seat_round(
        agreed.seating, agreed.fill, order, placings(tournament), seed, round_number=number, rounds=agreed.rounds
    )
    cards = hmac.digest(tournament.secret, f"cards {number}".encode(), "sha256") if agreed.duplicate else b""
    minutes = agreed.round_minutes
    opened = Round(
        number=number,
        opened=now,
        deadline=None if minutes is None else Millis(now + 60_000 * minutes),
        secret=secret,
        tables=tuple(
            RoundTable(place, table_id(tournament.id, number, place), seats)
            for place, seats in enumerate(placing.tables, 1)
        ),
        byes=placing.byes,
        seed=cards,
        commitments=deal_commitments(cards, agreed.deals + MORE_DEALS) if cards else (),
    )
    return (RoundOpened(opened),)
