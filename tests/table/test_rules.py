"""What people do at a table: opening it, sitting down, being ready, answering, finishing, playing again."""

import pytest

from server.games.game import RuleViolation, Seat, Stage
from server.games.kop.events import AnswerTimeOver, DealOffered, Dealt
from server.games.kop.game import Kop
from server.table import rules, sheets, view
from server.table.commands import Act, Create, FinishMatch, RunOut, TakeSeat
from server.table.events import Created, MatchStarted, ReadySaid, Seated
from server.table.ids import Lifetime, PlayerId
from tests.games.kop.scenes import QUIET, SEATS, WHOLE_DEAL, WHOLE_PLAYS
from tests.table.scenes import TABLE, Log, dealt, seated, sitter

A, B, C, D, E = (PlayerId(letter) for letter in "abcde")
TWELVE = ", ".join(
    f"{seat} play {card}" for seat, card in zip((0, 1, 2, 3, 2, 3, 0, 1, 1, 2, 3, 0), WHOLE_PLAYS.split(), strict=False)
)


# --- opening and sitting down -------------------------------------------------------------------------------------


def test_who_opens_a_table_owns_it_and_sits_at_seat_0() -> None:
    """One entry opens the table with its complete options and seats its owner; no match begins yet."""
    log = Log().open("CODE", deals=4)
    created, sat = log.lines[0].events
    assert isinstance(created, Created)
    assert (created.table, created.game, created.code, created.owner) == (TABLE, "kop", "CODE", "a")
    assert created.options == Kop().options(Kop().new_match({"deals": 4}))
    assert created.options["deals"] == 4
    assert sat == Seated(Seat(0), sitter("a"))
    assert (log.table.match, view.stage(log.table), log.table.owner) == (0, "seating", "a")


@pytest.mark.parametrize(
    ("game", "options", "code", "detail"),
    [
        ("skat", {}, "unknown_game", None),
        ("kop", {"jokers": 2}, "unknown_option", "jokers"),
        ("kop", {"deals": 5}, "bad_option", "deals"),
    ],
)
def test_a_table_that_cannot_be(game: str, options: dict[str, int], code: str, detail: str | None) -> None:
    """A game or option that does not exist is refused; the detail names the option."""
    with pytest.raises(RuleViolation) as refusal:
        rules.create(Create(sitter("a"), TABLE, game, options, None), Log().moment())
    assert (refusal.value.code, refusal.value.detail) == (code, detail)


def test_a_table_is_opened_once() -> None:
    """An id that opened this table opens no other."""
    assert Log().open().refused(Create(sitter("a"), TABLE, "kop", {}, None)) == "id_reused"


def test_players_take_the_first_free_seat_or_the_one_they_want() -> None:
    """Without a wish the first free seat; with one that seat."""
    log = Log().open().sit("b", 2).sit("c")
    assert [None if one is None else one.player for one in log.table.seats] == ["a", "c", "b", None]


def test_the_match_begins_when_the_fourth_sits_down() -> None:
    """Its number, then the first deal on offer, are in the entry of the fourth player."""
    log = Log().open().sit("bc")
    assert log.table.match == 0
    sat, started, offered = log.do(TakeSeat(sitter("d"), None))
    assert (sat, started) == (Seated(Seat(3), sitter("d")), MatchStarted(1))
    assert isinstance(offered, DealOffered)
    assert offered.label == f"{TABLE}/1"
    assert (log.table.match, log.table.stage, log.table.prompt) == (1, Stage.BETWEEN, "1.1r")


@pytest.mark.parametrize(
    ("letters", "player", "seat", "code"),
    [
        ("b", "c", 1, "seat_taken"),
        ("b", "c", 4, "no_such_seat"),
        ("b", "b", None, "already_seated"),
        ("b", "b", 2, "already_seated"),
        ("bcd", "e", None, "table_full"),
        ("bcd", "e", 1, "table_full"),
        ("bcd", "e", 9, "no_such_seat"),
    ],
)
def test_seats_that_cannot_be_taken(letters: str, player: str, seat: int | None, code: str) -> None:
    """Why a seat is refused."""
    wanted = None if seat is None else Seat(seat)
    assert Log().open().sit(letters).refused(TakeSeat(sitter(player), wanted)) == code


