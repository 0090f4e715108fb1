"""A tournament's rules: entry, rounds, byes and drop-outs, endings, what is public when."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.games.game import Millis, RuleViolation
from server.games.kop.fair import commitment
from server.tournament import accounts, opening, view
from server.tournament.commands import (
    Approve,
    Claim,
    Correct,
    End,
    Halt,
    Invite,
    NextRound,
    OfferMove,
    OpenEntry,
    Register,
    TurnAway,
    Undo,
    Withdraw,
)
from server.tournament.standings import LineKind, standings
from server.tournament.state import Ending, Stage, Status
from tests.tournament.evenings import Evening, player, replayed


def refused(code: str) -> "pytest.RaisesExc[RuleViolation]":
    return pytest.raises(RuleViolation, match=f"^{code}")


def lines_of(evening: Evening, entrant: int) -> dict[int, LineKind]:
    found = next(one for one in accounts.accounts(evening.tournament) if one.entrant == entrant)
    return {line.round: line.kind for line in found.lines}


# Entry


def test_who_enters_twice_is_told_so_and_nothing_changes() -> None:
    """Double registration: a clear code, one entrant."""
    evening = Evening()
    evening.enter(1)
    before = evening.tournament
    with refused("already_entered"):
        evening.enter(1)
    assert evening.tournament is before


def test_three_cannot_start_where_numbers_not_divisible_by_four_have_byes() -> None:
    """With byes a table needs four; nothing is drawn, and a fourth makes it possible."""
    evening = Evening(preset="wolsztyn")
    evening.enter_all(3)
    with refused("too_few_entrants"):
        evening.open_round()
    assert (evening.tournament.rounds, evening.tournament.decisions) == ((), ())
    evening.enter(4)
    evening.open_round()
    assert evening.tournament.stage is Stage.ROUND


def test_approval_is_the_directors() -> None:
    """Who asks waits, and plays once he is let in."""
    evening = Evening(admission="approval")
    evening.enter_all(5)
    assert all(one.status is Status.WAITING for one in evening.tournament.entrants)
    for number in (1, 2, 3, 4):
        evening.order(Approve(number))
    evening.order(TurnAway(5, "full house"))
    evening.open_round()
    assert sorted(n for n in evening.tournament.rounds[0].tables[0].seats if n is not None) == [1, 2, 3, 4]


def test_who_was_turned_away_or_never_let_in_has_to_be_approved() -> None:
    """Entering again is asking again; who was in and left comes back by himself."""
    evening = Evening(admission="approval")
    evening.enter_all(3)
    evening.order(TurnAway(1, "full house"))
    evening.do(Withdraw(player(2)))
    evening.order(Approve(3))
    evening.do(Withdraw(player(3)))
    evening.enter_all(3)
    asked = evening.tournament.entrants
    assert [one.status for one in asked] == [Status.WAITING, Status.WAITING, Status.IN]
    assert [one.number for one in asked] == [1, 2, 3]
    evening.order(Approve(1))
    assert evening.tournament.entrants[0].status is Status.IN


def test_who_was_turned_away_from_an_open_tournament_asks() -> None:
    """The director's no stands until he says yes."""
    evening = Evening()
    evening.enter(1)
    evening.order(TurnAway(1, "no member"))
    evening.enter(1)
    assert evening.tournament.entrants[0].status is Status.WAITING


def test_an_invitation_lets_one_player_in() -> None:
    """Without one nobody enters; each is good for one; a wrong one is said to be wrong."""
    evening = Evening(admission="invitation")
    evening.order(Invite("Ala"))
    code = evening.tournament.invitations[0].code
    with refused("invitation_needed"):
        evening.enter(1)
    with refused("no_such_invitation"):
        evening.enter(1, code="0" * 12)
    evening.enter(1, code=code)
    with refused("invitation_used"):
        evening.enter(2, code=code)
    assert [one.status for one in evening.tournament.entrants] == [Status.IN]


def test_a_late_entrant_plays_from_the_next_round_and_missed_the_first() -> None:
    """Late entry until the round that the director names."""
    evening = Evening(late_until=2, missed_big=1, missed_small=-5)
    evening.enter_all(4)
    evening.open_round()
    evening.enter(5)
    evening.play_round()
    evening.break_over()
    with refused("entry_closed"):
        evening.enter(6)
    evening.play_on()
    assert lines_of(evening, 5) == {1: LineKind.MISSED, 2: LineKind.PLAYED, 3: LineKind.PLAYED}
    missed = next(one for one in accounts.accounts(evening.tournament) if one.entrant == 5).lines[0]
    assert (missed.big, missed.small) == (Fraction(1), -5)


def test_entry_is_closed_and_opened_by_the_director() -> None:
    """And who was out comes back as the same entrant."""
    evening = Evening()
    evening.enter_all(4)
    evening.do(Withdraw(player(2)))
    evening.order(OpenEntry(False))
    with refused("entry_closed"):
        evening.enter(2)
    with refused("already_so"):
        evening.order(OpenEntry(False))
    evening.order(OpenEntry(True))
    evening.enter(2)
    assert [one.status for one in evening.tournament.entrants] == [Status.IN] * 4


