"""What holds in every deal of every patience, with every combination of variants."""

from collections import Counter
from dataclasses import asdict

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.games.game import RuleViolation
from server.games.patience.layout import Patience, Position, move_of
from server.games.patience.match import position_at
from tests.games.patience.naive import Naive
from tests.games.patience.scenes import Board, board, every_action
from tests.games.patience.strategies import RULES, choices, chosen, numbers, rules

FEW = settings(max_examples=60, deadline=None)


def dealt(patience: Patience, number: int, **comfort: bool) -> Board:
    """A board with this deal."""
    return board(patience.name, {**asdict(patience), **comfort}).deal(f"number {number}")  # type: ignore[call-overload]


def walked(patience: Patience, number: int, line: list[int]) -> list[Position]:
    """The positions of a line of moves."""
    where = patience.start(patience.lay(patience.pack(number), number))
    found = [where]
    for choice in line:
        action = chosen(patience, where, choice)
        if action is None:
            break
        where = patience.play(where, move_of(action))
        found.append(where)
    return found


@FEW
@given(patience=rules(), number=numbers(), line=choices())
def test_cards_are_conserved(patience: Patience, number: int, line: list[int]) -> None:
    """No move makes or loses a card."""
    pack = Counter(patience.pack(number))
    assert set(pack.values()) == {patience.packs}
    assert len(pack) == 52
    for where in walked(patience, number, line):
        assert Counter(card for cards in where.piles for card in cards) == pack


@FEW
@given(patience=rules(), number=numbers(), line=choices())
def test_moves_are_those_of_the_second_implementation(patience: Patience, number: int, line: list[int]) -> None:
    """Every allowed move, and what lies where after it, agrees with a plain one."""
    for where in walked(patience, number, line)[-3:]:
        names = [pile.name for pile in patience.piles]
        table = {name: [str(card) for card in cards] for name, cards in zip(names, where.piles, strict=True)}
        naive = Naive(patience.name, asdict(patience), table, where.direction, where.passes).moves()  # type: ignore[call-overload]
        assert set(naive) == {str(move) for move in patience.moves(where)}
        for action, after in naive.items():
            found = patience.play(where, move_of(action))
            assert [list(cards) for cards in found.piles] == list(after.table.values())
            assert (found.direction, found.passes) == (after.direction, after.passes)


@FEW
@given(patience=rules(), number=numbers(), line=choices())
def test_undo_of_any_sequence_is_exact(patience: Patience, number: int, line: list[int]) -> None:
    """However moves, undo and redo follow each other, the position is that of the moves that stand."""
    table = dealt(patience, number)
    stands = [table.position]
    ahead: list[Position] = []
    for choice in line[:120]:
        if choice % 5 == 0 and len(stands) > 1:
            table.act("undo")
            ahead.append(stands.pop())
        elif choice % 5 == 1 and ahead:
            table.act("redo")
            stands.append(ahead.pop())
        elif (action := chosen(patience, table.position, choice // 5)) is not None:
            table.act(action)
            stands.append(table.position)
            ahead = []
        assert table.position == stands[-1]
        if not table.in_play:
            return
        assert table.refusal("redo") == (None if ahead else "nothing_to_redo")
    while len(stands) > 1:
        table.act("undo")
        stands.pop()
        assert table.position == stands[-1]


@FEW
@given(patience=rules(), number=numbers(), line=choices(), auto=st.booleans())
def test_legal_agrees_with_decide(patience: Patience, number: int, line: list[int], *, auto: bool) -> None:
    """What is offered is accepted, and nothing else is."""
    table = dealt(patience, number, auto_play=auto)
    for choice in line:
        action = chosen(patience, table.position, choice)
        if action is None or not table.in_play:
            break
        table.act(action)
        if choice % 9 == 0 and table.refusal("undo") is None:
            table.act("undo")
    legal = set(table.game.legal(table.match, 0))  # type: ignore[arg-type]
    accepted = {action for action in every_action(patience) if table.refusal(action) is None}
    assert accepted == legal


@FEW
@given(patience=rules(), number=numbers(), line=choices())
def test_replay_gives_the_same_state(patience: Patience, number: int, line: list[int]) -> None:
    """The events alone make the match, and a record of it replays (`test_record`)."""
    table = dealt(patience, number, auto_play=True)
    for choice in line:
        action = chosen(patience, table.position, choice)
        if action is None or not table.in_play:
            break
        table.act(action)
    again = table.game.new_match(table.game.options(table.match))
    for event in table.log:
        again = table.game.evolve(again, event)
    assert again == table.match
    deal = table.match.deal
    assert deal is not None
    assert position_at(patience, deal, deal.cursor) == table.position


@FEW
@given(patience=rules(), number=numbers(), line=choices())
def test_stuck_is_exact(patience: Patience, number: int, line: list[int]) -> None:
    """A deal that is not stuck has a move; one that is has none that leads further, nor a safe one."""
    for where in walked(patience, number, line)[-2:]:
        moves = patience.moves(where)
        if patience.won(where):
            assert not patience.stuck(where)
        elif patience.stuck(where):
            assert patience.safe(where) is None
            assert all(move.target not in ("foundation", "up", "down") or "meet" in repr(patience) for move in moves)
        else:
            assert moves


@FEW
@given(patience=rules(), number=numbers(), line=choices())
def test_safe_moves_are_allowed(patience: Patience, number: int, line: list[int]) -> None:
    """What the auto-play does is a move that the player could make."""
    for where in walked(patience, number, line)[-3:]:
        safe = patience.safe(where)
        assert safe is None or patience.refusal(where, safe) is None


@pytest.mark.parametrize("patience", RULES, ids=repr)
def test_every_combination_deals(patience: Patience) -> None:
    """Each allowed combination of variants can be dealt and begun."""
    assert dealt(patience, 1).in_play


def test_a_refusal_is_a_violation() -> None:
    """Refused moves raise; words that are no moves too."""
    table = dealt(RULES[0], 1)
    with pytest.raises(RuleViolation, match="unknown_action"):
        table.game.decide(table.match, 0, "move braid.0 foundation", None)  # type: ignore[arg-type]
