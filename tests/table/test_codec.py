"""Entries and snapshots as bytes: read back as written; what cannot be read stops the table and skips nothing."""

import contextlib
from dataclasses import replace
from decimal import Decimal
from typing import Any, get_args

import msgpack
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from server.games.catalogue import CATALOGUE
from server.games.game import Millis, Seat, Stage
from server.table import codec, view
from server.table.codec import LogLine, NewerFormat, Unreadable
from server.table.commands import CallTime, CloseTable, Command, GiveTime, GoOnTable, HaltTable, ReplaceSitter
from server.table.events import Choice, Created, Sitter, TableEvent
from server.table.ids import PlayerId
from server.table.state import Table
from server.table.strength import Strength
from tests.games.kop.scenes import QUIET, WHOLE_DEAL
from tests.table.scenes import Log, dealt, replayed, seated
from tests.table.tournaments import DUPLICATE, opened

BOT_BESIDE = Sitter(PlayerId("bot9x0"), "Ada", Strength.MEDIUM)


def eventful() -> Log:
    """A table at which every kind of event has happened."""
    log = seated("SECRET", deals=4, stake="0.50", currency="zł").ready()
    leader, others = log.match.running.turn, [seat for seat in range(4) if seat != log.match.running.turn]
    log.act(others[0], "zolo").act(others[1], "double 1").act(leader, "ask").act(others[2], "go on").time_over()
    log.play_on().leave("c").sit("e").leave("a").remove("b", 2).sit("fg")
    for _ in range(3):
        log.ready().play_on(8).leave("d").sit("d").play_on()
    return log.ready()


def eventful_by_turns() -> Log:
    """A table of another rule set, with an opening, a lead taken back and a deal annulled."""
    log = seated(rules="wolsztyn", deals=4).commit({seat: (bytes([seat + 1]) * 32, 0) for seat in (0, 2)})
    log.open_bytes(2, bytes([3]) * 32).time_over()
    leader = log.match.running.turn
    for place in range(4):
        log.act((leader + place) % 4, "pass" if place else "ask")
    card = log.match.running.hands[leader][0]
    log.act(leader, f"play {card}").act(next(seat for seat in range(4) if may_double(log, seat)), "double 1")
    log.play_on(6).leave("c").annul().sit("c")
    return log.ready().play_on()


def may_double(log: Log, seat: int) -> bool:
    """Whether a seat may give the first doubling now."""
    return "double 1" in view.actions(log.table, Seat(seat))


def eventful_evening() -> Log:
    """A table with bots, clocks and talk, whose people are away, vote, pause, and change what is agreed."""
    log = Log().open("SECRET").change(deals=4, on_absence="vote", clock_seconds=20, clock_bank=60)
    log.seat_bot(3).sit("bc").talk("b", "good evening").talk("w", phrase="hello").ready().play_on(4)
    log.pause().resume().away("b").vote("ac", 1, Choice.BOT).play_on(6).back("b")
    assert log.do(GiveTime(Millis(log.now)))
    log.strike().play_on()
    log.leave("b").vote("ac", 1, Choice.BOT).ready().away("c").vote("a", 2, Choice.END)
    assert log.table.stage is Stage.OVER
    return log.ready().play_on(3).pause()


def eventful_round() -> Log:
    """A table of a tournament that plays the same cards as others, whose director halts and then closes it."""
    log = opened("abc.", DUPLICATE).ready().play_on(3)
    commands: list[Command] = [HaltTable(), GoOnTable(), ReplaceSitter(Seat(0), BOT_BESIDE), CallTime()]
    for command in commands:
        assert log.do(command)
    log.do(CloseTable("A forfeit."))
    return log


LOG = eventful()
OTHER_LOG = eventful_by_turns()
EVENING = eventful_evening()
ROUND = eventful_round()
LOGS = (LOG, OTHER_LOG, EVENING, ROUND)


def test_every_kind_of_event_is_read_back() -> None:
    """The logs of four tables with all events of table and game decode, line by line, to themselves."""
    lines = [line for log in LOGS for line in log.lines]
    happened = {type(event) for line in lines for event in line.events}
    assert happened == {*get_args(TableEvent), *CATALOGUE["kop"].event_types}
    for line in lines:
        game = None if line.version == 1 else "kop"
        assert codec.decode(line.version, codec.encode(line), game) == line
        assert codec.nonce(codec.encode(line)) == line.nonce


