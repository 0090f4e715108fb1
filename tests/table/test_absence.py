"""A seat that nobody looks after, at every phase of a match: what each rule does, and how its player has it back."""

import pytest

from server.games.game import OptionValue, Seat, Stage
from server.games.kop.events import DealAnnulled, DealScored
from server.table import sheets, view
from server.table.commands import Act, BotActs, NoteAbsent, NoteReturn, PassOwnership, RemoveSitter, TakeSeat
from server.table.events import (
    Absent,
    ActedFor,
    OwnerChanged,
    Returned,
    Seated,
    SeatLeft,
    SeatRemoved,
    Sitter,
    StandInCame,
    Substitute,
)
from server.table.evolution import MOST_LEFT
from server.table.house_rules import OnAbsence
from server.table.ids import PlayerId
from server.table.records import records
from server.table.state import Absence
from server.table.strength import Strength
from tests.games.kop.scenes import QUIET, SEATS, WHOLE_DEAL, four
from tests.table.phases import PHASES, PLAYS, SECRETS, Phase, go_on, in_trick, over
from tests.table.scenes import Log, dealt, seated, sitter

A, B, C, D, E = (PlayerId(letter) for letter in "abcde")
B_SEAT = Seat(1)
Options = dict[str, OptionValue]
RULES: dict[str, Options] = {
    "wait": {"on_absence": "wait"},
    "bot": {"on_absence": "bot"},
    "vote": {"on_absence": "vote"},
    "clock": {"on_absence": "clock", "clock_seconds": 20},
}

at_every_phase = pytest.mark.parametrize("phase", PHASES.values(), ids=PHASES)
by_every_rule = pytest.mark.parametrize("rule", RULES)


def options(rule: str) -> Options:
    """The options that agree on a rule."""
    return dict(RULES[rule])


def hand(log: Log, seat: int = 1) -> object:
    """The cards that a seat was dealt and has left, while a deal runs."""
    deal = log.match.in_play
    return None if deal is None else (deal.dealt[seat], deal.hands[seat])


def bot_at(log: Log, seat: int) -> Sitter:
    """The bot of the server that sits there."""
    there = log.table.seats[seat]
    assert there is not None
    assert there.bot is not None
    return there


# --- who drops out ------------------------------------------------------------------------------------------------


@at_every_phase
@by_every_rule
def test_who_drops_out_is_noted_and_the_rule_takes_hold(rule: str, phase: Phase) -> None:
    """His absence has the number of the version that noted it; under *bot* somebody stands in at once."""
    log = phase(**options(rule))
    events = log.do(NoteAbsent(B))
    assert events == ((Absent(B_SEAT), StandInCame(B_SEAT)) if rule == "bot" else (Absent(B_SEAT),))
    assert log.table.absences == (Absence(B_SEAT, log.table.version, stand_in=rule == "bot"),)
    assert log.table.seats[1] == sitter("b")
    assert log.table.people == (0, 2, 3)


@at_every_phase
@by_every_rule
def test_a_table_goes_on_by_its_rule(rule: str, phase: Phase) -> None:
    """Under *bot* and *clock* the deal is played to its end; under *wait* and *vote* it comes to the absent seat."""
    log = go_on(phase(**options(rule)).away("b"), deals=2)
    if rule in ("bot", "clock"):
        assert len(log.match.lines) == 2
    else:
        assert len(log.match.lines) <= 1
        assert log.table.awaited == (1,)
        assert log.table.deadline is None or log.match.in_play


@at_every_phase
@by_every_rule
def test_who_is_back_has_his_seat_and_his_hand_at_once(rule: str, phase: Phase) -> None:
    """Whatever the rule, at whatever moment: the same cards, and nothing that he can do is done for him any more."""
    log = phase(**options(rule))
    before = hand(log)
    log.away("b")
    assert log.do(NoteReturn(B)) == (Returned(B_SEAT),)
    assert (hand(log), log.table.absences, log.table.people) == (before, (), SEATS)
    assert not log.table.played_by_bot(B_SEAT)
    assert log.do(NoteReturn(B)) == ()
    assert len(go_on(log).match.lines) == 1


