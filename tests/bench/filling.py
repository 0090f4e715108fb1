"""A store full of open matches: some are really played, the others are copies with players of their own."""

import asyncio
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from redis.asyncio import Redis

from server.runtime.codes import CODE_ALPHABET, token_hash
from server.store.embedded import EmbeddedValkey
from server.store.keys import log_key, snapshot_key
from server.store.port import Player
from server.store.redis_store import RedisStore
from server.table.ids import PlayerId, TableId
from tests.bench.cores import Cores
from tests.bench.line import Line
from tests.bench.players import KopPlayer, Table, play
from tests.bench.servers import product

ENTRIES = (15, 45, 80, 115, 150, 185, 220, 260)
"""How many moves the matches are played that the others are copied from: all stages, with and without a snapshot."""
_AT_ONCE = 500

# KEYS: log and snapshot of the match, log and snapshot of its copy. ARGV: pairs of an id and what replaces it.
_COPY = """
local function changed(body)
  for i = 1, #ARGV, 2 do body = string.gsub(body, ARGV[i], ARGV[i + 1]) end
  return body
end
for _, entry in ipairs(redis.call('XRANGE', KEYS[1], '-', '+')) do
  redis.call('XADD', KEYS[3], entry[1], entry[2][1], changed(entry[2][2]))
end
if redis.call('EXISTS', KEYS[3]) == 0 then -- all entries are in the snapshot
  redis.call('XADD', KEYS[3], redis.call('HGET', KEYS[2], 'v') .. '-0', 'b', '')
  redis.call('XTRIM', KEYS[3], 'MAXLEN', 0)
end
redis.call('PEXPIRE', KEYS[3], redis.call('PTTL', KEYS[1]))
if redis.call('EXISTS', KEYS[2]) == 1 then
  local fields = redis.call('HGETALL', KEYS[2])
  for i = 1, #fields, 2 do redis.call('HSET', KEYS[4], fields[i], changed(fields[i + 1])) end
  redis.call('PEXPIRE', KEYS[4], redis.call('PTTL', KEYS[2]))
end
return redis.call('XLEN', KEYS[3])
"""


@dataclass(frozen=True, slots=True)
class Played:
    """A match that was really played: its table, its join code, and its players."""

    table: str
    code: str
    players: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Copy:
    """A match, what its copy is called, and the token of the copy's first player."""

    original: Played
    copy: Played
    token: str

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of the script."""
        old, new = TableId(self.original.table), TableId(self.copy.table)
        return log_key(old), snapshot_key(old), log_key(new), snapshot_key(new)

    @property
    def names(self) -> tuple[str, ...]:
        """The arguments of the script."""
        old, new = self.original, self.copy
        pairs = zip((old.table, old.code, *old.players), (new.table, new.code, *new.players), strict=True)
        return tuple(name for pair in pairs for name in pair)


@dataclass(frozen=True, slots=True)
class Filled:
    """What is in the store now: the tokens of one player of each match, the entries, the bytes of memory."""

    tokens: tuple[str, ...]
    entries: int
    bytes: int


def fill(folder: Path, matches: int) -> Filled:
    """Fills the embedded store of a server of this folder; the server must not run."""
    with product(folder, None, Cores(frozenset(), frozenset())) as server:
        played = [_played(server.url, number, moves) for number, moves in enumerate(ENTRIES)]
    return asyncio.run(_filled(folder / "data", played, matches))


def _played(url: str, number: int, moves: int) -> Played:
    table = Table()
    players = [KopPlayer(Line(url), table) for _ in range(4)]
    ids = [player.line.greet(name=f"Match {number}.{seat}")["player"] for seat, player in enumerate(players)]
    created = players[0].command("create", options={"deals": None})
    for player in players[1:]:
        player.command("join", code=created["code"])
    play(players, moves)
    for player in players:
        player.line.close()
    return Played(created["table"], created["code"], tuple(ids))


async def _filled(data: Path, played: Sequence[Played], matches: int) -> Filled:
    chance, tokens, entries = random.Random(1), [], 0
    async with EmbeddedValkey(data) as valkey:
        store, scripts = await RedisStore.open(valkey.url), Redis.from_url(valkey.url)
        try:
            for start in range(0, matches, _AT_ONCE):
                numbers = range(start, min(matches, start + _AT_ONCE))
                batch = [_copy(chance, played[number % len(played)]) for number in numbers]
                tokens += [made.token for made in batch]
                await asyncio.gather(*(_index(store, made) for made in batch))
                pipeline = scripts.pipeline(transaction=False)
                for made in batch:
                    pipeline.eval(_COPY, 4, *made.keys, *made.names)
                entries += sum(await pipeline.execute())
            size = (await scripts.info("memory"))["used_memory"]
            return Filled(tuple(tokens), entries, size)
        finally:
            await store.close()
            await scripts.aclose()


def _copy(chance: random.Random, original: Played) -> _Copy:
    def sign(length: int) -> str:
        return "".join(chance.choices(CODE_ALPHABET, k=length))

    players = tuple(sign(len(player)) for player in original.players)
    copy = Played(sign(len(original.table)).lower(), sign(len(original.code)), players)
    return _Copy(original, copy, chance.randbytes(32).hex())


async def _index(store: RedisStore, made: _Copy) -> None:
    """Everything that leads to the copy, through the store's own port."""
    table = TableId(made.copy.table)
    await store.add_code(made.copy.code, table)
    for seat, player in enumerate(made.copy.players):
        hashed = token_hash(made.token if seat == 0 else f"{made.token}{seat}")
        await store.add_player(hashed, Player(PlayerId(player), f"Player {seat}"))
        await store.add_membership(PlayerId(player), table)
