"""The whole session from outside: strangers say anything over real sockets, and a match of four does not notice.

Between any two things that strangers do, one of the four plays on, and is answered rightly. Each frame of a
stranger has one answer with a known code, or his connection is closed for a documented reason. What the
server itself must be like afterwards stands in `conftest`.
"""

import asyncio
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from protocol.codec import Encoding, pack
from tests.fuzz import messages, raw, strange
from tests.fuzz.hall import OPTIONS
from tests.fuzz.messages import Known
from tests.fuzz.script import Script
from tests.fuzz.stranger import Stranger, said
from tests.servers import ServerProcess
from tests.wire import Wire, four_at_table, step

SCRIPTS = st.binary(min_size=2, max_size=120)
MOST_STRANGERS = 5
SLOW = ("solve", "winnable", "hint", "explain")
"""What the solver answers in its own time: the conversation within one process has these too."""


class Party(RuleBasedStateMachine):
    """Four who play, and strangers who do not. `port` is the server's."""

    port = 0

    def __init__(self) -> None:
        super().__init__()
        self.runner = asyncio.Runner()
        self.strangers: list[Stranger] = []
        self.players: list[Wire] = []
        self.table = ""

    @initialize()
    def sit_down(self) -> None:
        """The four begin."""
        self.players, self.table = self.runner.run(self._four())

    async def _four(self) -> tuple[list[Wire], str]:
        url = f"ws://127.0.0.1:{self.port}/ws"
        return await four_at_table(url, tuple(Encoding), private=False, options={"answer_seconds": None})

    @invariant()
    def the_four_play_on(self) -> None:
        """One of them acts: the answer is right, and all see it."""
        if self.players:
            assert self.runner.run(step(self.players, self.table)) is not None
            for player in self.players:
                assert not [one for one in player.heard if one["type"] in ("error", "closed", "notice")]
                del player.heard[:-1], player.raw[:]

    @precondition(lambda self: len(self.strangers) < MOST_STRANGERS)
    @rule(encoding=st.sampled_from(Encoding), greets=st.booleans())
    def come(self, encoding: Encoding, *, greets: bool) -> None:
        """A stranger comes, and says hello or not."""
        self.runner.run(self._come(encoding, greets=greets))

    async def _come(self, encoding: Encoding, *, greets: bool) -> Stranger:
        stranger = await Stranger.come(self.port, encoding)
        if greets:
            await stranger.greet()
        self.strangers.append(stranger)
        return stranger

    @precondition(lambda self: self.strangers)
    @rule(data=SCRIPTS, valid=st.booleans(), in_pieces=st.booleans())
    def speak(self, data: bytes, *, valid: bool, in_pieces: bool) -> None:
        """A stranger says some messages at once, whole or in pieces with pings between."""
        script = Script(data)
        stranger = script.one_of(self.strangers)
        known = self._known(stranger)
        payloads = []
        for _ in range(1 + script.below(4)):
            if valid:
                kind = script.one_of(
                    [one for one, name in zip(messages.types(), messages.NAMES, strict=True) if name not in SLOW]
                )
                payloads.append(pack(messages.valid(kind, script, known), stranger.encoding))
            else:
                payloads.append(strange.frame(script, stranger.encoding, known)[:60_000])
        self.runner.run(stranger.say(*payloads, script=script if in_pieces else None))
        self._forget_lost()

    @precondition(lambda self: self.strangers)
    @rule(data=SCRIPTS)
    def try_an_action(self, data: bytes) -> None:
        """A stranger acts at a table of his own, nearly as it is offered, or opens one."""
        script = Script(data)
        stranger = script.one_of(self.strangers)
        seated = [(table, view["own"]) for table, view in stranger.views.items() if view["own"]]
        stranger.last_id += 1
        message: dict[str, Any] = {"id": stranger.last_id}
        if seated:
            table, own = script.one_of(seated)
            action = strange.whole(strange.bent(script.one_of((*own["actions"], *strange.WORDS)), script))
            message |= {"type": "act", "table": table, "prompt": own["prompt"], "action": action[:96] or "x"}
        else:
            game, options = script.one_of(OPTIONS)
            message |= {"type": "create", "game": game, "options": dict(options)}
        self.runner.run(stranger.say(pack(message, stranger.encoding)))
        self._forget_lost()

    @precondition(lambda self: self.strangers)
    @rule(data=SCRIPTS)
    def ruin(self, data: bytes) -> None:
        """A stranger sends frames that are none, and is closed for a reason that is known."""
        script = Script(data)
        stranger = self.strangers.pop(script.below(len(self.strangers)))
        self.runner.run(stranger.ruin(raw.frames(script, stranger.encoding)))

    @rule(data=SCRIPTS)
    def knock(self, data: bytes) -> None:
        """Somebody sends half a handshake, or a wrong one."""
        request, head_only = raw.request(Script(data), upgrades=True)
        heard, reset = self.runner.run(said(self.port, request))
        if not reset:
            raw.heard(heard, head_only=head_only)

    @precondition(lambda self: self.strangers)
    @rule(number=st.integers(0, MOST_STRANGERS), reset=st.booleans())
    def leave(self, number: int, *, reset: bool) -> None:
        """A stranger is gone."""
        self.strangers.pop(number % len(self.strangers)).leave(reset=reset)
        self.runner.run(asyncio.sleep(0))

    def _known(self, stranger: Stranger) -> Known:
        own = [view["own"] for view in stranger.views.values() if view["own"]]
        theirs = self.players[0].views[self.table]
        return {
            "table": [*stranger.views, self.table],
            "prompt": [*(one["prompt"] for one in own), theirs["own"]["prompt"]],
            "action": [*(action for one in own for action in one["actions"]), *theirs["own"]["actions"]],
            "player": [player.player for player in self.players],
            "record": [f"{self.table}-1-1"],
            "seat": [0, 1, 2, 3],
            "protocol": [1],
            "game": [game for game, _ in OPTIONS],
            "options": [options for _, options in OPTIONS],
        }

    def _forget_lost(self) -> None:
        self.strangers = [one for one in self.strangers if not one.over]

    def teardown(self) -> None:
        """All go; somebody new is served."""
        self.runner.run(self._end())
        self.runner.close()

    async def _end(self) -> None:
        for stranger in self.strangers:
            stranger.leave()
        for player in self.players:
            await player.close()
        async with Wire(f"ws://127.0.0.1:{self.port}/ws", "New") as fresh:
            await fresh.ask("list")


def play(victim: ServerProcess, examples: int, steps: int) -> None:
    """Runs so many parties."""
    Party.port = victim.port
    checks = [HealthCheck.too_slow, HealthCheck.filter_too_much]
    run_state_machine_as_test(
        Party,
        settings=settings(
            max_examples=examples, stateful_step_count=steps, deadline=None, suppress_health_check=checks
        ),
    )


def test_a_match_goes_on_while_strangers_say_anything(victim: ServerProcess) -> None:
    play(victim, 20, 30)


@pytest.mark.long
@pytest.mark.timeout(1200)
def test_a_match_goes_on_while_strangers_say_anything_for_long(victim: ServerProcess) -> None:
    play(victim, 80, 60)
