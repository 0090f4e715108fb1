"""A command takes effect once: what a table remembers, and for how long."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.games.game import OptionValue, RuleViolation, Seat
from server.table.commands import (
    Act,
    Create,
    FinishMatch,
    LeaveSeat,
    PlayersCommand,
    RemoveSitter,
    StartDeal,
    TakeSeat,
    asked,
)
from server.table.ids import PlayerId, TableId
from server.table.memory import MOST_CLIENTS, MOST_COMMANDS, CommandId, Memory, Remembered, digest, recall, remember
from tests.table.scenes import seated, sitter


def memory_of(*numbers: int, client: str = "one", memory: Memory = ()) -> Memory:
    """The memory after commands with these numbers; command n asked `n`, and made version 100 + n."""
    for number in numbers:
        memory = remember(memory, client, Remembered(number, digest(str(number)), 100 + number, Seat(1)))
    return memory


def test_a_repeat_gets_the_same_reply() -> None:
    """The same id with the same content is found with the version it made and the seat."""
    known = recall(memory_of(1, 2, 3), CommandId("one", 2), "2")
    assert known == Remembered(2, digest("2"), 102, Seat(1))


def test_a_new_command_is_not_known() -> None:
    """A higher number, or that of another client, is new; so is a number that was refused and never remembered."""
    memory = memory_of(1, 3)
    assert recall(memory, CommandId("one", 4), "4") is None
    assert recall(memory, CommandId("one", 2), "2") is None
    assert recall(memory, CommandId("two", 1), "1") is None


def test_the_same_id_with_other_content_is_refused() -> None:
    """An id belongs to what was first asked under it."""
    with pytest.raises(RuleViolation, match="id_reused"):
        recall(memory_of(1, 2), CommandId("one", 2), "something else")


def test_what_is_older_than_the_memory_is_refused() -> None:
    """When the memory of a client is full, an older number cannot be told from a repeat."""
    memory = memory_of(*range(1, MOST_COMMANDS + 3))
    with pytest.raises(RuleViolation, match="too_old"):
        recall(memory, CommandId("one", 2), "2")
    assert recall(memory, CommandId("one", 3), "3") is not None
    assert recall(memory_of(*range(2, MOST_COMMANDS + 1)), CommandId("one", 1), "1") is None


@given(st.lists(st.tuples(st.integers(0, 2 * MOST_CLIENTS), st.integers(1, 200)), max_size=300))
def test_the_memory_is_bounded(heard: list[tuple[int, int]]) -> None:
    """Of so many clients so many commands, those heard last; the newest is always known."""
    memory: Memory = ()
    for client, number in heard:
        memory = memory_of(number, client=f"c{client}", memory=memory)
        assert memory[-1].client == f"c{client}"
        assert memory[-1].commands[-1].number == number
    assert len(memory) <= MOST_CLIENTS
    assert all(len(one.commands) <= MOST_COMMANDS for one in memory)
    assert len({one.client for one in memory}) == len(memory)
    latest = list(dict.fromkeys(f"c{client}" for client, _ in reversed(heard)))[:MOST_CLIENTS]
    assert [one.client for one in reversed(memory)] == latest


def test_the_client_heard_longest_ago_is_forgotten_first() -> None:
    """A client that goes on keeps its place."""
    memory: Memory = ()
    for client in range(MOST_CLIENTS):
        memory = memory_of(1, client=f"c{client}", memory=memory)
    memory = memory_of(2, client="c0", memory=memory)
    memory = memory_of(1, client="new", memory=memory)
    assert recall(memory, CommandId("c0", 1), "1") is not None
    assert recall(memory, CommandId("c1", 1), "1") is None


TERMS: list[tuple[str, dict[str, OptionValue], str | None]] = [
    ("kop", {}, None),
    ("kop", {}, "CODE"),
    ("kop", {"deals": 4}, None),
    ("kop", {"deals": "4"}, None),
    ("kop", {"deals": 4, "stake": "2"}, None),
    ("zopf", {}, None),
]

COMMANDS: list[PlayersCommand] = [
    *(Create(sitter("a"), TableId("t"), game, options, code) for game, options, code in TERMS),
    *(TakeSeat(sitter("a"), seat) for seat in (None, Seat(0), Seat(1))),
    LeaveSeat(PlayerId("a")),
    *(RemoveSitter(PlayerId("a"), PlayerId(letter)) for letter in "bc"),
    StartDeal(PlayerId("a"), "1.1r"),
    FinishMatch(PlayerId("a"), "1.1r"),
    *(
        Act(PlayerId("a"), prompt, action)
        for prompt, action in [("1.1c0", "ask"), ("1.1c1", "ask"), ("1.1c1", "go on"), ("1.1c1", "double 1")]
    ),
]


def test_different_commands_ask_different_things() -> None:
    """No two commands can be taken for a repeat of one another."""
    assert len({asked(command) for command in COMMANDS}) == len(COMMANDS)


@pytest.mark.parametrize(
    ("one", "other"),
    [({"deals": 4, "stake": "2"}, {"stake": "2", "deals": 4}), ({}, {})],
)
def test_a_repeat_asks_the_same(one: dict[str, OptionValue], other: dict[str, OptionValue]) -> None:
    """The order of options does not matter, nor the name of the sender, nor a code that was drawn anew."""
    first = Create(sitter("a"), TableId("t"), "kop", one, "CODE")
    again = Create(sitter("b"), TableId("t"), "kop", other, "OTHER")
    assert asked(first) == asked(again)


def test_a_table_remembers_every_accepted_command_of_people() -> None:
    """Each entry but the clock's is remembered with its version and the sender's seat after it."""
    log = seated().ready()
    leader = log.match.running.turn
    log.act(leader, "ask").time_over().leave("b")
    known = {one.client: one.commands[-1] for one in log.table.memory}
    assert set(known) == {f"client-of-{letter}" for letter in "abcd"}
    for line in log.lines:
        if line.client:
            found = next(one for one in log.table.memory if one.client == line.client)
            assert Remembered(line.number, line.asked, line.version, line.seat) in found.commands
    assert known["client-of-b"].seat is None
    assert (log.table.version, log.table.nonce) == (len(log.lines), log.lines[-1].nonce)
