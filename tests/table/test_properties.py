"""What is so at every table, whatever people do there: random walks of players who come, play, click and go."""

import contextlib
import json
import random
from collections import Counter
from collections.abc import Sequence
from decimal import Decimal
from functools import lru_cache
from typing import Any, get_args

from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter

from protocol.kop import KopHappening
from protocol.record import KopRecord
from protocol.server import TableHappening, TableOwn, TablePublic
from server.games.catalogue import CATALOGUE
from server.games.game import Millis, Moment, RuleViolation
from server.games.kop.events import CardPlayed, LeadTakenBack, MatchEnded, Said, TimeCalled
from server.games.kop.match import Match
from server.games.kop.play import PACK
from server.table import codec, evolution, rules, sheets, view
from server.table.codec import LogLine
from server.table.commands import (
    Act,
    BotActs,
    Command,
    RunOut,
    Vote,
)
from server.table.events import Absent, ActedFor, Created, ReadySaid, Returned, Substitute, TableClosed, TableEvent
from server.table.ids import PlayerId
from server.table.records import records
from server.table.state import Table
from tests.games.kop.scenes import SEATS
from tests.table.scenes import ACCEPTED, CANDIDATES, FIRST_SECOND, Log, outcome, replayed
from tests.table.walks import HOUSES, PEOPLE, command, walks, young_walks

HAPPENING: TypeAdapter[Any] = TypeAdapter(TableHappening | KopHappening)
OF_DIRECTORS: set[object] = {TableClosed, TimeCalled}
MOST_STRIKES = 10
"""Four seats can be late at once, each of them first absent and then made ready, and the game has its own time."""


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
    sheet, evening = sheets.sheet(table), sheets.evening(table)
    for line in sheet["lines"]:
        assert sum(line["line"]["money"]) == 0
        assert len(line["names"]) == len(line["bots"]) == 4
        assert "" not in line["names"]
    assert sum(Decimal(amount) for amount in sheet["ledger"]["money"]) == 0
    for seat in SEATS:
        assert sheet["ledger"]["points"][seat] == sum(line["line"]["points"][seat] for line in sheet["lines"])
    for part in (*evening["matches"], evening):
        assert sum(Decimal(one["money"]) for one in part["people"]) == 0
    assert sum(one["deals"] for one in evening["people"]) == 4 * sum(match["deals"] for match in evening["matches"])
    debts: Counter[str] = Counter()
    for debt in evening["debts"]:
        debts[debt["debtor"]] -= int(debt["amount"])
        debts[debt["creditor"]] += int(debt["amount"])
    for name, amount in debts.items():
        assert amount == sum(int(one["money"]) for one in evening["people"] if one["name"] == name)


def check_seats(table: Table) -> None:
    """Nobody sits twice, whoever was removed does not sit, and where a player sits one of them is the owner: no bot."""
    there = [one.player for one in table.seats if one is not None]
    assert len(set(there)) == len(there)
    assert not set(there) & set(table.barred)
    players = [one.player for one in table.seats if one is not None and one.bot is None]
    assert table.owner in players or not players
    assert table.owner in PEOPLE


def check_company(table: Table) -> None:
    """Absent is who has a seat in a running match and no bot of his own, or a seat that was given up; and once."""
    assert all(None not in sitters for sitters in table.sat)
    seats = [absence.seat for absence in table.absences]
    assert seats == sorted(set(seats))
    assert len({absence.number for absence in table.absences}) == len(seats)
    assert table.running or (not seats and table.pause is None)
    for absence in table.absences:
        there = table.seats[absence.seat]
        assert there is None or there.bot is None
        assert not (absence.stand_in and there is None)
        for voter, _ in absence.votes:
            sitting = table.seats[voter]
            assert sitting is not None
            assert sitting.person
            assert voter != absence.seat
    if table.pause is not None:
        assert (table.awaited, table.deadline) == ((), None)


def check_clock(table: Table) -> None:
    """Where there are clocks the bank is neither negative nor overfull, and just the clocked seats' time runs."""
    if table.clock is None or table.house.clock_seconds is None:
        assert table.clocked == () or table.match == 0
        return
    assert all(0 <= left <= 1000 * table.house.clock_bank for left in table.clock.bank)
    if table.pause is None:
        assert [seat for seat in SEATS if table.clock.since[seat] is not None] == list(table.clocked)


def check_alarm(log: Log) -> None:
    """Struck at its deadline again and again, the clock soon has none that is past: it does not spin."""
    table, now = log.table, log.now
    for _ in range(MOST_STRIKES):
        due = table.deadline
        if due is None or due > now:
            return
        happened = rules.decide(table, RunOut(table.prompt), Moment(Millis(now), bytes(32)))
        assert happened
        line = LogLine(table.version + 1, Millis(now), "", 0, "", None, happened, b"")
        table = codec.settled(table, codec.evolved(table, happened), line)
    raise AssertionError("the alarm spins")


