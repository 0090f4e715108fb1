"""Versions of a table: nothing is missed, nothing is told twice."""

from typing import Any

import pytest

from client_cli.follower import Follower, Step
from tests.client_cli import samples


def at(from_: int, version: int, *, resync: bool = False) -> dict[str, Any]:
    """A message from one version to another."""
    return samples.message(version=version, resync=resync) | {"from": from_}


@pytest.mark.parametrize(
    ("steps", "seen"),
    [
        ([(at(0, 5, resync=True), Step.FRESH), (at(5, 6), Step.NEXT), (at(6, 9), Step.NEXT)], 9),
        ([(at(0, 5), Step.FRESH), (at(5, 5), Step.NEXT)], 5),
        ([(at(0, 5), Step.FRESH), (at(6, 8), Step.GAP), (at(8, 9), Step.NEXT)], 9),
        ([(at(0, 5), Step.FRESH), (at(6, 8), Step.GAP), (at(0, 8, resync=True), Step.FRESH)], 8),
        ([(at(0, 5), Step.FRESH), (at(3, 4), Step.OLD)], 5),
        ([(at(0, 5), Step.FRESH), (at(0, 3, resync=True), Step.FRESH), (at(3, 4), Step.NEXT)], 4),
    ],
)
def test_a_message_joins_the_one_before(steps: list[tuple[dict[str, Any], Step]], seen: int) -> None:
    """By the rules of the protocol's page: resync first, then joined, overtaken, or a gap."""
    follower = Follower()
    for message, step in steps:
        assert follower.take(message) is step
    assert follower.view is not None
    assert follower.view.version == seen


def test_after_coming_back_the_first_message_is_fresh() -> None:
    """And says whether the table went on meanwhile."""
    follower = Follower()
    follower.take(at(0, 5))
    follower.came_back()
    assert follower.take(at(0, 5, resync=True)) is Step.FRESH
    assert not follower.changed_while_away
    follower.came_back()
    assert follower.take(at(0, 7, resync=True)) is Step.FRESH
    assert follower.changed_while_away
