"""Several players and a hall in this process: whatever they say and do, the wire keeps its promises.

Beyond what can be seen from outside: time goes by, the store goes away and loses answers, readers are slow, and
nothing fails or stays behind inside.
"""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.endpoint.voice import Voice
from tests.fuzz import hall, seeds
from tests.fuzz.hall import converse
from tests.fuzz.peer import Broken
from tests.fuzz.targets import TARGETS


@settings(max_examples=60, deadline=None)
@given(data=st.binary(min_size=8, max_size=160))
def test_any_evening_keeps_the_promises_of_the_wire(data: bytes) -> None:
    converse(data)


@pytest.mark.long
@pytest.mark.timeout(1200)
@settings(max_examples=400, deadline=None)
@given(data=st.binary(min_size=8, max_size=300))
def test_any_of_many_evenings_keeps_the_promises_of_the_wire(data: bytes) -> None:
    converse(data)


@pytest.mark.parametrize("game", range(0, len(hall.OPTIONS), 2))
def test_an_honest_evening_is_a_script_too(game: int) -> None:
    """What is recorded plays again, and does something."""
    script = seeds.recorded(seeds.honest(game), 120)
    assert len(script) >= 100
    converse(script)


@pytest.mark.parametrize("target", ["codec", "log", "http"])
def test_the_seeds_of_the_fuzzer_do_not_fail(target: str) -> None:
    """Those of the conversation are played when they are made."""
    for seed in seeds.of(target):
        TARGETS[target](seed)


def test_what_is_not_answered_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """The watch itself: a session that swallows its refusals, and one that fails, are both noticed."""
    script = seeds.recorded(seeds.one_message(0, 0), 60)
    with monkeypatch.context() as patched:
        patched.setattr(Voice, "refuse", lambda *_, **__: None)
        with pytest.raises(Broken, match="in vain"):
            converse(script)
    with monkeypatch.context() as patched:
        patched.setattr(Voice, "refuse", lambda *_, **__: 1 // 0)
        with pytest.raises((Broken, ZeroDivisionError)):
            converse(script)