def test_a_named_jack_is_read_back() -> None:
    """The only field that klassisch never fills: the jack of a wesele."""
    log = dealt("QC QS JH TD / JC TC TS AD / JS AC AS AH / JD TH QH QD").say("0 wesele")
    [event] = log.lines[-1].events
    named = replace(event, utterance=replace(event.utterance, jack="JS"))
    line = replace(log.lines[-1], events=(named,))
    assert codec.decode(line.version, codec.encode(line), "kop") == line


def test_the_log_gives_the_table() -> None:
    """Replayed from its bytes the log gives the very table: state, memory, version and nonce."""
    for log in LOGS:
        assert replayed([codec.encode(line) for line in log.lines]) == log.table


def snapshots(log: Log) -> list[Table]:
    """The tables after each entry of an eventful log."""
    tables, table = [], None
    for line in log.lines:
        table = codec.settled(table, codec.evolved(table, line.events), line)
        tables.append(table)
    return tables


def test_a_snapshot_is_read_back_at_every_version() -> None:
    """Each state of the table, its game's included, decodes to itself; and the rest of the log goes on from it."""
    for log in LOGS:
        bodies = [codec.encode(line) for line in log.lines]
        for table in snapshots(log):
            read = codec.decode_snapshot(codec.encode_snapshot(table))
            assert read == table
            assert type(read.play) is type(table.play)
            if table.version % 10 == 0:
                assert replayed(bodies[table.version :], read) == log.table


def test_amounts_stay_exact() -> None:
    """The stake is read back as the decimal that was written."""
    read = codec.decode_snapshot(codec.encode_snapshot(LOG.table))
    assert str(read.play.terms.stake) == "0.50"
    assert isinstance(read.play.terms.stake, Decimal)


# --- what cannot be read ------------------------------------------------------------------------------------------

PLAIN: dict[str, Any] = msgpack.unpackb(codec.encode(LOG.lines[5]))
FIRST: dict[str, Any] = msgpack.unpackb(codec.encode(LOG.lines[0]))
SNAPSHOT: dict[str, Any] = msgpack.unpackb(codec.encode_snapshot(LOG.table))


def packed(plain: Any) -> bytes:
    """Anything as msgpack."""
    body: bytes = msgpack.packb(plain)
    return body


def without(plain: dict[str, Any], key: str) -> dict[str, Any]:
    """A map without one key."""
    return {name: value for name, value in plain.items() if name != key}


NO_EVENTS: list[Any] = [None, 7, ["x"], [[]], [["Said"]], [["Said", 7]], [["Said", {}]]]

BROKEN = [
    b"",
    b"\xc1",
    packed(None),
    packed(7),
    packed([]),
    packed({}),
    packed({1: 2}),
    packed(PLAIN) + b"\x00",
    *(packed(without(PLAIN, key)) for key in PLAIN),
    *(packed({**PLAIN, "e": events}) for events in NO_EVENTS),
    packed({**PLAIN, "e": [["NoSuchEvent", {}]]}),
    packed({**PLAIN, "e": [["CardPlayed", {"seat": 1, "card": "1C"}]]}),
    packed({**PLAIN, "e": [["CardPlayed", {"seat": "one", "card": "QC"}]]}),
    packed({**PLAIN, "e": [[["CardPlayed"], {}]]}),
    *(packed({**PLAIN, "f": written}) for written in (0, -1, None, "1", [1])),
]


@pytest.mark.parametrize("body", BROKEN, ids=range(len(BROKEN)))
def test_an_entry_that_cannot_be_read_says_so(body: bytes) -> None:
    """Whatever is wrong with an entry, it is unreadable, and not taken for a newer one."""
    with pytest.raises(Unreadable) as fault:
        codec.decode(6, body, "kop")
    assert not isinstance(fault.value, NewerFormat)


def test_every_truncated_entry_is_unreadable() -> None:
    """A torn entry is never half read."""
    body = codec.encode(LOG.lines[5])
    for length in range(len(body)):
        with pytest.raises(Unreadable):
            codec.decode(6, body[:length], "kop")


@pytest.mark.parametrize(
    "body",
    [
        packed({**FIRST, "e": []}),
        packed({**FIRST, "e": [["Created", {"game": "skat"}]]}),
        packed({**FIRST, "e": [["Created", {}]]}),
        packed({**FIRST, "e": [["Created", {"game": ["kop"]}]]}),
        packed({**FIRST, "e": [["Created", 7]]}),
    ],
    ids=range(5),
)
def test_a_first_entry_that_opens_no_table_is_unreadable(body: bytes) -> None:
    """The first entry must name a game that is known here."""
    with pytest.raises(Unreadable):
        codec.decode(1, body, None)


def test_a_log_that_begins_without_its_first_entry_is_unreadable() -> None:
    """Events that open no table cannot begin one."""
    for events in ((), LOG.lines[5].events):
        with pytest.raises(Unreadable):
            codec.evolved(None, events)


