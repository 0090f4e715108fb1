"""Who takes part, and what it means when somebody is out. Pure."""

from collections.abc import Sequence
from typing import Final

from server.games.game import RuleViolation
from server.tournament.events import ResultNoted, SeatGiven, TournamentEvent, Withdrawn
from server.tournament.state import DecisionKind, Entrant, Result, ResultKind, Stage, Status, Tournament
from server.tournament.terms import Admission, Dropout

MOST_ENTRANTS: Final = 512
_ADMISSIONS: Final = frozenset({DecisionKind.APPROVED, DecisionKind.TURNED_AWAY})
MOST_ENTRIES: Final = 10_000
"""Of the log: from then on nobody comes back who was out, which he could do again and again."""


def team_with_room(tournament: Tournament, team: str) -> str:
    """The team's name, where there are teams and it has room.

    Raises:
        RuleViolation: `no_teams`, `team_full`
    """
    size = tournament.terms.team_size
    if team and size == 1:
        raise RuleViolation("no_teams")
    members = [one for one in tournament.entrants if one.team == team and one.status is not Status.OUT]
    if team and len(members) >= size:
        raise RuleViolation("team_full")
    return team


def may_return(tournament: Tournament, entrant: Entrant) -> bool:
    """Whether an entrant who is out may come back unasked: not who was turned away, or was never let in."""
    about = [one.kind for one in tournament.decisions if one.entrant == entrant.number and one.kind in _ADMISSIONS]
    if about:
        return about[-1] is DecisionKind.APPROVED
    invited = any(one.entrant == entrant.number for one in tournament.invitations)
    return invited or tournament.terms.admission is not Admission.APPROVAL


def check_returns(tournament: Tournament, entrant: Entrant) -> None:
    """Whether there is room for who was out: in his team, and in the log.

    Raises:
        RuleViolation: `team_full`, or `entry_closed` where the log has become so long
    """
    if tournament.version >= MOST_ENTRIES:
        raise RuleViolation("entry_closed")
    team_with_room(tournament, entrant.team)


def withdrawn(tournament: Tournament, entrant: Entrant) -> Sequence[TournamentEvent]:
    """An entrant is out. In a running round a bot takes his seat, or he forfeits, as agreed.

    Raises:
        RuleViolation: `tournament_over`
    """
    if tournament.stage is Stage.OVER:
        raise RuleViolation("tournament_over")
    events: list[TournamentEvent] = [Withdrawn(entrant.number)]
    where = tournament.seat_of(entrant.number) if tournament.stage is Stage.ROUND else None
    if where is not None and not where[0].results:
        table, seat = where
        if tournament.terms.dropout is Dropout.BOT or table.paper:
            events.append(SeatGiven(table.number, seat, None))
        else:
            forfeit = Result(ResultKind.FORFEIT, (0, 0, 0, 0), forfeited=(seat,))
            events.append(ResultNoted(len(tournament.rounds), table.number, forfeit))
    return events
