"""Every decision in a tournament. Pure: time and randomness are arguments; `evolution` applies the events."""

import hmac
from collections.abc import Iterator, Sequence
from typing import Final, assert_never

from server.games.game import Millis, Moment, RuleViolation
from server.games.values import changed
from server.tournament import directing
from server.tournament.commands import (
    Announce,
    Claim,
    Command,
    Direct,
    NextRound,
    NoteFirstCard,
    NoteResult,
    OfServer,
    PlayersCommand,
    Register,
    ServersCommand,
    Withdraw,
)
from server.tournament.entry import MOST_ENTRANTS, check_returns, may_return, team_with_room, withdrawn
from server.tournament.events import (
    Admitted,
    Announced,
    Ended,
    Entered,
    PlaceMoved,
    ResultNoted,
    RoundBegun,
    RoundEnded,
    TournamentEvent,
)
from server.tournament.evolution import evolve
from server.tournament.opening import open_round
from server.tournament.state import (
    Ending,
    Entrant,
    Invitation,
    Stage,
    Status,
    Tournament,
)
from server.tournament.terms import Admission, terms

CONTRIBUTION: Final = 32
"""Bytes."""
Events = Sequence[TournamentEvent]


def announce(command: Announce, moment: Moment) -> tuple[TournamentEvent, ...]:
    """The events that open a tournament.

    Raises:
        RuleViolation: `unknown_option`, `bad_option`, `options_clash`
    """
    agreed = terms(command.options)
    return (Announced(command.tournament, command.name, agreed, command.director, moment.entropy, moment.now),)


def decide(tournament: Tournament, command: Command, moment: Moment) -> tuple[TournamentEvent, ...]:
    """The events of a command; none, where the server notes what stands there already.

    Raises:
        RuleViolation: why it is refused
    """
    if isinstance(command, OfServer):
        events = _servers(tournament, command, moment)
    else:
        events = _players(tournament, command, moment)
    return tuple(_with_consequences(tournament, events, moment.now))


def _players(tournament: Tournament, command: PlayersCommand, moment: Moment) -> Events:
    match command:
        case Register():
            return _register(tournament, command)
        case Withdraw():
            return withdrawn(tournament, _entrant_of(tournament, command.player))
        case Claim():
            return _claim(tournament, command, moment)
        case Direct():
            if not tournament.directs(command.player):
                raise RuleViolation("not_director")
            if command.after != len(tournament.decisions):
                raise RuleViolation("decided_meanwhile")
            return directing.decide(tournament, command, moment)
        case Announce():
            raise RuleViolation("id_reused")
        case _:
            assert_never(command)


def _servers(tournament: Tournament, command: ServersCommand, moment: Moment) -> Events:
    match command:
        case NextRound(round=number):
            waiting = tournament.stage is Stage.BREAK and number == len(tournament.rounds) + 1
            due = waiting and tournament.due is not None and tournament.due <= moment.now
            try:
                return open_round(tournament, moment.now) if due else ()
            except RuleViolation as refused:  # there is nobody to play with; the director may still let somebody in
                if refused.code != "too_few_entrants":
                    raise
                return (Ended(Ending.NOBODY_LEFT, moment.now),)
        case NoteFirstCard(round=number):
            running = tournament.round
            begun = running is None or running.number != number or running.begun
            return () if begun else (RoundBegun(number),)
        case NoteResult():
            return _note_result(tournament, command)
        case _:
            assert_never(command)


def _note_result(tournament: Tournament, command: NoteResult) -> Events:
    running = tournament.round
    if running is None or tournament.stage is not Stage.ROUND or running.number != command.round:
        return ()
    table = running.table(command.table)
    if table is None or table.results or table.paper:
        return ()
    return (ResultNoted(command.round, command.table, command.result),)


def _register(tournament: Tournament, command: Register) -> Events:
    """Somebody enters: at once, or once the director has approved; who was in before comes back."""
    known = tournament.entrant_of(command.player)
    if known is not None and known.status is not Status.OUT:
        raise RuleViolation("already_entered")
    if tournament.stage is Stage.OVER:
        raise RuleViolation("tournament_over")
    if not tournament.open or len(tournament.rounds) >= tournament.terms.late_until:
        raise RuleViolation("entry_closed")
    coming = len(tournament.rounds) + 1
    if known is not None:
        check_returns(tournament, known)
    if known is not None and may_return(tournament, known):
        return (Admitted(known.number, coming),)
    if known is not None:
        return (Entered(changed(known, status=Status.WAITING, from_round=coming)),)
    if len(tournament.entrants) >= MOST_ENTRANTS:
        raise RuleViolation("tournament_full")
    invitation = _invitation(tournament, command.code)
    approved = tournament.terms.admission is not Admission.APPROVAL or invitation is not None
    if tournament.terms.admission is Admission.INVITATION and invitation is None:
        raise RuleViolation("invitation_needed")
    entrant = Entrant(
        number=len(tournament.entrants) + 1,
        player=command.player,
        name=command.name,
        team=team_with_room(tournament, command.team),
        status=Status.IN if approved else Status.WAITING,
        from_round=coming,
        contribution=command.contribution,
        program=command.program,
    )
    return (Entered(entrant, 0 if invitation is None else invitation.number),)


def _invitation(tournament: Tournament, code: str | None) -> Invitation | None:
    if code is None:
        return None
    for one in tournament.invitations:
        if hmac.compare_digest(one.code, code):
            if one.entrant is not None:
                raise RuleViolation("invitation_used")
            return one
    raise RuleViolation("no_such_invitation")


def _claim(tournament: Tournament, command: Claim, moment: Moment) -> Events:
    """The same person at another device: who plays there is not an entrant yet."""
    if tournament.entrant_of(command.player) is not None:
        raise RuleViolation("already_entered")
    for offer in tournament.offers:
        if hmac.compare_digest(offer.code, command.code) and moment.now <= offer.until:
            return (PlaceMoved(offer.entrant, command.player),)
    raise RuleViolation("no_such_code")


def _entrant_of(tournament: Tournament, player: str) -> Entrant:
    for one in tournament.entrants:
        if one.player == player and one.status is not Status.OUT:
            return one
    raise RuleViolation("not_entered")


def _with_consequences(tournament: Tournament, events: Events, now: Millis) -> Iterator[TournamentEvent]:
    """The events, and what follows: a round ends with its last result, the tournament with its last round."""
    for event in events:
        tournament = evolve(tournament, event)
        yield event
    following = _consequences(tournament, now) if events else ()
    if following:
        yield from _with_consequences(tournament, following, now)


def _consequences(tournament: Tournament, now: Millis) -> Events:
    begun = tournament.stage in (Stage.ROUND, Stage.BREAK)
    if begun and not any(one.status is Status.IN for one in tournament.entrants):
        return (Ended(Ending.NOBODY_LEFT, now),)
    running = tournament.round
    if running is None:
        return ()
    complete = all(table.results for table in running.tables)
    if tournament.stage is Stage.ROUND and complete:
        return (RoundEnded(running.number, now),)
    if tournament.stage is Stage.BREAK and complete and running.number == tournament.terms.rounds:
        return (Ended(Ending.PLAYED, now),)
    return ()