@at_every_phase
@by_every_rule
def test_who_comes_back_late_goes_on_where_his_seat_stands(rule: str, phase: Phase) -> None:
    """The table has gone on without him as far as it could: he has the seat, what is left of its hand, and acts."""
    log = go_on(phase(**options(rule)).away("b"), most=5)
    before = hand(log)
    log.back("b")
    assert hand(log) == before
    log = go_on(log, deals=2)
    assert len(log.match.lines) == 2


@by_every_rule
def test_nobody_is_absent_from_a_match_that_is_over(rule: str) -> None:
    """After a match nothing waits for anybody: no absence is noted, and those noted before are forgotten."""
    log = over(**options(rule))
    assert log.do(NoteAbsent(B)) == ()
    log = Log(dealing=[(four(WHOLE_DEAL), 3)] * 4).open(None, deals=4, **options(rule)).sit("bcd").ready()
    for _ in range(3):
        log.play_on().ready()
    go_on(log.say(", ".join([QUIET, *PLAYS[:11]])).away("b"), deals=4)
    assert (log.table.stage, log.table.absences) == (Stage.OVER, ())


def test_nobody_is_absent_before_a_match() -> None:
    """While seats are empty nothing waits for those who sit."""
    log = Log().open().sit("bc")
    assert log.do(NoteAbsent(B)) == ()
    assert log.do(NoteReturn(B)) == ()


@by_every_rule
def test_an_absence_is_noted_once(rule: str) -> None:
    """Noted again it changes nothing; nor does it for a stranger, or for a bot."""
    log = dealt(WHOLE_DEAL, **options(rule)).away("b")
    for player in (B, E):
        assert log.do(NoteAbsent(player)) == ()
    log = seated(**options(rule)).remove("a", 2)
    there = log.table.seats[2] or bot_at(log.seat_bot(2), 2)
    assert log.do(NoteAbsent(there.player)) == ()


@by_every_rule
def test_a_program_that_drops_out_is_absent_too(rule: str) -> None:
    """A program over the wire can fall away as a person can."""
    log = Log().open(None, **options(rule)).sit("bc")
    log.do(TakeSeat(Sitter(D, "D-name", program=True), None))
    log.away("d")
    assert log.table.absence(Seat(3)) is not None


# --- an act is a return -------------------------------------------------------------------------------------------


@by_every_rule
def test_who_acts_is_back(rule: str) -> None:
    """An absent player who answers the question has his seat by it; an answer that is refused changes nothing."""
    log = in_trick(1, **options(rule)).away("b")
    assert log.refused(Act(B, log.table.prompt, "play JS")) == "not_your_card"
    events = log.do(Act(B, log.table.prompt, "play QD"))
    assert events[0] == Returned(B_SEAT)
    assert log.table.absences == ()


def test_who_says_ready_is_back() -> None:
    """Between deals too; and the deal begins if he was the last."""
    log = seated().act(0, "ready").act(2, "ready").act(3, "ready").away("b")
    returned, *_ = log.do(Act(B, log.table.prompt, "ready"))
    assert returned == Returned(B_SEAT)
    assert view.stage(log.table) == "deal"


@at_every_phase
def test_what_a_stand_in_does_too_late_is_not_done(phase: Phase) -> None:
    """The player is back while the bot still thinks: its action comes to nothing, though the question stands."""
    log = go_on(phase(on_absence="bot").away("b").back("b"), most=0)
    while log.table.awaited != (1,):
        log = go_on(log, deals=2, most=1)
    action = "ready" if log.table.stage is Stage.BETWEEN else log.table.game.quiet(log.table.play, B_SEAT)
    assert action is not None
    log.away("b")
    late = BotActs(B_SEAT, log.table.prompt, action)
    log.back("b")
    assert log.do(late) == ()
    assert log.refused(Act(B, late.prompt, late.action)) is None


