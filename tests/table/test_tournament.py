"""A table of a tournament: opened with all who sit there, what its players may not do, what its director may."""

import pytest

from server.games.game import RuleViolation, Seat, Stage
from server.games.kop.events import DealAnnulled, DealOffered, MatchEnded, TimeCalled
from server.table import codec, rules, view
from server.table.commands import (
    Act,
    AnnulDeal,
    AnnulDirected,
    CallTime,
    CloseTable,
    Command,
    GoOnTable,
    HaltTable,
    LeaveSeat,
    NoteAbsent,
    NoteAttended,
    NoteDeserted,
    PassOwnership,
    PauseTable,
    RemoveSitter,
    ReplaceSitter,
    ResumeTable,
    Say,
    StartDeal,
    TakeSeat,
    Vote,
)
from server.table.events import (
    Choice,
    Created,
    MatchStarted,
    Paused,
    Resumed,
    Seated,
    SeatLeft,
    StandInCame,
    TableClosed,
)
from server.table.ids import Lifetime, PlayerId
from server.table.state import Pause
from server.table.tournament_result import Played, result
from tests.table.scenes import Log, replayed, seated, sitter
from tests.table.tournaments import BOT, DUPLICATE, NIGHT, opened, opening, people

A, B, E = PlayerId("a"), PlayerId("b"), PlayerId("e")


def replace(seat: int, letter: str) -> ReplaceSitter:
    """Somebody else gets a seat."""
    return ReplaceSitter(Seat(seat), people(letter)[0])


# --- how it is opened ---------------------------------------------------------------------------------------------


def test_one_entry_opens_it_seats_all_and_begins_the_match() -> None:
    """Without code and owner; given again it changes nothing."""
    log = opened()
    [line] = log.lines
    created, *rest = line.events
    assert isinstance(created, Created)
    assert (created.code, created.owner, created.tournament) == (None, "", NIGHT)
    assert rest[:4] == [Seated(Seat(seat), one) for seat, one in enumerate(people("abc."))]
    assert rest[4] == MatchStarted(1)
    assert isinstance(rest[5], DealOffered)
    assert log.table.stage is Stage.BETWEEN
    assert log.do(opening()) == ()


def test_it_waits_for_its_first_deal_as_long_as_for_any() -> None:
    """It does not expire as a table that nobody has begun to play at."""
    assert seated().table.lifetime is Lifetime.UNSTARTED
    assert opened().table.lifetime is Lifetime.MATCH


@pytest.mark.parametrize(
    ("letters", "game", "code"),
    [("abc", "kop", "unknown_game"), ("abca", "kop", "already_seated"), ("abcd", "zopf", "unknown_game")],
)
def test_who_cannot_sit_there_opens_nothing(letters: str, game: str, code: str) -> None:
    """Four different players at a game for four."""
    command = opening()
    changed = type(command)(command.table, game, {}, NIGHT, people(letters))
    with pytest.raises(RuleViolation, match=code):
        rules.opened(changed, Log().moment())


def test_bad_options_open_nothing() -> None:
    """As at any table."""
    with pytest.raises(RuleViolation, match="bad_option: deals"):
        rules.opened(opening("abcd", deals=5), Log().moment())
    with pytest.raises(RuleViolation, match="no_such_table"):
        rules.opened(CallTime(), Log().moment())


def test_the_log_and_a_snapshot_give_the_table() -> None:
    """With its tournament, the seed too, and a pause of the director's."""
    log = opened("abcd", DUPLICATE).ready()
    log.do(HaltTable())
    assert replayed([codec.encode(line) for line in log.lines]) == log.table
    assert codec.decode_snapshot(codec.encode_snapshot(log.table)) == log.table
    assert log.table.tournament == DUPLICATE


# --- what its players may not do ----------------------------------------------------------------------------------


@pytest.mark.parametrize("log", [opened(), opened().ready()], ids=["between deals", "in a deal"])
def test_seats_pauses_and_the_end_are_not_the_players(log: Log) -> None:
    """Each wish is refused with a code that says so; nobody owns the table."""
    prompt = log.table.prompt
    refused: dict[str, list[Command]] = {
        "tournament_table": [TakeSeat(sitter("e"), None), TakeSeat(sitter("e"), Seat(3)), LeaveSeat(A), ResumeTable(A)],
        "already_seated": [TakeSeat(sitter("a"), None)],
        "not_seated": [LeaveSeat(E), ResumeTable(E)],
        "no_vote": [Vote(A, 1, Choice.END)],
        "not_owner": [
            StartDeal(A, prompt),
            AnnulDeal(A, prompt),
            PauseTable(A),
            RemoveSitter(A, B),
        ],
    }
    for code, commands in refused.items():
        assert [log.refused(command) for command in commands] == [code] * len(commands)
    assert log.do(PassOwnership(A, PlayerId(""))) == ()


