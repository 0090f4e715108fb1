"""Results of players, the deals of the day and their rankings in a Redis or Valkey."""

# ruff: noqa: D102 (the port says what each method promises)

from collections.abc import Sequence

from server.store.keys import ADD_ONCE, IN_ORDER, attempt_key, day_key, ranking_keys, results_keys
from server.store.link import Link
from server.store.port import Millis, PlayerId, Ranked, RecordId, Results
from server.store.settings import MOST_RANKED, MOST_RESULTS, StoreSettings


class RedisResults(Results):
    """The port's results over a link."""

    def __init__(self, link: Link, settings: StoreSettings) -> None:
        self._results = link
        self._as_player = settings.player
        self._as_day = settings.day

    async def save_result(self, player: PlayerId, record: RecordId, body: bytes, at: Millis) -> None:
        keys = results_keys(player)
        await self._results.ask(
            "EVAL", ADD_ONCE, len(keys), *keys, record, at, body, MOST_RESULTS, self._as_player, "ZPOPMIN"
        )

    async def results_of(self, player: PlayerId) -> Sequence[bytes]:
        return await self._in_order(results_keys(player), -1, self._as_player)

    async def make_day(self, day: str, secret: bytes) -> bytes:
        key = day_key(day)
        _, kept = await self._results.ask_all(("SET", key, secret, "NX", "PX", self._as_day), ("GET", key))
        return bytes(kept)

    async def find_day(self, day: str) -> bytes | None:
        secret: bytes | None = await self._results.ask("GET", day_key(day))
        return secret

    async def note_attempt(self, day: str, game: str, player: PlayerId, record: RecordId) -> RecordId:
        key = attempt_key(day, game, player)
        _, noted = await self._results.ask_all(("SET", key, record, "NX", "PX", self._as_day), ("GET", key))
        return RecordId(noted.decode())

    async def find_attempt(self, day: str, game: str, player: PlayerId) -> RecordId | None:
        noted = await self._results.ask("GET", attempt_key(day, game, player))
        return None if noted is None else RecordId(noted.decode())

    async def rank(self, day: str, game: str, player: PlayerId, score: int, body: bytes) -> None:
        keys = ranking_keys(day, game)
        await self._results.ask(
            "EVAL", ADD_ONCE, len(keys), *keys, player, score, body, MOST_RANKED, self._as_day, "ZPOPMAX"
        )

    async def ranking(self, day: str, game: str, most: int) -> Sequence[bytes]:
        return await self._in_order(ranking_keys(day, game), most - 1, 0) if most > 0 else ()

    async def ranked(self, day: str, game: str, player: PlayerId) -> Ranked | None:
        order, bodies = ranking_keys(day, game)
        place = await self._results.ask("ZRANK", order, player)
        body = await self._results.ask("HGET", bodies, player)
        return None if place is None or body is None else Ranked(place + 1, body)

    async def _in_order(self, keys: tuple[str, str], last: int, lifetime: int) -> Sequence[bytes]:
        found: list[bytes] = await self._results.ask("EVAL", IN_ORDER, len(keys), *keys, 0, last, lifetime)
        return tuple(found)