def test_teams_have_room_for_their_size() -> None:
    """A pair is two; without teams there is none to name."""
    evening = Evening(team_size=2)
    evening.enter(1, "Orły")
    evening.enter(2, "Orły")
    with refused("team_full"):
        evening.enter(3, "Orły")
    with refused("no_teams"):
        Evening().enter(1, "Orły")


def test_a_place_moves_to_another_device() -> None:
    """With the director's code, for five minutes, once; the old device has no part any more."""
    evening = Evening()
    evening.enter_all(4)
    evening.open_round()
    evening.order(OfferMove(2))
    code = evening.tournament.offers[0].code
    with refused("no_such_code"):
        evening.do(Claim(player(9), "0" * 12))
    with refused("already_entered"):
        evening.do(Claim(player(1), code))
    evening.do(Claim(player(9), code))
    with refused("no_such_code"):
        evening.do(Claim(player(8), code))
    assert evening.tournament.entrant_of(player(9)) is not None
    assert view.own(evening.tournament, player(2)) is None
    evening.order(OfferMove(3))
    late = evening.tournament.offers[0]
    evening.now = Millis(late.until + 1)
    with refused("no_such_code"):
        evening.do(Claim(player(8), late.code))


# Dropping out, endings


def test_who_leaves_in_a_round_is_replaced_by_a_bot() -> None:
    """His round is missed, and the next is seated without him."""
    evening = Evening(fill="bots")
    evening.enter_all(8)
    evening.open_round()
    evening.do(Withdraw(player(3)))
    evening.play_on()
    assert lines_of(evening, 1) == dict.fromkeys((1, 2, 3), LineKind.PLAYED)
    assert all(3 not in table.seats for one in evening.tournament.rounds for table in one.tables)
    assert evening.tournament.ending is Ending.PLAYED


def test_who_leaves_forfeits_where_that_was_agreed() -> None:
    """The others have 3 big and 35 small points."""
    evening = Evening(dropout="forfeit", rounds=1)
    evening.enter_all(4)
    evening.open_round()
    evening.do(Withdraw(player(3)))
    rows = {row.entrant: row for row in standings(accounts.accounts(evening.tournament))}
    assert [(rows[one].big, rows[one].small) for one in (1, 2, 4)] == [(Fraction(3), 35)] * 3
    assert (rows[3].big, rows[3].small) == (Fraction(0), 0)
    assert rows[3].lines[0].kind is LineKind.FORFEIT


def test_when_all_have_gone_the_tournament_ends_and_says_why() -> None:
    """In a round, and between two."""
    for between in (False, True):
        evening = Evening()
        evening.enter_all(5)
        evening.open_round()
        if between:
            evening.play_round()
        for number in range(1, 6):
            evening.do(Withdraw(player(number)))
        assert evening.tournament.stage is Stage.OVER
        assert evening.tournament.ending is Ending.NOBODY_LEFT


def test_too_few_left_for_a_table_end_it_when_the_next_round_is_due() -> None:
    """With byes, three cannot go on."""
    evening = Evening(fill="bye")
    evening.enter_all(4)
    evening.open_round()
    evening.play_round()
    evening.do(Withdraw(player(1)))
    evening.break_over()
    assert evening.tournament.ending is Ending.NOBODY_LEFT


def test_the_director_ends_it_at_once() -> None:
    """Nothing can be entered or opened any more; corrections can still be made."""
    evening = Evening()
    evening.enter_all(4)
    evening.open_round()
    evening.play_round()
    evening.order(End("The hall closes"))
    assert evening.tournament.ending is Ending.DIRECTOR
    for attempt in (lambda: evening.enter(5), evening.open_round, lambda: evening.order(Halt())):
        with refused("tournament_over"):
            attempt()
    evening.order(Correct(1, 1, (1, 1, -1, -1), "miscounted"))


@given(
    st.sampled_from([5, 6, 7, 9, 13]),
    st.sampled_from(["draw", "balanced", "standing"]),
    st.sampled_from(["bye", "bots"]),
    st.integers(0, 2**32),
)
def test_odd_fields_with_one_leaving_and_one_coming_late_are_always_seated(
    entrants: int, seating: str, fill: str, seed: int
) -> None:
    """Everyone is at a table or has a recorded bye, byes are spread, the next round opens, the log replays."""
    evening = Evening(seed, seating=seating, fill=fill, rounds=5, late_until=3)
    evening.enter_all(entrants)
    evening.open_round()
    evening.do(Withdraw(player(evening.chance.randint(1, entrants))))
    evening.play_round()
    evening.enter(entrants + 1)
    while evening.tournament.stage is not Stage.OVER:
        evening.break_over()
        running = evening.tournament.rounds[-1]
        seated = [one for table in running.tables for one in table.seats if one is not None]
        there = [one.number for one in evening.tournament.entrants if one.status is Status.IN]
        assert sorted((*seated, *running.byes)) == there
        evening.play_round()
    assert evening.tournament.ending is Ending.PLAYED
    byes = [sum(one in each.byes for each in evening.tournament.rounds) for one in there]
    assert max(byes) - min(byes) <= 1
    assert replayed(evening.lines) == evening.tournament


