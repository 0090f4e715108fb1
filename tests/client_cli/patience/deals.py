"""A patience for tests: the pure rules, and the views that a server would send of them."""

from collections.abc import Sequence
from typing import Any

from client_cli.view import View
from server.games.game import Millis, Moment
from server.games.patience.game import PatienceGame
from tests.client_cli import samples


class Deals:
    """One player's match; `act` does an action, `view` shows how it stands, with what the last act brought about."""

    def __init__(self, game: str, **options: Any) -> None:
        self.game = PatienceGame(game)
        self.state = self.game.new_match(options)
        self.version = 1
        self._happened: list[dict[str, Any]] = []
        self._apply(self.game.begin(self.state, "t1-1", self._moment))

    def dealt(self, number: int | None = None) -> "Deals":
        """A first deal, of a number."""
        self.act("ready" if number is None else f"ready number {number}")
        return self

    def act(self, action: str) -> None:
        """Does an action, ready included.

        Raises:
            RuleViolation
        """
        if action == "ready" or action.startswith("ready "):
            word = action.removeprefix("ready").strip()
            self.game.check_ready(self.state, 0, word)  # type: ignore[arg-type]
            self._apply(self.game.deal(self.state, (word,), self._moment))
        else:
            self._apply(self.game.decide(self.state, 0, action, self._moment))  # type: ignore[arg-type]

    @property
    def actions(self) -> list[str]:
        """What may be done now."""
        if self.game.stage(self.state) == "deal":
            return list(self.game.legal(self.state, 0))  # type: ignore[arg-type]
        return ["ready", *(f"ready {word}" for word in self.game.ready_words(self.state, 0))]  # type: ignore[arg-type]

    @property
    def message(self) -> dict[str, Any]:
        """The `table` message of the newest version."""
        own = {"seat": 0, "code": None, "prompt": self.game.prompt(self.state), "actions": self.actions, "play": None}
        whole = samples.message(
            game=self.game.name, stage=str(self.game.stage(self.state)), seats=samples.sitters(("Ola",)), ready=[False],
            play=self.game.public(self.state), own=own, happened=self._happened, here=[True],
        )  # fmt: skip
        return whole | {"from": self.version - 1, "version": self.version}

    @property
    def view(self) -> View:
        """The same as a `View`."""
        return View(self.message)

    @property
    def _moment(self) -> Moment:
        return Moment(Millis(samples.NOW + 1000 * self.version), bytes(range(32)))

    def _apply(self, events: Sequence[Any]) -> None:
        self.version += 1
        self._happened = []
        for event in events:
            self.state = self.game.evolve(self.state, event)
            self._happened.append(self.game.happening(event))