@pytest.mark.parametrize("plain", [{"f": 1}, {**PLAIN, "n": None}, {**PLAIN, "n": "text"}], ids=range(3))
def test_an_entry_without_a_nonce_says_so(plain: dict[str, Any]) -> None:
    """The nonce is asked for alone when the outcome of an append is unknown."""
    with pytest.raises(Unreadable):
        codec.nonce(packed(plain))


@pytest.mark.parametrize("written", [2, 99])
def test_a_newer_format_is_left_to_newer_processes(written: int) -> None:
    """A higher format number says who can read it, whatever else the entry or snapshot holds."""
    for body in (packed({**PLAIN, "f": written}), packed({"f": written, "?": 1})):
        with pytest.raises(NewerFormat):
            codec.decode(6, body, "kop")
        with pytest.raises(NewerFormat):
            codec.decode_snapshot(body)
        with pytest.raises(NewerFormat):
            codec.nonce(body)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        packed({**SNAPSHOT, "f": 0}),
        packed(without(SNAPSHOT, "s")),
        packed(without(SNAPSHOT, "p")),
        packed({**SNAPSHOT, "s": {}}),
        packed({**SNAPSHOT, "s": 7}),
        packed({**SNAPSHOT, "p": {}}),
        packed({**SNAPSHOT, "p": 7}),
        packed({**SNAPSHOT, "s": {**SNAPSHOT["s"], "game_name": "skat"}}),
        packed({**SNAPSHOT, "s": without(SNAPSHOT["s"], "owner")}),
        packed({**SNAPSHOT, "p": {**SNAPSHOT["p"], "stage": "asleep"}}),
        packed({**SNAPSHOT, "p": {**SNAPSHOT["p"], "terms": {**SNAPSHOT["p"]["terms"], "stake": "much"}}}),
    ],
    ids=range(12),
)
def test_a_snapshot_that_cannot_be_read_says_so(body: bytes) -> None:
    """Whatever is wrong with a snapshot, it is unreadable, and not taken for a newer one."""
    with pytest.raises(Unreadable) as fault:
        codec.decode_snapshot(body)
    assert not isinstance(fault.value, NewerFormat)


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.text(max_size=3) | st.binary(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)


@settings(deadline=None, max_examples=200)
@given(key=st.sampled_from(sorted(PLAIN)), value=JUNK)
@example(key="f", value=[])
def test_junk_in_a_field_is_read_or_refused(key: str, value: Any) -> None:
    """No entry makes the reader fail in any other way than by saying that it is unreadable."""
    with contextlib.suppress(Unreadable):
        assert isinstance(codec.decode(6, packed({**PLAIN, key: value}), "kop"), LogLine)


@settings(deadline=None, max_examples=200)
@given(event=JUNK, fields=JUNK)
@example(event="Said", fields={"utterance": {"seat": 0, "word": "ask", "number": 0, "jack": None}})
def test_junk_for_an_event_is_read_or_refused(event: Any, fields: Any) -> None:
    """The same for an event's name and fields, and for the fields of the entry that opens the table."""
    for name, game in ((event, "kop"), ("Created", None), ("CardPlayed", "kop"), ("DealScored", "kop")):
        try:
            codec.decode(6, packed({**PLAIN, "e": [[name, fields]]}), game)
        except Unreadable:
            continue


@settings(deadline=None, max_examples=200)
@given(body=st.binary(max_size=40), part=st.sampled_from(["s", "p"]), junk=JUNK)
def test_junk_for_a_body_is_refused(body: bytes, part: str, junk: Any) -> None:
    """Bytes that nobody wrote are neither an entry, nor a snapshot, nor do they have a nonce."""
    for read in (lambda: codec.decode(6, body, "kop"), lambda: codec.decode_snapshot(body), lambda: codec.nonce(body)):
        with pytest.raises(Unreadable):
            read()
    with pytest.raises(Unreadable):
        codec.decode_snapshot(packed({**SNAPSHOT, part: junk}))


def test_the_created_options_are_all_that_a_match_needs() -> None:
    """An entry says which options the match has: none is left to a later default."""
    created = LOG.lines[0].events[0]
    assert isinstance(created, Created)
    assert set(created.options) == set(CATALOGUE["kop"].options(LOG.table.play))


def test_a_quiet_entry_is_small() -> None:
    """What is written for one card: the log stays small."""
    log = dealt(WHOLE_DEAL).say(QUIET).say("0 play AD")
    assert len(codec.encode(log.lines[-1])) < 120
