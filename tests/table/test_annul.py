"""A deal that cannot go on is annulled by the owner: all of it is laid open, and its number is burned."""

import pytest

from server.games.game import Seat, Stage
from server.games.kop.events import Burned, DealAnnulled, DealOffered
from server.games.kop.fair import commitment
from server.table import sheets, view
from server.table.commands import AnnulDeal, LeaveSeat
from server.table.ids import PlayerId
from server.table.records import records
from tests.games.kop.scenes import QUIET, WHOLE_DEAL, four
from tests.table.scenes import Log, dealt, seated

A, B, C, E = (PlayerId(letter) for letter in "abce")


def deserted(said: str = QUIET) -> Log:
    """A deal in which something was said, and then seat 1 was given up."""
    return dealt(WHOLE_DEAL).say(said).leave("b")


@pytest.mark.parametrize(
    ("log", "player", "code"),
    [
        (deserted(), C, "not_owner"),
        (deserted(), B, "not_owner"),  # who left
        (deserted(), E, "not_owner"),  # a stranger
        (dealt(WHOLE_DEAL), A, "deal_goes_on"),
        (dealt(WHOLE_DEAL).say(QUIET).say("0 play AD"), A, "deal_goes_on"),
        (deserted().sit("e"), A, "deal_goes_on"),  # somebody has taken over
        (seated(), A, "deal_goes_on"),
        (seated().leave("b"), A, "no_deal_running"),
        (Log().open(), A, "no_deal_running"),
        (deserted().annul(), A, "no_deal_running"),
    ],
)
def test_who_may_annul_and_when(log: Log, player: PlayerId, code: str) -> None:
    """Only the owner, only a running deal, only while a seat is empty."""
    assert log.refused(AnnulDeal(player, log.table.prompt)) == code


def test_a_wish_to_annul_another_deal_is_stale() -> None:
    """It names the question it was meant for: what crossed a card, or came after the deal, annuls nothing."""
    log = deserted()
    meant = log.table.prompt
    log.act(0, "play AD")
    assert log.refused(AnnulDeal(A, meant)) == "stale"


def test_no_deal_is_annulled_in_its_opening() -> None:
    """The cards are not out: the opening ends by its clock, and then the deal can be annulled."""
    log = seated().commit({seat: (bytes([seat]) * 32, 0) for seat in range(4)}).leave("b")
    assert log.refused(AnnulDeal(A, log.table.prompt)) == "no_deal_running"
    log.time_over()
    assert log.refused(AnnulDeal(A, log.table.prompt)) is None


@pytest.mark.parametrize("said", ["", "0 ask", QUIET, f"{QUIET}, 0 play AD"])
def test_the_number_is_burned_and_the_same_dealer_deals_anew(said: str) -> None:
    """Whenever in the deal: its hands and secret are told to all, and the next number is on offer."""
    log = deserted(said)
    offer, moment = log.match.offer, log.now
    assert offer is not None
    void, fresh = log.do(AnnulDeal(A, log.table.prompt))
    assert void == DealAnnulled(1, four(WHOLE_DEAL), offer.secret)
    assert isinstance(fresh, DealOffered)
    assert (fresh.label, fresh.number, fresh.dealer) == (offer.label, 2, offer.dealer)
    assert fresh.secret != offer.secret
    assert log.now > moment
    assert (log.table.stage, log.table.prompt, log.match.lines, log.match.in_play) == (Stage.BETWEEN, "1.2r", (), None)
    assert log.match.burned == (Burned(1, offer.secret),)


def test_everybody_is_shown_what_was_annulled() -> None:
    """`deal_annulled` has all hands as dealt and the secret, which is the one committed to; no score is left of it."""
    log = deserted(f"{QUIET}, 0 play AD")
    promised = view.public(log.table)["play"]["commitment"]
    told = view.happening(log.table, log.do(AnnulDeal(A, log.table.prompt))[0])
    assert told is not None
    assert told == {
        "event": "deal_annulled",
        "deal": 1,
        "hands": [list(map(str, hand)) for hand in four(WHOLE_DEAL)],
        "secret": told["secret"],
    }
    assert commitment(bytes.fromhex(told["secret"])) == promised
    play = view.public(log.table)["play"]
    assert (play["phase"], play["deal"], play["scored"], play["last"], play["tricks"]) == ("ready", 2, 0, None, [])
    assert sheets.sheet(log.table)["lines"] == []
    assert view.own(log.table, Seat(0))["play"]["hand"] == []


def test_nothing_is_left_of_it_for_those_who_saw_a_hand() -> None:
    """All hands were laid open: who has left may take any seat again; nobody is ready."""
    log = deserted().leave("c").annul()
    assert log.table.ready == (None,) * 4
    log.sit("b", 2).sit("c", 1)
    assert (log.table.seat_of(B), log.table.seat_of(C)) == (2, 1)


def test_the_next_record_lists_what_was_burned() -> None:
    """Every number annulled since the record before, with its secret; the one after that lists none."""
    log = deserted()
    secrets = []
    for _ in range(2):
        assert log.match.offer is not None
        secrets.append(log.match.offer.secret.hex())
        log.annul().sit("b").ready()
        log.leave("b")
    log.sit("b").play_on()
    before = log.table
    [record] = records(log.table, before, log.lines[-1].events, log.lines[-1].at)
    assert record.plain["deal"] == 3
    assert record.plain["fair"]["burned"] == [{"deal": 1, "secret": secrets[0]}, {"deal": 2, "secret": secrets[1]}]
    log.ready().play_on()
    [record] = records(log.table, before, log.lines[-1].events, log.lines[-1].at)
    assert (record.plain["deal"], record.plain["fair"]["burned"]) == (4, [])


def test_a_match_has_its_full_number_of_scored_deals() -> None:
    """An annulled deal counts for nothing: four are scored, under other numbers."""
    log = dealt(WHOLE_DEAL, deals=4).leave("b").annul().sit("b")
    for _ in range(4):
        assert log.table.stage is Stage.BETWEEN
        log.ready().play_on()
    assert log.table.stage is Stage.OVER
    lines = [line["line"] for line in sheets.sheet(log.table)["lines"]]
    assert [line["deal"] for line in lines] == [2, 3, 4, 5]
    assert [line["dealer"] for line in lines] == [(lines[0]["dealer"] + place) % 4 for place in range(4)]


def test_the_owner_who_leaves_leaves_the_right_to_annul() -> None:
    """The next owner may annul the deal that the first one has left."""
    log = dealt(WHOLE_DEAL)
    log.do(LeaveSeat(A))
    assert log.refused(AnnulDeal(A, log.table.prompt)) == "not_owner"
    assert log.refused(AnnulDeal(B, log.table.prompt)) is None
