"""Results of players, the deals of the day and their rankings, in memory."""

# ruff: noqa: D102 (the port says what each method promises)

from abc import abstractmethod
from collections.abc import Callable, Sequence

from server.store.expiring import Expiring
from server.store.port import Millis, PlayerId, Ranked, RecordId, Results
from server.store.settings import MOST_RANKED, MOST_RESULTS, StoreSettings

_Ordered = dict[str, tuple[int, bytes]]


class MemoryResults(Results):
    """The port's results in memory."""

    def __init__(self, clock: Callable[[], Millis], settings: StoreSettings) -> None:
        self._as_player = settings.player
        self._as_day = settings.day
        self._results: Expiring[_Ordered] = Expiring(clock)
        self._days: Expiring[bytes] = Expiring(clock)
        self._attempts: Expiring[RecordId] = Expiring(clock)
        self._rankings: Expiring[_Ordered] = Expiring(clock)

    @abstractmethod
    def _answering(self) -> None:
        """Raises StoreAway while the store is away."""

    def _renew_results(self, player: PlayerId) -> None:
        self._results.find(player, self._as_player)

    async def save_result(self, player: PlayerId, record: RecordId, body: bytes, at: Millis) -> None:
        self._answering()
        results = self._results.look(player) or {}
        results.setdefault(record, (at, body))
        newest = _in_order(results)[-MOST_RESULTS:]
        self._results.put(player, {name: results[name] for name in newest}, self._as_player)

    async def results_of(self, player: PlayerId) -> Sequence[bytes]:
        self._answering()
        results = self._results.find(player, self._as_player) or {}
        return [results[name][1] for name in _in_order(results)]

    async def make_day(self, day: str, secret: bytes) -> bytes:
        self._answering()
        kept = self._days.look(day)
        if kept is None:
            self._days.put(day, secret, self._as_day)
        return kept or secret

    async def find_day(self, day: str) -> bytes | None:
        self._answering()
        return self._days.look(day)

    async def note_attempt(self, day: str, game: str, player: PlayerId, record: RecordId) -> RecordId:
        noted = await self.find_attempt(day, game, player)
        if noted is None:
            self._attempts.put(f"{day}:{game}:{player}", record, self._as_day)
        return noted or record

    async def find_attempt(self, day: str, game: str, player: PlayerId) -> RecordId | None:
        self._answering()
        return self._attempts.look(f"{day}:{game}:{player}")

    async def rank(self, day: str, game: str, player: PlayerId, score: int, body: bytes) -> None:
        self._answering()
        lines = self._rankings.look(f"{day}:{game}") or {}
        lines.setdefault(player, (score, body))
        best = _in_order(lines)[:MOST_RANKED]
        self._rankings.put(f"{day}:{game}", {name: lines[name] for name in best}, self._as_day)

    async def ranking(self, day: str, game: str, most: int) -> Sequence[bytes]:
        self._answering()
        lines = self._rankings.look(f"{day}:{game}") or {}
        return [lines[name][1] for name in _in_order(lines)[: max(most, 0)]]

    async def ranked(self, day: str, game: str, player: PlayerId) -> Ranked | None:
        self._answering()
        lines = self._rankings.look(f"{day}:{game}") or {}
        return Ranked(_in_order(lines).index(player) + 1, lines[player][1]) if player in lines else None


def _in_order(lines: _Ordered) -> list[str]:
    return sorted(lines, key=lambda name: (lines[name][0], name))
