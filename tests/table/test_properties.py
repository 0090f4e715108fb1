"""What is so at every table, whatever people do there: random walks of players who come, play, click and go."""

import json
from collections import Counter
from collections.abc import Sequence
from decimal import Decimal
from functools import lru_cache
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter

from protocol.kop import KopHappening
from protocol.server import TableHappening, TableOwn, TablePublic
from server.games.game import RuleViolation, Seat, Stage
from server.games.kop.match import Match
from server.games.kop.opening import seat_commitment
from server.games.kop.play import PACK
from server.games.kop.ruleset import RULE_SETS
from server.table import codec, rules, view
from server.table.commands import (
    Act,
    AnnulDeal,
    Command,
    FinishMatch,
    LeaveSeat,
    RemoveSitter,
    RunOut,
    StartDeal,
    TakeSeat,
)
from server.table.ids import PlayerId
from server.table.state import Table
from tests.games.kop.scenes import SEATS
from tests.games.kop.strategies import choose
from tests.table.scenes import ACCEPTED, CANDIDATES, Log, outcome, replayed, seated, sitter

HAPPENING: TypeAdapter[Any] = TypeAdapter(TableHappening | KopHappening)
PEOPLE = "abcdefg"
BYTES = [bytes([seat + 1]) * 32 for seat in SEATS]
COMMITTED = [seat_commitment(secret, 0) for secret in BYTES]


@st.composite
def walks(draw: st.DrawFn) -> tuple[Log, list[int]]:
    """A table after some quiet deals, and the numbers that choose what people do next."""
    code, deals = draw(st.sampled_from([None, "CODE"])), draw(st.sampled_from([4, None]))
    log = seated(code, deals=deals, rules=draw(st.sampled_from(sorted(RULE_SETS))))
    for _ in range(draw(st.integers(0, 4))):
        log.ready().play_on()
    if log.match.terms.deals is None and draw(st.booleans()):
        log.play_on()
    return log, draw(st.lists(st.integers(0, 9999), min_size=25, max_size=60))


