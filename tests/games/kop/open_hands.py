"""The value of a deal with open hands, by a plain search over the naive rules: the solver's oracle."""

from tests.games.kop import naive


def old_eyes(hands: naive.Hands, leader: int, trick: list[str], old: set[int], rules: naive.Rules) -> int:
    """The eyes that these Old still take, the trick on the table with them, when both sides play their best."""
    return _old_eyes(hands, leader, trick, old, rules, {})


def _old_eyes(
    hands: naive.Hands, leader: int, trick: list[str], old: set[int], rules: naive.Rules, seen: dict[str, int]
) -> int:
    if len(trick) == 4:
        winner = (leader + naive.trick_winner(trick, rules)) % 4
        won = naive.points(trick) if winner in old else 0
        return won + _old_eyes(hands, winner, [], old, rules, seen)
    seat = (leader + len(trick)) % 4
    if not hands[seat]:
        return 0
    position = f"{hands} {leader} {trick}"
    if position not in seen:
        values = [
            _old_eyes(_without(hands, card), leader, [*trick, card], old, rules, seen)
            for card in naive.legal_cards(hands[seat], trick, rules)
        ]
        seen[position] = max(values) if seat in old else min(values)
    return seen[position]


def _without(hands: naive.Hands, gone: str) -> naive.Hands:
    return [[card for card in hand if card != gone] for hand in hands]
