"""Values with some fields changed."""

from dataclasses import dataclass, replace

import pytest

from server.games.values import changed


@dataclass(frozen=True, slots=True)
class Chair:
    """A value like those of the core."""

    seat: int
    sitter: str | None = None
    legs: tuple[int, ...] = (1, 2, 3, 4)


def test_changed_is_what_replace_makes() -> None:
    """The fields named are others, the rest is the very same; the old value stays as it was."""
    chair = Chair(1, "Ada")
    assert changed(chair, sitter=None, seat=2) == replace(chair, sitter=None, seat=2) == Chair(2)
    assert changed(chair, seat=2).legs is chair.legs
    assert chair == Chair(1, "Ada")
    assert hash(changed(chair, seat=1)) == hash(chair)


def test_there_must_be_such_a_field() -> None:
    """A name that is no field is refused."""
    with pytest.raises(AttributeError):
        changed(Chair(1), arms=2)  # type: ignore[call-arg]