# --- ready --------------------------------------------------------------------------------------------------------


def test_cards_are_dealt_when_all_are_ready() -> None:
    """The fourth *ready* and the deal are one entry; then nobody is ready for the next."""
    log = seated()
    for seat in (2, 0, 3):
        log.act(seat, "ready")
    assert log.table.ready == ("", None, "", "")
    said, out = log.do(Act(B, log.table.prompt, "ready"))
    assert said == ReadySaid(Seat(1), "")
    assert isinstance(out, Dealt)
    assert (view.stage(log.table), list(log.table.ready)) == ("deal", [None] * 4)


def test_the_cut_comes_with_ready() -> None:
    """2.2: the dealer's right neighbour cuts with his *ready*, the others cannot; what he said is kept for him."""
    log = seated()
    assert log.match.offer is not None
    cutter = (log.match.offer.dealer + 3) % 4
    other = (cutter + 1) % 4
    assert view.actions(log.table, Seat(cutter)) == ("ready", *(f"ready {cut}" for cut in range(1, 16)))
    assert view.actions(log.table, Seat(other)) == ("ready",)
    with pytest.raises(RuleViolation, match="not_your_cut"):
        log.act(other, "ready 5")
    log.act(cutter, "ready 5")
    assert view.actions(log.table, Seat(cutter)) == ()
    assert view.public(log.table)["ready"] == [seat == cutter for seat in SEATS]
    log.start()
    assert isinstance(log.lines[-1].events[-1], Dealt)
    assert log.lines[-1].events[-1].cut == 5


@pytest.mark.parametrize(
    ("prepared", "player", "action", "code"),
    [
        (Log().open().sit("b"), "a", "ready", "seats_empty"),
        (seated(), "e", "ready", "not_seated"),
        (seated().act(0, "ready"), "a", "ready", "already_ready"),
        (seated(), "a", "ask", "no_deal_running"),
        (seated(), "a", "rematch", "no_deal_running"),
        (seated(), "a", "", "no_deal_running"),
        (seated().ready(), "a", "ready", "unknown_action"),
        (seated().ready(), "e", "ask", "not_seated"),
    ],
)
def test_actions_that_are_refused(prepared: Log, player: str, action: str, code: str) -> None:
    """An action needs a seat, and must be one that the question that stands can be answered with."""
    assert prepared.refused(Act(PlayerId(player), prepared.table.prompt, action)) == code


def test_an_action_that_answers_another_question_is_stale() -> None:
    """A click that crossed a call is refused, whatever it says; the same action to the new question is not."""
    log = dealt(WHOLE_DEAL).say("0 ask")
    before = log.table.prompt
    log.say("1 double 1")
    assert log.refused(Act(C, before, "double 1")) == "stale"
    assert log.refused(Act(C, before, "go on")) == "stale"
    assert log.refused(Act(C, log.table.prompt, "double 2")) is None


def test_go_on_does_not_make_other_answers_stale() -> None:
    """3.7: all may answer the question with the prompt they saw."""
    log = dealt(WHOLE_DEAL).say("0 ask")
    asked = log.table.prompt
    for player in (B, D, C):
        log.do(Act(player, asked, "go on"))
    log.do(Act(A, asked, "play AD"))
    assert log.table.prompt != asked


# --- the answer time ----------------------------------------------------------------------------------------------


def test_the_clock_ends_the_answer_time_when_it_is_due() -> None:
    """Too early, or for a question that stands no longer, the clock changes nothing; nor does it come twice."""
    log = dealt(WHOLE_DEAL).say("0 ask")
    asked, due = log.table.prompt, log.table.deadline
    assert due is not None
    assert log.do(RunOut(asked)) == ()
    log.say("2 double 1")
    log.now = due
    assert log.do(RunOut(asked)) == ()
    log.say("0 ask")
    assert log.table.deadline != due
    log.time_over()
    assert log.lines[-1].events == (AnswerTimeOver(),)
    assert log.do(RunOut(log.table.prompt)) == ()