def test_a_stand_in_answers_the_question_that_it_was_asked() -> None:
    """What a bot thought for one question never answers the next, nor one in a pause."""
    log = in_trick(1, on_absence="bot").away("b")
    asked = BotActs(B_SEAT, log.table.prompt, "play QD")
    assert log.do(BotActs(B_SEAT, "1.1c9", "play QD")) == ()
    log.pause()
    assert log.do(asked) == ()
    log.resume()
    assert log.do(asked)[0] == ActedFor(B_SEAT, Substitute.BOT)
    assert log.do(asked) == ()


def test_what_a_stand_in_did_is_told_and_recorded() -> None:
    """Each act of a bot in a person's place is marked before it, and its number stands in the record; no other."""
    log = dealt(WHOLE_DEAL, on_absence="bot").say("0 ask, 1 go on").away("b")
    log.say("2 go on, 3 go on, 0 play AD").bot_acts(1, "play QD").back("b").say("2 play AH, 3 play JS, 2 play TD")
    log.say("3 play JH, 0 play QC").away("b").bot_acts(1, "play TH").bot_acts(1, "play AS").back("b").play_on()
    marked = [event for line in log.lines for event in line.events if isinstance(event, ActedFor)]
    assert marked == [ActedFor(B_SEAT, Substitute.BOT)] * 3
    [record] = records(log.table, log.table, log.lines[-1].events, log.lines[-1].at)
    assert [record.plain["acts"][act] for act in record.plain["acted_for"]] == [
        [1, "play QD"],
        [1, "play TH"],
        [1, "play AS"],
    ]
    assert record.plain["bots"] == [False] * 4
    log.ready()
    assert log.table.acted_for == ()


def test_what_is_done_in_an_opening_is_no_act_of_the_deal() -> None:
    """The deal before it is over: what a substitute does now marks none of its acts, nor of the next."""
    log = in_trick(12, on_absence="bot").commit(SECRETS).away("b")
    log.bot_acts(1, f"open {SECRETS[1][0].hex()}")
    assert log.lines[-1].events[0] == ActedFor(B_SEAT, Substitute.BOT)
    assert log.table.acted_for == ()


# --- who gives up his seat ----------------------------------------------------------------------------------------


@at_every_phase
@by_every_rule
def test_who_gives_up_his_seat_leaves_it_to_the_rule(rule: str, phase: Phase) -> None:
    """A bot takes it, or it is empty and absent, or under *wait* just empty. The others play on; the hand stays."""
    log = phase(**options(rule))
    before = hand(log)
    left, *rest = log.leave("b").lines[-1].events
    assert left == SeatLeft(B_SEAT, sitter("b"))
    if rule == "bot":
        assert rest == [Seated(B_SEAT, bot_at(log, 1))]
        assert bot_at(log, 1).bot is Strength.HARD
    else:
        assert rest == ([] if rule == "wait" else [Absent(B_SEAT)])
    assert hand(log) == before
    between = log.table.stage is Stage.BETWEEN
    lines = len(log.match.lines)
    log = go_on(log, deals=2)
    # the clock plays for an empty seat; between two deals nobody is there for whom it could say ready
    alone = {"bot": 2, "clock": lines if between else lines + 1}
    if rule in alone:
        assert len(log.match.lines) == alone[rule]
    else:
        assert log.table.awaited == (1,)


@at_every_phase
@by_every_rule
def test_who_gave_up_his_seat_takes_it_back(rule: str, phase: Phase) -> None:
    """Also from the bot that sits there meanwhile: the same hand, and he plays on."""
    log = phase(**options(rule))
    before = hand(log)
    log.leave("b")
    there = log.table.seats[1]
    *made_room, sat = log.sit("b").lines[-1].events
    assert made_room == ([] if there is None else [SeatLeft(B_SEAT, there)])
    assert sat == Seated(B_SEAT, sitter("b"))
    assert (hand(log), log.table.absences, log.table.people) == (before, (), SEATS)
    assert len(go_on(log).match.lines) == 1


