"""The deal of the day at the table: dealt by its bytes, its number never shown, known when its day is over."""

import pytest
from cattrs.preconf.msgpack import make_converter

from server.games.game import DayDeal, Millis, Moment, RuleViolation
from server.games.patience import decisions
from server.games.patience.deals import hidden_number
from server.games.patience.events import DealAnnulled, DealOver, Dealt, Line, PatienceEvent
from server.games.patience.happenings import happening
from server.games.patience.match import Match, evolve, later
from server.games.patience.options import terms
from server.games.patience.view import public, sheet

DAY = DayDeal("2027-01-15", bytes(range(32)), Millis(1_000), first=True)
NUMBER = str(hidden_number(DAY.entropy))


def moment(now: int) -> Moment:
    """A moment whose bytes are not those of the day."""
    return Moment(Millis(now), bytes(32))


def after(match: Match, events: tuple[PatienceEvent, ...]) -> Match:
    """The match after events."""
    for event in events:
        match = evolve(match, event)
    return match


def begun(day: DayDeal = DAY, **options: bool) -> Match:
    """A match of Carpet with the deal of the day in play."""
    match = Match(terms("carpet", options))
    match = after(match, decisions.begin("table/1"))
    return after(match, decisions.deal_of_day(match, day, moment(10)))


def test_it_is_the_deal_of_its_bytes() -> None:
    """Not of the moment's; the player's first is a hidden one, another a known one."""
    assert begun().running.origin.number == NUMBER
    assert not begun().running.origin.known
    assert begun(DayDeal(DAY.day, DAY.entropy, DAY.until, first=False)).running.origin.known


def test_its_number_is_shown_nowhere() -> None:
    """In play, after the end, again, and annulled."""
    match = begun()
    shown = [public(match), happening(match.running.origin)]
    over = decisions.decide(match, "give_up", moment(20))
    match = after(match, over)
    shown += [public(match), sheet(match), *map(happening, over)]
    again = decisions.deal(match, ["again"], moment(30))
    match = after(match, again)
    shown += [public(match), *map(happening, again), *map(happening, decisions.annul(match))]
    assert NUMBER not in str(shown)
    assert any(isinstance(event, DealAnnulled) for event in decisions.annul(match))
    assert match.running.origin.number == NUMBER


@pytest.mark.parametrize(("ended", "counts"), [(999, True), (1_000, False)])
def test_it_counts_until_its_day_is_over(ended: int, counts: bool) -> None:
    """Then its number is published, and it is a known deal."""
    over, *_ = decisions.decide(begun(), "give_up", moment(ended))
    assert isinstance(over, DealOver)
    assert (over.line.counts, over.line.day) == (counts, DAY.day)


def test_its_clock_goes_on() -> None:
    """While the table stands still, the player can look at the cards."""
    assert later(begun(), 500) == begun()


@pytest.mark.parametrize("code", ["no_daily", "deal_running"])
def test_refusals(code: str) -> None:
    """With a variant, and while a deal is in play."""
    match = begun()
    if code == "no_daily":
        match = after(Match(terms("carpet", {"foster": True})), decisions.begin("table/1"))
    with pytest.raises(RuleViolation, match=code):
        decisions.deal_of_day(match, DAY, moment(10))


def test_entries_from_before_there_was_a_day_can_be_read() -> None:
    """Without the new fields they are ordinary deals."""
    converter = make_converter()
    dealt = begun().running.origin
    plain = converter.unstructure(dealt)
    del plain["day"], plain["until"]
    assert converter.structure(plain, Dealt).day == ""
    line = Line(1, "5", False, False, False, 4, 0, 0, 0, Millis(1), Millis(2))
    plain = converter.unstructure(line)
    del plain["day"]
    assert converter.structure(plain, Line) == line
