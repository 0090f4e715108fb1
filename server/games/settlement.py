"""Who pays whom at the end of an evening, in the fewest payments.

People whose balances add up to nothing can settle among themselves, with one payment less than they
are. So the fewest payments are those of a partition into the most such groups; finding it is a
search over all subsets, done for up to `EXACT` people.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Final

EXACT: Final = 14
"""Up to so many people who cannot settle in pairs the payments are the fewest there are."""


@dataclass(frozen=True, slots=True)
class Payment:
    """What a debtor gives a creditor; more than 0."""

    debtor: str
    creditor: str
    amount: int


def payments(balances: Mapping[str, int]) -> list[Payment]:
    """The payments that settle what people have won (more than 0) and lost; the sum is 0.

    They are the fewest possible, or, with more than `EXACT` people who find no partner of the
    opposite balance, few: first threes that settle among themselves, then who owes most pays who
    is owed most, until the rest is small enough for the search. Never more than people less one.
    Which of several ways is taken depends on the order of the mapping alone.

    Raises:
        ValueError: the sum of the balances is not 0.
    """
    if sum(balances.values()):
        raise ValueError("balances that do not add up to 0")
    owed = {who: balance for who, balance in balances.items() if balance}
    made = [payment for pair in _groups_of(2, owed) for payment in _settled(pair, owed)]
    if len(owed) > EXACT:
        made += [payment for three in _groups_of(3, owed) for payment in _settled(three, owed)]
    while len(owed) > EXACT:
        made.append(_largest(tuple(owed), owed))
    for group in _most_groups(owed):
        made += _settled(group, owed)
    return made


def _groups_of(size: int, owed: Mapping[str, int]) -> Iterator[tuple[str, ...]]:
    """Groups of one size that settle among themselves; who is settled meanwhile is in no other.

    A pair is in some best partition: whoever else the two had settled with can do so without them.
    """
    for group in combinations(tuple(owed), size):
        if all(who in owed for who in group) and sum(owed[who] for who in group) == 0:
            yield group


def _settled(group: tuple[str, ...], owed: dict[str, int]) -> Iterator[Payment]:
    """The payments of a group, at most one less than its people; they are owed nothing after it."""
    while left := tuple(who for who in group if who in owed):
        yield _largest(left, owed)


def _largest(group: tuple[str, ...], owed: dict[str, int]) -> Payment:
    """Who owes most pays who is owed most; at least one of them is settled by it, and out of `owed`."""
    debtor = min(group, key=owed.__getitem__)
    creditor = max(group, key=owed.__getitem__)
    amount = min(-owed[debtor], owed[creditor])
    for who, more in ((debtor, amount), (creditor, -amount)):
        owed[who] += more
        if not owed[who]:
            del owed[who]
    return Payment(debtor, creditor, amount)


def _most_groups(owed: Mapping[str, int]) -> list[tuple[str, ...]]:
    """The partition into the most groups that settle among themselves.

    A subset is a number with a bit for each of its people. People leave the table one by one, in
    the order with the most moments at which those still there add up to 0: `most` has how many
    such moments a subset can still see, and the people who leave between two of them are a group.
    """
    people, balances = tuple(owed), tuple(owed.values())
    sums, most = [0], [0]
    for subset in range(1, 1 << len(people)):
        last = subset.bit_length() - 1
        sums.append(sums[subset ^ 1 << last] + balances[last])
        best = max(most[subset ^ 1 << place] for place in range(last + 1) if subset >> place & 1)
        most.append(best + (sums[subset] == 0))
    groups: list[tuple[str, ...]] = []
    subset, group = (1 << len(people)) - 1, 0
    while subset:
        seen = most[subset] - (sums[subset] == 0)
        place = next(place for place in range(len(people)) if subset >> place & 1 and most[subset ^ 1 << place] == seen)
        subset, group = subset ^ 1 << place, group | 1 << place
        if sums[subset] == 0:
            groups.append(tuple(who for place, who in enumerate(people) if group >> place & 1))
            group = 0
    return groups