@at_every_phase
@by_every_rule
def test_another_takes_the_seat_and_its_hand(rule: str, phase: Phase) -> None:
    """A newcomer sits down where a seat is empty or a bot sits, and goes on with its cards."""
    log = phase(**options(rule))
    before = hand(log)
    log.leave("b").sit("e")
    assert log.table.seat_of(E) == 1
    assert (hand(log), log.table.absences) == (before, ())
    assert log.refused(TakeSeat(sitter("b"), None)) in ("table_full", "seat_taken")
    assert len(go_on(log).match.lines) == 1


@at_every_phase
@by_every_rule
def test_who_is_removed_leaves_his_seat_to_the_rule(rule: str, phase: Phase) -> None:
    """As if he had given it up, but he cannot come back, not even to his own hand."""
    log = phase(**options(rule))
    before = hand(log)
    removed, *rest = log.remove("a", 1).lines[-1].events
    assert removed == SeatRemoved(B_SEAT, sitter("b"))
    kinds = {"wait": [], "bot": [Seated], "vote": [Absent], "clock": [Absent]}
    assert [type(event) for event in rest] == kinds[rule]
    assert log.refused(TakeSeat(sitter("b"), None)) == "barred"
    log.sit("e")
    assert hand(log) == before
    assert len(go_on(log).match.lines) == 1


@by_every_rule
def test_after_a_match_a_seat_is_just_empty(rule: str) -> None:
    """Nobody is absent and no bot comes: the rematch waits for whoever sits down."""
    log = over(**options(rule)).leave("b")
    assert (log.table.seats[1], log.table.absences) == (None, ())
    assert log.sit("e").ready().table.match == 2


@pytest.mark.parametrize("rule", ["bot", "vote"])
def test_who_is_absent_may_still_give_up_his_seat(rule: str) -> None:
    """The absence of the person ends with it, and that of the seat begins."""
    log = dealt(WHOLE_DEAL, **options(rule)).away("b")
    first = log.table.absence(B_SEAT)
    log.leave("b")
    second = log.table.absence(B_SEAT)
    assert first is not None
    if rule == "bot":
        assert (second, bot_at(log, 1).bot) == (None, Strength.HARD)
    else:
        assert second is not None
        assert second.number > first.number


def test_a_hand_that_was_seen_bars_other_seats_under_bots_too() -> None:
    """Bots sit everywhere, and still who has left his seat in this deal can only have his own again."""
    log = dealt(WHOLE_DEAL, on_absence="bot").leave("b").leave("c")
    assert log.refused(TakeSeat(sitter("b"), Seat(2))) == "saw_other_hand"
    assert log.refused(TakeSeat(sitter("b"), Seat(1))) is None
    log.sit("b")
    assert log.table.seat_of(B) == 1
    log.leave("b").sit("e", 1)
    assert log.refused(TakeSeat(sitter("b"), None)) == "table_full"
    assert go_on(log).refused(TakeSeat(sitter("b"), Seat(2))) is None


def test_an_absent_players_seat_is_not_to_be_had() -> None:
    """A bot stands in for him, but the seat is his: nobody else takes it."""
    log = dealt(WHOLE_DEAL, on_absence="bot").away("b")
    assert log.refused(TakeSeat(sitter("e"), None)) == "table_full"
    assert log.refused(TakeSeat(sitter("e"), B_SEAT)) == "table_full"


# --- whose deal it was --------------------------------------------------------------------------------------------


def names(log: Log) -> list[str]:
    """Who stands on the last line of the sheet; the debts of the sheet add up too."""
    sheet = sheets.sheet(log.table)
    assert sum(sheet["lines"][-1]["line"]["money"]) == 0
    names: list[str] = sheet["lines"][-1]["names"]
    return names


