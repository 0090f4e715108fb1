"""Token buckets."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.endpoint.limits import Buckets, TokenBucket


@pytest.mark.parametrize(
    ("takes", "granted"),
    [
        ([0, 0, 0, 0], "yyyn"),  # a burst of three
        ([0, 0, 0, 0.25, 0.5, 0.5], "yyynyn"),  # two a second
        ([0, 0, 0, 100, 100, 100, 100], "yyyyyyn"),  # what is not used is not saved beyond the burst
        ([5, 5, 5, 4, 0, 5.5], "yyynny"),  # a clock that goes back gives nothing and takes nothing
    ],
)
def test_a_bucket_grants_its_burst_and_then_its_rate(takes: list[float], granted: str) -> None:
    """Three at once, two a second, told by a table of times."""
    bucket = TokenBucket(rate=2, burst=3, now=takes[0])
    assert "".join("y" if bucket.take(now) else "n" for now in takes) == granted


def test_a_refusal_costs_nothing() -> None:
    """Whoever asks for more than there is still has what there is."""
    bucket = TokenBucket(rate=1, burst=3, now=0)
    assert not bucket.take(0, cost=4)
    assert bucket.take(0, cost=3)
    assert not bucket.full(2.5)
    assert bucket.full(3)


@pytest.mark.parametrize(("rate", "burst"), [(0, 1), (1, 0), (-1, 1)])
def test_a_bucket_that_never_fills_is_a_mistake(rate: float, burst: float) -> None:
    """A rate or burst of nothing is refused where it is set."""
    with pytest.raises(ValueError, match="positive"):
        TokenBucket(rate, burst, 0)
    with pytest.raises(ValueError, match="positive"):
        Buckets(rate, burst)


# Times and costs in 1/64 are exact in floating point, so that the bound below is exact too.
STEPS = st.lists(st.tuples(st.integers(0, 640), st.integers(1, 192)), max_size=60)


@given(STEPS, st.sampled_from([0.25, 1.0, 2.0, 8.0]), st.integers(1, 16))
def test_never_more_than_burst_and_rate_times_time(steps: list[tuple[int, int]], rate: float, burst: int) -> None:
    """From any moment on, what is granted is at most the burst and the rate times the time since."""
    bucket = TokenBucket(rate, burst, 0.0)
    now, taken = 0.0, 0.0
    grants: list[tuple[float, float, float]] = []
    for wait, cost in steps:
        now += wait / 64
        if bucket.take(now, cost / 64):
            grants.append((now, taken, taken + cost / 64))
            taken += cost / 64
    for begin, before, _ in grants:
        for end, _, after in grants:
            if end >= begin and after > before:
                assert after - before <= burst + rate * (end - begin)


@given(STEPS)
def test_who_waits_for_a_token_gets_it(steps: list[tuple[int, int]]) -> None:
    """After any history, the time for one token is enough for one token."""
    bucket = TokenBucket(rate=2.0, burst=3.0, now=0.0)
    now = 0.0
    for wait, cost in steps:
        now += wait / 64
        bucket.take(now, cost / 64)
    assert bucket.take(now + 0.5)


def test_each_address_has_a_bucket_of_its_own() -> None:
    """One address that has used up its allowance leaves the others theirs."""
    buckets = Buckets(rate=1, burst=2)
    assert [buckets.take("a", 0) for _ in range(3)] == [True, True, False]
    assert buckets.take("b", 0)
    assert buckets.take("a", 1)
    assert not buckets.take("a", 1, cost=2)


@given(st.lists(st.tuples(st.integers(0, 40), st.integers(0, 9)), max_size=200))
def test_buckets_are_bounded(takes: list[tuple[int, int]]) -> None:
    """However many addresses come, no more than the capacity is remembered."""
    buckets = Buckets(rate=1, burst=2, capacity=5)
    now = 0.0
    for address, wait in takes:
        now += wait / 4
        buckets.take(str(address), now)
        assert 1 <= len(buckets) <= 5


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 9)), max_size=200))
def test_forgetting_full_buckets_gives_nothing_away(takes: list[tuple[int, int]]) -> None:
    """Within the capacity each address gets exactly what a bucket of its own would have granted."""
    buckets = Buckets(rate=1, burst=2, capacity=5)
    alone: dict[str, TokenBucket] = {}
    now = 0.0
    for number, wait in takes:
        now += wait / 4
        address = str(number)
        bucket = alone.setdefault(address, TokenBucket(1, 2, now))
        assert buckets.take(address, now) == bucket.take(now)


def test_idle_addresses_are_forgotten() -> None:
    """Addresses that have not asked for a while go as others ask, long before the capacity is reached."""
    buckets = Buckets(rate=1, burst=2, capacity=1000)
    for number in range(100):
        buckets.take(str(number), 0)
    for _ in range(100):
        buckets.take("again", 60)
    assert len(buckets) == 1


def test_crowded_buckets_forget_the_longest_unused() -> None:
    """Over the capacity the longest unused address starts anew, the others keep what they owe."""
    buckets = Buckets(rate=0.001, burst=1, capacity=2)
    assert buckets.take("a", 0)
    assert buckets.take("b", 0)
    assert buckets.take("c", 0)
    assert not buckets.take("b", 0)
    assert not buckets.take("c", 0)
    assert buckets.take("a", 0)