# --- the end of a match -------------------------------------------------------------------------------------------


def ended() -> Log:
    """A table whose match of four deals is over."""
    log = seated(deals=4)
    for _ in range(4):
        log.ready().play_on()
    return log


def test_a_rematch_has_the_same_seats_and_a_new_lot() -> None:
    """When all want it a new match begins at the same table: next number, empty sheet, the dealer drawn anew."""
    log = ended()
    assert (view.stage(log.table), log.table.prompt) == ("over", "1.over")
    assert [view.actions(log.table, seat) for seat in SEATS] == [("rematch",)] * 4
    assert log.refused(Act(A, log.table.prompt, "ready")) == "no_deal_running"
    assert log.refused(Act(E, log.table.prompt, "rematch")) == "not_seated"
    for seat in (0, 2, 3):
        log.act(seat, "rematch")
    assert log.refused(Act(A, log.table.prompt, "rematch")) == "already_ready"
    said, started, offered = log.do(Act(B, log.table.prompt, "rematch"))
    assert (said, started) == (ReadySaid(Seat(1), ""), MatchStarted(2))
    assert isinstance(offered, DealOffered)
    assert (offered.label, offered.number) == (f"{TABLE}/2", 1)
    assert (log.table.prompt, log.table.ready, log.table.sat, log.match.lines) == ("2.1r", (None,) * 4, (), ())
    assert log.match.terms.deals == 4


def test_another_player_may_join_the_rematch() -> None:
    """Who takes a seat after the match says for himself that he wants one."""
    log = ended()
    for seat in (0, 1, 3):
        log.act(seat, "rematch")
    log.leave("c").sit("e")
    assert log.table.match == 1
    log.act(2, "rematch")
    assert log.table.match == 2


def test_lots_of_rematches_differ() -> None:
    """2.1: over some rematches every seat is the first dealer."""
    dealers, log = set(), ended()
    for _ in range(12):
        log.ready()
        offer = log.match.offer
        assert offer is not None
        dealers.add(offer.dealer)
        for _ in range(4):
            log.ready().play_on()
    assert len(dealers) == 4


def test_an_open_ended_match_is_finished_by_its_owner() -> None:
    """2.3: between deals, after at least one; then all may want a rematch, and a late *ready* is stale."""
    log = seated(deals=None)
    assert log.refused(FinishMatch(A, log.table.prompt)) == "not_open_ended"
    log.ready()
    assert log.refused(FinishMatch(A, log.table.prompt)) == "deal_running"
    log.play_on().act(1, "ready")
    assert log.refused(FinishMatch(B, log.table.prompt)) == "not_owner"
    between = log.table.prompt
    log.finish()
    assert (view.stage(log.table), log.table.ready) == ("over", (None,) * 4)
    assert log.refused(Act(A, between, "ready")) == "stale"
    assert log.refused(FinishMatch(A, log.table.prompt)) == "not_open_ended"
    assert log.ready().table.match == 2


@pytest.mark.parametrize(
    ("log", "lifetime"),
    [
        (Log().open(), Lifetime.UNSTARTED),
        (seated(), Lifetime.UNSTARTED),
        (seated().ready(), Lifetime.MATCH),
        (seated().ready().play_on(), Lifetime.MATCH),
        (ended(), Lifetime.ENDED),
        (ended().ready(), Lifetime.MATCH),
    ],
    ids=["open", "seated", "dealt", "one deal", "over", "rematch"],
)
def test_how_long_a_table_is_kept(log: Log, lifetime: Lifetime) -> None:
    """Unstarted until the first cards, then as a match, at last as ended."""
    assert log.table.lifetime is lifetime


def test_the_whole_deal_at_a_table() -> None:
    """7: the deal of the rules page, card by card, gives its line."""
    log = dealt(WHOLE_DEAL).say(QUIET).say(TWELVE)
    [line] = sheets.sheet(log.table)["lines"]
    assert (line["line"]["margin"], line["line"]["money"]) == ("boki", [-1, 1, 1, -1])
