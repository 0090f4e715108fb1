"""Nobody can tell deals apart that differ only in cards which have never been seen.

At the end of a line of play the cards that lay face down all the time are exchanged with each other, and the
same actions are carried out with that pack. Everything shown, told, offered and refused must be the same.
"""

import random
from dataclasses import asdict, replace

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from server.games.game import Plain
from server.games.patience.cards import Cards
from server.games.patience.events import Dealt
from server.games.patience.hints import hint
from server.games.patience.layout import Patience, Position
from tests.games.patience.scenes import PLAYER, Board, board, every_action
from tests.games.patience.strategies import choices, chosen, numbers, rules

SWAPS = 40


def shown(table: Board) -> tuple[Plain, Plain, tuple[str, ...], object]:
    """What is shown and offered, and the hint."""
    match = table.match
    found = None if match.in_play is None else hint(match.rules, match.in_play.position)
    return table.game.public(match), table.game.own(match, PLAYER), tuple(table.game.legal(match, PLAYER)), found


def seen_of(patience: Patience, laid: Position, least: dict[str, int]) -> list[Cards]:
    """The cards of a layout that have been seen, when so many of each pile have always been face down."""
    return [cards[least[pile.name] :] for pile, cards in zip(patience.piles, laid.piles, strict=True)]


def exchanged(patience: Patience, dealt: Dealt, least: dict[str, int], seed: int) -> Cards:
    """Another pack that agrees with all that has been seen."""
    rng = random.Random(seed)
    pack = list(dealt.pack)
    number, twins = int(dealt.number), dealt.keep_twins
    seen = seen_of(patience, patience.lay(dealt.pack, number, keep_twins=twins), least)
    for _ in range(SWAPS):
        one, other = rng.sample(range(len(pack)), 2)
        pack[one], pack[other] = pack[other], pack[one]
        try:
            same = seen_of(patience, patience.lay(tuple(pack), number, keep_twins=twins), least) == seen
        except ValueError:  # an ace too many or too few is left in the pack
            same = False
        if not same:
            pack[one], pack[other] = pack[other], pack[one]
    return tuple(pack)


def face_down(patience: Patience, where: Position) -> dict[str, int]:
    """How many cards of each pile lie face down, by the rules pages: the stock, and packets under their top card."""
    found = {pile.name: 0 for pile in patience.piles}
    for pile, cards in zip(patience.piles, where.piles, strict=True):
        if pile.kind == "stock":
            found[pile.name] = len(cards)
        elif pile.kind == "packet" and not getattr(patience, "open_packets", False):
            found[pile.name] = max(0, len(cards) - 1)
    return found


@settings(max_examples=35, deadline=None)
@given(patience=rules(), number=numbers(), line=choices(), seed=st.integers(0, 2**32))
def test_unseen_cards_change_nothing(patience: Patience, number: int, line: list[int], seed: int) -> None:
    """Views, offers, hints, what is told, and every refusal are the same with other cards face down."""
    first = board(patience.name, asdict(patience)).deal()  # type: ignore[call-overload]
    dealt = first.log[-1]
    assert isinstance(dealt, Dealt)
    laid = patience.lay(dealt.pack, int(dealt.number))
    least = face_down(patience, laid)
    least["stock"] = min(least.get("stock", 0), face_down(patience, first.position).get("stock", 0))
    views, actions = [shown(first)], []
    for choice in line:
        action = chosen(patience, first.position, choice)
        if action is None or not first.in_play:
            break
        if choice % 7 == 0 and first.refusal("undo") is None:
            action = "undo"
        first.act(action)
        actions.append(action)
        views.append(shown(first))
        now = face_down(patience, first.position)
        if first.position.passes == 1:
            least = {name: min(count, now.get(name, 0)) for name, count in least.items()}
        else:
            least["stock"] = 0
    assume(first.in_play)
    pack = exchanged(patience, dealt, least, seed)
    second = board(patience.name, asdict(patience)).take([replace(dealt, pack=pack)])  # type: ignore[call-overload]
    again = [shown(second)]
    for action in actions:
        second.act(action)
        again.append(shown(second))
    assert again == views
    assert second.told == first.told
    assert [second.refusal(action) for action in every_action(patience)] == [
        first.refusal(action) for action in every_action(patience)
    ]


def test_packs_do_differ() -> None:
    """The exchange really makes another pack, so that the property above says something."""
    table = board("carpet").deal()
    dealt = table.log[-1]
    assert isinstance(dealt, Dealt)
    patience = table.match.rules
    assert exchanged(patience, dealt, face_down(patience, table.position), 1) != dealt.pack