def test_no_rematch_is_offered_or_taken() -> None:
    """After the match nothing more can be done."""
    log = opened()
    log.do(CallTime())
    assert log.table.stage is Stage.OVER
    assert view.actions(log.table, Seat(0)) == ()
    assert log.refused(Act(A, log.table.prompt, "rematch")) == "tournament_table"


def test_nobody_talks_in_a_deal() -> None:
    """Between deals the option counts; the view says what may be said now."""
    log = opened()
    log.talk("a", "good luck")
    assert view.public(log.table)["talk"] == "free"
    log.ready()
    assert view.public(log.table)["talk"] == "off"
    assert [log.refused(Say(who, "", "psst", "")) for who in (A, E)] == ["talk_off", "talk_off"]
    log.play_on().talk("a", "well played")
    quiet = opened("abcd", talk="off")
    assert quiet.refused(Say(A, "", "hello", "")) == "talk_off"


def test_it_goes_on_though_nobody_is_there() -> None:
    """A deserted table does not pause: bots stand in for those who are away, to the end."""
    log = opened()
    assert log.do(NoteDeserted()) == ()
    for letter in "abc":
        assert log.do(NoteAbsent(PlayerId(letter)))[-1] == StandInCame(Seat("abc".index(letter)))
    for _ in range(4):
        log.ready().play_on()
    assert log.table.stage is Stage.OVER


def test_the_clock_makes_who_is_not_ready_absent() -> None:
    """And a bot stands in, as at any table."""
    log = opened("abcd", clock_seconds=20)
    log.strike()
    assert log.table.absences[0].stand_in


# --- what the director may ----------------------------------------------------------------------------------------


def test_the_director_has_nothing_to_say_elsewhere() -> None:
    """At a table that belongs to no tournament."""
    log = seated().ready()
    for command in (CallTime(), replace(0, "e"), AnnulDirected(1), HaltTable(), GoOnTable(), CloseTable("")):
        assert log.refused(command) == "not_of_tournament"


def test_time_ends_the_match_with_the_deal_in_play() -> None:
    """The deal is finished and counts, and no other is offered; said again nothing happens."""
    log = opened().ready()
    assert log.do(CallTime()) == (TimeCalled(),)
    assert log.do(CallTime()) == ()
    log.play_on()
    assert isinstance(log.lines[-1].events[-1], MatchEnded)
    assert len(result(log.table).deals) == 1
    assert log.do(CallTime()) == ()


def test_time_ends_the_match_at_once_between_deals() -> None:
    """Before the first too, and while seats open what they have committed to."""
    secrets = {0: (bytes(32), 0)}
    for log in (opened(), opened("abcd").commit(secrets), opened().ready().play_on()):
        deals = len(result(log.table).deals)
        assert log.do(CallTime()) == (TimeCalled(), MatchEnded())
        assert result(log.table) == Played(True, result(log.table).small, result(log.table).deals)
        assert len(result(log.table).deals) == deals


def test_a_deal_annulled_after_time_was_called_is_the_end() -> None:
    """No other is played in its place."""
    log = opened().ready()
    log.do(CallTime())
    void, end = log.do(AnnulDirected(1))
    assert isinstance(void, DealAnnulled)
    assert end == MatchEnded()


def test_an_annulled_deal_is_played_by_another() -> None:
    """The number of deals stays as agreed; only the running deal can be annulled."""
    log = opened("abcd").ready()
    assert log.refused(AnnulDirected(2)) == "no_deal_running"
    void, offer = log.do(AnnulDirected(1))
    assert isinstance(void, DealAnnulled)
    assert offer.number == 2
    assert log.refused(AnnulDirected(1)) == "no_deal_running"
    for _ in range(4):
        log.ready().play_on()
    assert log.table.stage is Stage.OVER
    assert [number for number, _ in result(log.table).deals] == [2, 3, 4, 5]


