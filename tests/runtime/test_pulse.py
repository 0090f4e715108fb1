"""The store's pulse: away when it says so, and when it has said nothing for a while."""

import asyncio

from server.runtime.pulse import PATIENCE, Pulse
from server.store.memory import MemoryStore
from server.store.port import Health, Millis, StoreAway


class Patient(MemoryStore):
    """A store whose next answer a test decides."""

    def __init__(self) -> None:
        super().__init__(lambda: Millis(0))
        self.answer: asyncio.Future[Health] = asyncio.get_running_loop().create_future()

    async def health(self) -> Health:
        return await asyncio.shield(self.answer)


async def test_a_store_that_does_not_answer_counts_as_away_after_a_while() -> None:
    """The question still stands; the answer makes it good again."""
    now = [100.0]
    store = Patient()
    pulse = Pulse(store, lambda: now[0])
    asking = asyncio.get_running_loop().create_task(pulse.ask())
    await asyncio.sleep(0)
    away = []
    for passed in (PATIENCE - 0.1, 0.1):
        now[0] += passed
        away.append(pulse.away)
    assert away == [False, True]
    store.answer.set_result(Health(away=False, warnings=("careless",)))
    await asking
    assert (pulse.away, pulse.warnings) == (False, ("careless",))


async def test_what_the_store_says_counts_at_once() -> None:
    """`away`, or no answer at all."""
    store = Patient()
    pulse = Pulse(store, lambda: 0.0)
    store.answer.set_result(Health(away=True, warnings=()))
    await pulse.ask()
    assert pulse.away
    store.answer = asyncio.get_running_loop().create_future()
    store.answer.set_exception(StoreAway("gone"))
    await pulse.ask()
    assert pulse.away
    store.answer = asyncio.get_running_loop().create_future()
    store.answer.set_result(Health(away=False, warnings=()))
    await pulse.ask()
    assert not pulse.away