def command(log: Log, number: int) -> Command:
    """What a number makes people do: mostly the next thing of the game, else anything, sensible or not."""
    kind, rest = number % 12, number // 12
    player = PlayerId(PEOPLE[rest % len(PEOPLE)])
    match kind:
        case 8:
            return LeaveSeat(player)
        case 9:
            return TakeSeat(sitter(player), [None, *SEATS][rest // 7 % 5])
        case 10:
            owner = log.table.owner if rest % 2 else player
            wishes: list[Command] = [
                RemoveSitter(owner, PlayerId("abcdx"[rest // 2 % 5])),
                StartDeal(owner, log.table.prompt),
                FinishMatch(owner, log.table.prompt),
                AnnulDeal(owner, log.table.prompt),
            ]
            return wishes[rest // 2 % 4]
        case 11:
            return Act(player, log.table.prompt, CANDIDATES[rest // 7 % len(CANDIDATES)])
        case _:
            return next_move(log, rest)


def next_move(log: Log, number: int) -> Command:
    """Something that the game waits for: a step of the deal, *ready*, or a player for an empty seat."""
    table = log.table
    if not table.full:
        free = [letter for letter in PEOPLE if table.seat_of(PlayerId(letter)) is None]
        return TakeSeat(sitter(free[number % len(free)]), None)
    if table.stage is not Stage.DEAL:
        seat = Seat(table.ready.index(None))
        words = [*view.actions(table, seat), *([f"ready {COMMITTED[seat]}"] if table.stage is Stage.BETWEEN else [])]
        return Act(_player(table, seat), table.prompt, words[number % len(words)])
    if log.match.opening is not None:
        return opening_move(log, number)
    chosen, action = choose(log.match, number)
    if chosen is None:
        assert table.deadline is not None
        log.now = table.deadline
        return RunOut(table.prompt)
    return Act(_player(table, chosen), table.prompt, action)


def opening_move(log: Log, number: int) -> Command:
    """A seat opens its commitment, or the time runs out."""
    opening = log.match.opening
    assert opening is not None
    opened = [one.seat for one in opening.opened]
    open_now = [seat for seat in SEATS if opening.commitments[seat] and seat not in opened]
    if number % 4 == 3:
        log.now = opening.deadline
        return RunOut(log.table.prompt)
    seat = open_now[number % len(open_now)]
    return Act(_player(log.table, seat), log.table.prompt, f"open {BYTES[seat].hex()}")


def _player(table: Table, seat: Seat) -> PlayerId:
    there = table.seats[seat]
    assert there is not None
    return there.player


# --- what is so at every state ------------------------------------------------------------------------------------


def check_cards(match: Match) -> None:
    """All sixteen cards of a deal are in hand, on the table or gathered, and each seat's are those it was dealt."""
    deal = match.deal
    if deal is None:
        return
    seen = [[*hand] for hand in deal.hands]
    for trick in deal.tricks:
        for place, card in enumerate(trick.cards):
            seen[trick.player(place)].append(card)
    for place, card in enumerate(deal.trick):
        seen[(deal.leader + place) % 4].append(card)
    assert [Counter(cards) for cards in seen] == [Counter(cards) for cards in deal.dealt]
    assert Counter(card for cards in seen for card in cards) == Counter(PACK)


def check_legal(log: Log) -> None:
    """A seated player is accepted with exactly the actions that his view offers; anybody else with none."""
    table, moment = log.table, log.moment()
    for seat in SEATS:
        there = table.seats[seat]
        offered = view.actions(table, seat)
        assert len(set(offered)) == len(offered)
        assert set(offered) <= {*CANDIDATES, *(f"ready {cut}" for cut in range(1, 16))}
        if there is None:
            continue
        for action in {*CANDIDATES, *offered}:
            accepted = outcome(table, Act(there.player, table.prompt, action), moment) == ACCEPTED
            assert accepted == (action in offered), (seat, action)
    for action in CANDIDATES:
        assert outcome(table, Act(PlayerId("nobody"), table.prompt, action), moment) == "not_seated"


def check_views(table: Table) -> None:
    """What everybody is shown has the shapes of the wire contract, and is plain data."""
    public = view.public(table)
    assert _contract(TablePublic, json.dumps(public)).model_dump(mode="json") == json.loads(json.dumps(public))
    for seat in SEATS:
        own = view.own(table, seat)
        assert _contract(TableOwn, json.dumps(own)).model_dump(mode="json") == json.loads(json.dumps(own))


@lru_cache(maxsize=10_000)
def _contract(model: type[TablePublic] | type[TableOwn], text: str) -> TablePublic | TableOwn:
    return model.model_validate_json(text)


def check_money(table: Table) -> None:
    """Both ledgers fit the sheet, money sums to 0 in each line and in all, and every line says who sat there."""
    sheet = view.sheet(table)
    for line in sheet["lines"]:
        assert sum(line["line"]["money"]) == 0
        assert len(line["names"]) == 4
    assert sum(Decimal(amount) for amount in sheet["ledger"]["money"]) == 0
    for seat in SEATS:
        assert sheet["ledger"]["points"][seat] == sum(line["line"]["points"][seat] for line in sheet["lines"])


def check_seats(table: Table) -> None:
    """Nobody sits twice, whoever was removed does not sit, and where anybody sits the owner does."""
    there = [one.player for one in table.seats if one is not None]
    assert len(set(there)) == len(there)
    assert not set(there) & set(table.barred)
    assert table.owner in there or not there


def check_happenings(table: Table, events: Sequence[Any]) -> None:
    """What everybody is told of an entry has the shapes of the wire contract."""
    for event in events:
        told = view.happening(table, event)
        if told is not None:
            HAPPENING.validate_json(json.dumps(told))


# --- the properties -----------------------------------------------------------------------------------------------


@settings(deadline=None, max_examples=80)
@given(walk=walks())
def test_every_state_of_a_table_is_sound(walk: tuple[Log, list[int]]) -> None:
    """Cards, offers, views, money, seats and happenings, after every command, and cards after every event."""
    log, numbers = walk
    for number in numbers:
        before = log.table
        try:
            events = log.do(command(log, number))
        except RuleViolation:
            assert log.table is before
            continue
        for event in events:
            before = rules.evolve(before, event)
            check_cards(before.play)
        check_happenings(log.table, events)
        check_legal(log)
        check_views(log.table)
        check_money(log.table)
        check_seats(log.table)


@settings(deadline=None, max_examples=40)
@given(walk=walks(), cut=st.integers(0, 200))
def test_the_log_replayed_is_the_table(walk: tuple[Log, list[int]], cut: int) -> None:
    """The encoded entries give the table; so does a snapshot of any version with the entries after it."""
    log, numbers = walk
    states = {log.table.version: log.table}
    for number in numbers:
        try:
            log.do(command(log, number))
        except RuleViolation:
            continue
        states[log.table.version] = log.table
    bodies = [codec.encode(line) for line in log.lines]
    assert replayed(bodies) == log.table
    versions = sorted(states)
    version = versions[cut % len(versions)]
    snapshot = codec.decode_snapshot(codec.encode_snapshot(states[version]))
    assert snapshot == states[version]
    assert replayed(bodies[version:], snapshot) == log.table


@settings(deadline=None, max_examples=40)
@given(walk=walks())
def test_no_prompt_comes_again_at_a_table(walk: tuple[Log, list[int]]) -> None:
    """Over deals, matches and their ends: a question that has passed is never asked under the same name again."""
    log, numbers = walk
    asked: list[str] = []
    table: Table | None = None
    for number in numbers:
        try:
            log.do(command(log, number))
        except RuleViolation:
            continue
    for line in log.lines:
        table = codec.settled(codec.evolved(table, line.events), line)
        if not asked or asked[-1] != table.prompt:
            asked.append(table.prompt)
    assert len(set(asked)) == len(asked)


@settings(deadline=None, max_examples=40)
@given(walk=walks())
def test_time_is_data(walk: tuple[Log, list[int]]) -> None:
    """A deadline stands in an answer time, a pause, or an opening; before it nothing happens, at it one event does."""
    log, numbers = walk
    for number in numbers:
        try:
            log.do(command(log, number))
        except RuleViolation:
            continue
        due, now = log.table.deadline, log.now
        if due is None:
            continue
        public = view.public(log.table)["play"]
        answers, pause = public["phase"] == "calls" and public["question"], public["phase"] == "play"
        assert public["deadline"] == due
        assert answers or (pause and len(public["trick"]) == 1) or public["phase"] == "opening"
        log.now = due - 1
        early = log.moment()
        log.now = due
        assert rules.decide(log.table, RunOut(log.table.prompt), early) == ()
        assert len(rules.decide(log.table, RunOut(log.table.prompt), log.moment())) == 1
        assert rules.decide(log.table, RunOut("another"), log.moment()) == ()
        log.now = now