def test_another_takes_a_seat_over_with_its_hand() -> None:
    """A person or a bot; who was there may neither act nor come back; the same again changes nothing."""
    log = opened("abcd").ready()
    hand = log.match.running.hands[1]
    assert log.do(replace(1, "e")) == (SeatLeft(Seat(1), sitter("b")), Seated(Seat(1), sitter("e")))
    assert log.do(replace(1, "e")) == ()
    assert log.match.running.hands[1] == hand
    assert log.refused(TakeSeat(sitter("b"), Seat(1))) == "tournament_table"
    log.do(replace(0, "."))
    assert log.table.seats[0] == BOT
    assert log.table.played_by_bot(Seat(0))
    log.play_on()
    assert log.refused(replace(2, "e")) == "already_seated"
    assert log.refused(replace(4, "f")) == "no_such_seat"
    log.do(CallTime())
    assert log.refused(replace(1, "f")) == "no_match_running"


def test_a_pause_of_the_director_is_ended_by_nobody_else() -> None:
    """Neither by who comes nor by who acts; nothing can be done meanwhile, and the view says whose pause it is."""
    for log in (opened("abcd"), opened("abcd").ready()):
        assert log.do(HaltTable()) == (Paused(None, log.moment().now, True),)
        assert log.table.pause == Pause(log.moment().now, None, True)
        shown = view.public(log.table)["pause"]
        assert (shown["seat"], shown["director"]) == (None, True)
        assert log.do(HaltTable()) == ()
        assert log.do(NoteAttended()) == ()
        assert [view.actions(log.table, Seat(seat)) for seat in range(4)] == [()] * 4
        assert log.refused(Act(A, log.table.prompt, "ready")) == "paused"
        assert log.refused(ResumeTable(A)) == "tournament_table"
        assert log.do(GoOnTable()) == (Resumed(None, log.moment().now, True),)
        assert log.do(GoOnTable()) == ()
        if log.table.stage is Stage.BETWEEN:
            log.ready()
        log.play_on()
    log.do(CallTime())
    assert log.refused(HaltTable()) == "no_match_running"


def test_a_match_is_closed_at_once() -> None:
    """The running deal is void, the finished ones count, and everybody hears why."""
    log = opened().ready().play_on().ready()
    closed, void, end = log.do(CloseTable("A forfeit."))
    assert closed == TableClosed("A forfeit.")
    assert isinstance(void, DealAnnulled)
    assert end == MatchEnded()
    assert view.happening(log.table, closed) == {"event": "table_closed", "reason": "A forfeit."}
    assert log.do(CloseTable("A forfeit.")) == ()
    assert len(result(log.table).deals) == 1


# --- what it has brought ------------------------------------------------------------------------------------------


def test_small_points_are_the_money_in_points() -> None:
    """Whatever the stake; per deal and in all they sum to 0."""
    log = opened("abcd", stake="0.50")
    assert result(log.table) == Played(False, (0, 0, 0, 0), ())
    for _ in range(4):
        log.ready().play_on()
    played = result(log.table)
    assert played.finished
    assert played.deals == tuple((line.deal, line.money) for line in log.match.lines)
    assert played.small == tuple(sum(money) for money in zip(*(money for _, money in played.deals), strict=True))
    assert sum(played.small) == 0


# --- the view -----------------------------------------------------------------------------------------------------


def test_everybody_sees_which_table_of_which_tournament_it_is() -> None:
    """At other tables there is nothing to see."""
    shown = view.public(opened().table)["tournament"]
    assert shown == {
        "tournament": NIGHT.tournament,
        "name": "Friday",
        "round": 2,
        "rounds": 5,
        "number": 3,
        "deadline": NIGHT.deadline,
        "duplicate": False,
    }
    assert view.public(opened("abcd", DUPLICATE).table)["tournament"]["duplicate"] is True
    assert view.public(seated().table)["tournament"] is None


def test_nobody_watches_where_others_play_the_same_cards() -> None:
    """Who sits there is not kept out. After the match too: other tables may still be at it."""
    log = opened("abcd", DUPLICATE)
    assert (log.table.keeps_out(E), log.table.keeps_out(A)) == (True, False)
    assert not opened().table.keeps_out(E)
    log.do(CloseTable(""))
    assert (log.table.keeps_out(E), log.table.keeps_out(A)) == (True, False)


def test_the_seed_shows_in_no_repr() -> None:
    """Nor does that of an offer: both may end up in a line of the server's log."""
    log = opened("abcd", DUPLICATE)
    assert repr(DUPLICATE.seed) not in repr(log.table)