def check_marks(before: Table, command: Command, events: Sequence[Any], after: Table) -> None:
    """Nobody is absent and acts: his act is his return; and who acts for him is marked, and may."""
    if isinstance(command, Act | Vote) and after.running:
        seat = after.seat_of(command.player)
        assert seat is None or after.absence(seat) is None
    for event in events:
        if isinstance(event, ActedFor):
            absence = before.absence(event.seat)
            stands_in = absence is not None and absence.stand_in
            match event.by:
                case Substitute.BOT:
                    assert stands_in or before.plays_for_another(event.seat)
                case Substitute.CLOCK:
                    assert event.seat in before.clocked
                case Substitute.SUCCESSOR:
                    assert before.plays_for_another(event.seat)
            if before.game.cards_out(before.play):
                assert after.play.deal.acts[after.acted_for[-1]][0] == event.seat
    if isinstance(command, BotActs) and events:
        assert before.played_by_bot(command.seat)
        marked = before.absence(command.seat) is not None or before.plays_for_another(command.seat)
        assert isinstance(events[0], ActedFor) == marked
    if isinstance(command, BotActs | RunOut):
        assert not any(isinstance(event, Returned) for event in events)


def check_records(table: Table, before: Table, events: Sequence[Any]) -> None:
    """The record of a finished deal has the shape of the contract, and marks acts that there are."""
    for record in records(table, before, events, Millis(FIRST_SECOND)):
        KopRecord.model_validate_json(json.dumps(record.plain))
        marked = record.plain["acted_for"]
        assert marked == sorted(set(marked))
        assert all(number < len(record.plain["acts"]) for number in marked)


def check_happenings(table: Table, events: Sequence[Any]) -> None:
    """What everybody is told of an entry has the shapes of the wire contract."""
    for event in events:
        told = view.happening(table, event)
        if told is not None:
            HAPPENING.validate_json(json.dumps(told))


# --- the properties -----------------------------------------------------------------------------------------------


@settings(deadline=None, max_examples=80)
@given(walk=walks() | young_walks())
def test_every_state_of_a_table_is_sound(walk: tuple[Log, list[int]]) -> None:
    """Cards, offers, views, money, seats and happenings, after every command, and cards after every event."""
    log, numbers = walk
    for number in numbers:
        before, now = log.table, log.now
        wish = command(log, number)
        try:
            events = log.do(wish)
        except RuleViolation:
            assert log.table is before
            log.now = max(now, log.now)
            continue
        check_marks(before, wish, events, log.table)
        check_records(log.table, before, events)
        for event in events:
            before = evolution.evolve(before, event)
            check_cards(before.play)
        check_happenings(log.table, events)
        check_legal(log)
        check_views(log.table)
        check_money(log.table)
        check_seats(log.table)
        check_company(log.table)
        check_clock(log.table)
        check_alarm(log)


def test_the_walks_show_everything() -> None:
    """Every kind of event of table and game happens in some of them; bots and the clock act for people; votes end."""
    happened: set[object] = {Created}
    for seed in range(150):
        rng = random.Random(seed)
        log = Log().open(None, deals=4, **rng.choice(HOUSES)).sit("bcd"[: rng.randrange(1, 4)])
        for _ in range(120):
            before, wish = log.table, command(log, rng.randrange(10_000))
            with contextlib.suppress(RuleViolation):
                events = log.do(wish)
                check_marks(before, wish, events, log.table)
                check_company(log.table)
                for event in events:
                    happened.add(type(event))
                    if isinstance(event, ActedFor):
                        happened.add(event.by)
                    if isinstance(event, MatchEnded):
                        happened.add((MatchEnded, type(wish)))
    assert {*get_args(TableEvent), *Substitute, (MatchEnded, Vote)} - OF_DIRECTORS <= happened
    assert set(CATALOGUE["kop"].event_types) - {LeadTakenBack} - OF_DIRECTORS <= happened


@settings(deadline=None, max_examples=40)
@given(walk=walks() | young_walks(), cut=st.integers(0, 200))
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
        table = codec.settled(table, codec.evolved(table, line.events), line)
        if not asked or asked[-1] != table.prompt:
            asked.append(table.prompt)
    assert len(set(asked)) == len(asked)


@settings(deadline=None, max_examples=40)
@given(walk=walks())
def test_time_is_data(walk: tuple[Log, list[int]]) -> None:
    """Before a deadline nothing happens, at it something does, once: the game's time, or one decision."""
    log, numbers = walk
    for number in numbers:
        try:
            log.do(command(log, number))
        except RuleViolation:
            continue
        due, now = log.table.deadline, log.now
        if due is None:
            continue
        game_due = log.table.game.deadline(log.table.play)
        check_game_time(log.table, game_due)
        log.now = due - 1
        early = log.moment()
        log.now = due
        assert rules.decide(log.table, RunOut(log.table.prompt), early) == ()
        struck = rules.decide(log.table, RunOut(log.table.prompt), log.moment())
        if due == game_due:
            assert len(struck) == 1
        else:
            assert isinstance(struck[0], ActedFor | Absent)
            assert sum(isinstance(event, Said | CardPlayed | ReadySaid) for event in struck[:2]) <= 1
        assert rules.decide(log.table, RunOut("another"), log.moment()) == ()
        log.now = now


def check_game_time(table: Table, due: Millis | None) -> None:
    """The game's own deadline stands in an answer time, a pause, or an opening, and is shown."""
    public = view.public(table)["play"]
    assert public["deadline"] == due
    if due is not None:
        answers, pause = public["phase"] == "calls" and public["question"], public["phase"] == "play"
        assert answers or (pause and len(public["trick"]) == 1) or public["phase"] == "opening"