@given(st.integers(0, 2**32), st.sampled_from(["4,3,2,1", "5,3,1,0"]))
def test_the_points_of_each_complete_table_add_up(seed: int, scale: str) -> None:
    """Big points to the scale's total, small points to nothing."""
    evening = Evening(seed, scale=scale, rounds=2)
    evening.enter_all(8)
    evening.play_on()
    for one in evening.tournament.rounds:
        lines = [
            line
            for account in accounts.accounts(evening.tournament)
            for line in account.lines
            if line.round == one.number
        ]
        for table in one.tables:
            at_table = [line for line in lines if line.table == table.number]
            assert sum((line.big for line in at_table), Fraction(0)) == sum(evening.tournament.terms.scale)
            assert sum(line.small for line in at_table) == 0


def test_a_draw_was_committed_to_before_anybody_entered() -> None:
    """Each round's secret, public once it is drawn, is what was promised at the opening."""
    evening = Evening()
    promised = opening.draw_commitments(evening.tournament)
    assert view.terms_page(evening.tournament)["secrets"] == []
    evening.enter_all(8)
    evening.play_on()
    page = view.terms_page(evening.tournament)
    assert page["commitments"] == list(promised)
    assert [commitment(bytes.fromhex(secret)) for secret in page["secrets"]] == list(promised)


def test_the_next_round_opens_once_and_not_before_its_time() -> None:
    """Whoever notices first opens it; another process that comes later changes nothing."""
    evening = Evening(break_seconds=60)
    evening.enter_all(4)
    evening.open_round()
    evening.play_round()
    assert evening.do(NextRound(2)) == ()
    evening.break_over()
    assert evening.do(NextRound(2)) == ()
    assert len(evening.tournament.rounds) == 2


def test_a_program_is_known_as_one() -> None:
    """As it is at a table."""
    evening = Evening()
    evening.do(Register(player(1), "kop bot", "", program=True))
    assert view.entrants_page(evening.tournament)["entrants"][0]["program"]


def test_the_same_cards_are_compared_when_the_round_is_over() -> None:
    """Seat by seat: 2 points for each lower, 1 for each equal result; and its decks' seed is public then."""
    evening = Evening(duplicate=True, rounds=1)
    evening.enter_all(8)
    evening.open_round()
    evening.result(1, (3, -1, -1, -1), [(1, (3, -1, -1, -1))])
    assert [row.lines for row in standings(accounts.accounts(evening.tournament))] == [()] * 8
    assert [table["result"] for table in view.round_page(evening.tournament, 1)["tables"]] == [None, None]
    assert view.happenings(evening.tournament, evening.lines[-1].events)[-1]["small"] == []
    evening.order(Correct(1, 1, (6, -2, -2, -2), "misread"))
    assert view.decisions_page(evening.tournament)["decisions"][-1]["small"] == []
    evening.order(Undo(len(evening.tournament.decisions)))
    with refused("round_running"):
        view.comparison_page(evening.tournament, 1)
    assert view.terms_page(evening.tournament)["cards"][0]["seed"] == ""
    evening.result(2, (1, -1, 1, -1), [(1, (1, -1, 1, -1))])
    seats = view.comparison_page(evening.tournament, 1)["seats"]
    assert [one["points"] for one in seats] == [2, 1, 0, 1, 0, 1, 2, 1]
    opened = view.terms_page(evening.tournament)["cards"][0]
    assert len(opened["seed"]) == 64


def test_nothing_secret_stands_in_what_everybody_sees() -> None:
    """No code, no secret of what is not drawn yet, no seed of a running round: in no page, and in no happening."""
    evening = Evening(duplicate=True, admission="approval")
    told = ""
    evening.enter_all(8)
    evening.order(Invite("Ala"))
    evening.order(OfferMove(1))
    for number in range(1, 9):
        evening.order(Approve(number))
    evening.open_round()
    tournament = evening.tournament
    for line in evening.lines:
        told += repr(view.happenings(tournament, line.events))
    told += repr([view.public(tournament), view.own(tournament, player(1)), view.terms_page(tournament)])
    told += repr([view.entrants_page(tournament), view.standings_page(tournament), view.round_page(tournament, 1)])
    told += repr([view.decisions_page(tournament), view.cross_page(tournament)])
    codes = [tournament.invitations[0].code, tournament.offers[0].code]
    later = [opening.draw_secret(tournament, number).hex() for number in (2, 3)]
    for secret in (*codes, *later, tournament.secret.hex(), tournament.rounds[0].seed.hex()):
        assert secret not in told
    desk = repr(view.desk_page(tournament))
    assert all(code in desk for code in codes)
