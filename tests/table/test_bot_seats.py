"""Bots of the server in seats: seated and taken out by the owner, played with, and making room for people."""

import pytest

from server.games.game import Seat
from server.table import sheets, view
from server.table.commands import Act, BotActs, HandOver, LeaveSeat, SeatBot, TakeSeat
from server.table.events import OwnerChanged, ReadySaid, Seated, SeatLeft, Sitter
from server.table.ids import PlayerId
from server.table.records import records
from server.table.strength import Strength
from tests.games.kop.scenes import SEATS
from tests.table.phases import go_on
from tests.table.scenes import CANDIDATES, Log, seated, sitter

A, B, E = (PlayerId(letter) for letter in "abe")


def with_bots() -> Log:
    """A table of one person and three bots, one of each strength."""
    log = Log().open("CODE")
    for strength in Strength:
        log.seat_bot(None, strength)
    return log


def bots(log: Log) -> list[Sitter]:
    """The bots that sit there, by seat."""
    return [one for one in log.table.seats if one is not None and one.bot is not None]


def test_the_owner_seats_bots_and_the_match_begins() -> None:
    """Each in the first free seat, with a name and an id of its own, shown as a bot of its strength."""
    log = with_bots()
    assert [one.bot for one in bots(log)] == ["easy", "medium", "hard"]
    assert len({one.name for one in bots(log)} | {"A-name"}) == 4
    assert len({one.player for one in bots(log)} | {A}) == 4
    assert [seat["bot"] for seat in view.public(log.table)["seats"]] == [None, "easy", "medium", "hard"]
    assert (log.table.match, log.table.owner) == (1, A)


def test_a_bot_takes_the_seat_that_was_named() -> None:
    """The others stay free."""
    log = Log().open().seat_bot(2)
    assert [one is not None for one in log.table.seats] == [True, False, True, False]


@pytest.mark.parametrize(
    ("log", "player", "seat", "code"),
    [
        (Log().open().sit("b"), B, None, "not_owner"),
        (Log().open(), E, None, "not_owner"),
        (seated(), A, None, "no_free_seat"),
        (with_bots(), A, None, "no_free_seat"),
        (Log().open().sit("b"), A, 1, "seat_taken"),
        (with_bots(), A, 1, "seat_taken"),
        (Log().open(), A, 4, "no_such_seat"),
    ],
    ids=range(7),
)
def test_bots_that_are_refused(log: Log, player: PlayerId, seat: int | None, code: str) -> None:
    """Only the owner seats one, and only where nobody sits."""
    assert log.refused(SeatBot(player, None if seat is None else Seat(seat), Strength.EASY)) == code


def test_a_person_takes_a_free_seat_before_that_of_a_bot() -> None:
    """Without a wish: first what is free, then the first bot's seat; named, that bot's."""
    log = Log().open().seat_bot(1).sit("b")
    assert log.table.seat_of(B) == 2
    log = with_bots().sit("b")
    assert log.table.seat_of(B) == 1
    log.sit("c", 3)
    assert log.table.seat_of(PlayerId("c")) == 3
    assert [one.bot for one in bots(log)] == ["medium"]


def test_a_person_gets_the_hand_and_the_ready_is_his_own() -> None:
    """In a deal he plays the bot's cards; between deals what the bot said is not his word."""
    log = with_bots().act(0, "ready").bot_acts(1, "ready")
    there = bots(log)[0]
    assert log.do(TakeSeat(sitter("b"), Seat(1))) == (SeatLeft(Seat(1), there), Seated(Seat(1), sitter("b")))
    assert log.table.ready == ("", None, None, None)
    log.ready()
    held = view.own(log.table, Seat(2))["play"]["hand"]
    log.sit("c")
    assert view.own(log.table, Seat(2))["play"]["hand"] == held
    assert len(go_on(log).match.lines) == 1


def test_persons_only_make_room_for_nobody() -> None:
    """Four people: full."""
    assert seated().refused(TakeSeat(sitter("e"), None)) == "table_full"
    assert seated().refused(TakeSeat(sitter("e"), Seat(1))) == "table_full"


@pytest.mark.parametrize("rule", ["wait", "bot", "vote"])
def test_the_owner_takes_a_bot_out(rule: str) -> None:
    """The seat is free, no other bot comes, nobody is barred."""
    log = Log().open(None, on_absence=rule).sit("bc").seat_bot()
    there = bots(log)[0]
    log.remove("a", 3)
    assert log.lines[-1].events == (SeatLeft(Seat(3), there),)
    assert (log.table.seats[3], log.table.barred, log.table.absences) == (None, (), ())
    assert bots(log.seat_bot())[0].player != there.player


def test_a_bot_is_no_owner() -> None:
    """The table cannot be handed over to one; when the only person goes, the next person owns it, not a bot."""
    log = with_bots()
    assert log.refused(HandOver(A, bots(log)[0].player)) == "no_such_sitter"
    left = log.do(LeaveSeat(A))
    assert not any(isinstance(event, OwnerChanged) for event in left)
    assert log.table.owner == A
    log.sit("b")
    assert log.table.owner == B


def test_the_owner_hands_over_to_a_person() -> None:
    """Who sits there; it is told to all, and the rights go with it."""
    log = seated()
    assert log.refused(HandOver(B, A)) == "not_owner"
    for nobody in (A, E):
        assert log.refused(HandOver(A, nobody)) == "no_such_sitter"
    events = log.do(HandOver(A, B))
    assert events == (OwnerChanged(B),)
    assert view.happening(log.table, events[0]) == {"event": "owner_changed", "player": "b"}
    assert log.refused(HandOver(A, B)) == "not_owner"
    assert log.refused(HandOver(B, A)) is None


def test_bots_play_a_whole_match_and_want_another() -> None:
    """One person and three bots, deal after deal; their acts are their own, nobody stood in."""
    log = go_on(Log().open("CODE", deals=4).seat_bot().seat_bot().seat_bot(), deals=4, most=400)
    assert view.stage(log.table) == "over"
    [record] = records(log.table, log.table, log.lines[-1].events, log.lines[-1].at)
    assert (record.plain["bots"], record.plain["acted_for"]) == ([False, True, True, True], [])
    assert record.readers == (A,)
    assert [one["bot"] for one in sheets.evening(log.table)["people"]] == [False, True, True, True]
    assert sheets.sheet(log.table)["lines"][0]["bots"] == [False, True, True, True]
    assert log.ready().table.match == 2


def test_a_bot_acts_only_where_a_bot_plays() -> None:
    """For a person's seat, for another question, or twice: nothing."""
    log = with_bots()
    prompt = log.table.prompt
    assert log.do(BotActs(Seat(0), prompt, "ready")) == ()
    assert log.do(BotActs(Seat(1), "1.9r", "ready")) == ()
    assert log.do(BotActs(Seat(1), prompt, "ready")) == (ReadySaid(Seat(1), ""),)
    assert log.refused(BotActs(Seat(1), prompt, "ready")) == "already_ready"


def test_a_bot_is_refused_what_its_seat_would_be_refused() -> None:
    """The rules know no difference between a bot and a person in the same seat."""
    log = with_bots().ready()
    for action in CANDIDATES:
        for seat in SEATS[1:]:
            answer = log.refused(BotActs(seat, log.table.prompt, action))
            there = log.table.seats[seat]
            assert there is not None
            assert answer == log.refused(Act(there.player, log.table.prompt, action))