@pytest.mark.parametrize("phase", ["opening", "calls", "question", "first trick", "third trick"])
def test_an_empty_seat_that_the_clock_plays_pays_with_who_sat_there_last(phase: str) -> None:
    """Also who left before the cards were out: whatever a deal brings, somebody has it, and the sheet adds up."""
    log = go_on(PHASES[phase](**options("clock")).leave("b"))
    assert log.table.seats[1] is None
    assert names(log)[1] == "B-name"
    assert {debt["debtor"] for debt in sheets.sheet(log.table)["debts"]} <= {f"{letter}-name" for letter in "ABCD"}


def test_what_a_deal_brings_is_theirs_to_whom_it_was_dealt() -> None:
    """Who leaves and lets a bot play on pays, and who takes a seat in the middle wins nothing by it."""
    log = in_trick(7, on_absence="bot").leave("b")
    bot = bot_at(log, 1)
    assert log.refused(RemoveSitter(PlayerId("a"), bot.player)) == "deal_running"
    log.play_on(1).sit("e", 1).play_on()
    assert names(log)[1] == "B-name"
    assert sheets.sheet(log.table)["lines"][0]["bots"] == [False] * 4
    assert [one["name"] for one in sheets.evening(log.table)["people"]] == ["A-name", "B-name", "C-name", "D-name"]
    log.ready().play_on()
    assert sheets.sheet(log.table)["lines"][1]["names"][1] == "E-name"


def test_what_others_did_in_a_seat_is_marked() -> None:
    """The bot's cards and those of who took the seat are not the leaver's; a bot that was dealt cards plays its own."""
    log = in_trick(5, on_absence="bot")
    mine = [act for act, (seat, _) in enumerate(log.match.running.acts) if seat == 1]
    log.leave("b").play_on(3).sit("e", 1).play_on()
    deal = log.match.deal
    assert deal is not None
    theirs = [act for act, (seat, words) in enumerate(deal.acts) if seat == 1 and act not in mine]
    assert set(log.table.acted_for) <= set(theirs)
    assert len(log.table.acted_for) >= len(theirs) - 1  # the fourth trick plays itself


def test_who_was_pushed_out_of_memory_still_pays() -> None:
    """However many came and went at another seat: who gave up this one last is known."""
    log = in_trick(11).leave("b").leave("c")
    for number in range(MOST_LEFT + 2):
        log.do(TakeSeat(sitter(f"x{number}"), Seat(2)))
        log.leave(f"x{number}")
    log.sit("e", 2).play_on()
    assert log.table.seats[1] is None
    assert names(log)[1] == "B-name"


# --- the owner ----------------------------------------------------------------------------------------------------


@by_every_rule
def test_a_bot_never_owns_a_table(rule: str) -> None:
    """When the owner leaves a person who is left owns it; when none is left, the next person who sits down."""
    log = dealt(WHOLE_DEAL, **options(rule)).leave("b")
    if rule != "bot":
        log.seat_bot(1)
    there = bot_at(log, 1).player
    assert log.do(PassOwnership(there, A)) == ()
    assert OwnerChanged(C) in log.leave("a").lines[-1].events
    log.leave("c").leave("d")
    assert log.table.owner == D
    log.sit("e")
    assert log.table.owner == E


def test_the_deal_may_be_annulled_while_a_seat_is_empty() -> None:
    """As before, where the rule is a vote or waits: the owner's right stands beside it. A bot's seat is not empty."""
    log = in_trick(1, on_absence="vote").leave("b").annul()
    assert (log.table.stage, log.table.absence(B_SEAT) is None) == (Stage.BETWEEN, False)
    assert log.match.burned[-1].number == 1
    assert four(WHOLE_DEAL) in [event.hands for event in log.lines[-1].events if isinstance(event, DealAnnulled)]
    log.sit("e").ready().play_on()
    assert any(isinstance(event, DealScored) for event in log.lines[-1].events)


def test_every_rule_is_tried() -> None:
    """The table of rules above has them all."""
    assert set(RULES) == {rule.value for rule in OnAbsence}
