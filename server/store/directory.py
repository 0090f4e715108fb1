"""Players, codes, lobby and memberships in a Redis or Valkey."""

# ruff: noqa: D102 (the port says what each method promises)

from collections.abc import Sequence

from server.store.keys import LOBBY, TOURNAMENTS, code_key, entries_key, membership_key, player_key, results_keys
from server.store.link import Link
from server.store.port import Directory, Millis, Player, PlayerId, TableId
from server.store.settings import MOST_ENTRIES, MOST_LISTED, MOST_MEMBERSHIPS, MOST_TOURNAMENTS, StoreSettings


class RedisDirectory(Directory):
    """The port's directory over a link."""

    def __init__(self, link: Link, settings: StoreSettings) -> None:
        self._link = link
        self._settings = settings

    async def add_player(self, token_hash: str, player: Player) -> None:
        key = player_key(token_hash)
        await self._link.ask_all(
            ("HSET", key, "id", player.id, "name", player.name, "program", int(player.program)),
            ("PEXPIRE", key, self._settings.player),
        )

    async def find_player(self, token_hash: str) -> Player | None:
        key = player_key(token_hash)
        (player, name, program), _ = await self._link.ask_all(
            ("HMGET", key, "id", "name", "program"), ("PEXPIRE", key, self._settings.player)
        )
        if player is None or name is None:
            return None
        for results in results_keys(PlayerId(player.decode())):
            await self._link.ask("PEXPIRE", results, self._settings.player)
        return Player(PlayerId(player.decode()), name.decode(), program == b"1")

    async def add_code(self, code: str, table: TableId) -> None:
        await self._link.ask("SET", code_key(code), table, "PX", self._settings.player)

    async def find_code(self, code: str) -> TableId | None:
        table = await self._link.ask("GETEX", code_key(code), "PX", self._settings.player)
        return None if table is None else TableId(table.decode())

    async def list_table(self, table: TableId, opened: Millis) -> None:
        await self._list(LOBBY, table, opened, MOST_LISTED)

    async def unlist_table(self, table: TableId) -> None:
        await self._link.ask("ZREM", LOBBY, table)

    async def listed_tables(self, most: int) -> Sequence[TableId]:
        return await self._newest(LOBBY, most)

    async def list_tournament(self, tournament: TableId, opened: Millis) -> None:
        await self._list(TOURNAMENTS, tournament, opened, MOST_TOURNAMENTS)

    async def unlist_tournament(self, tournament: TableId) -> None:
        await self._link.ask("ZREM", TOURNAMENTS, tournament)

    async def listed_tournaments(self, most: int) -> Sequence[TableId]:
        return await self._newest(TOURNAMENTS, most)

    async def add_membership(self, player: PlayerId, table: TableId) -> None:
        await self._note(membership_key(player), table, MOST_MEMBERSHIPS)

    async def drop_membership(self, player: PlayerId, table: TableId) -> None:
        await self._link.ask("LREM", membership_key(player), 0, table)

    async def memberships(self, player: PlayerId) -> Sequence[TableId]:
        return await self._noted(membership_key(player))

    async def add_entry(self, player: PlayerId, tournament: TableId) -> None:
        await self._note(entries_key(player), tournament, MOST_ENTRIES)

    async def entries(self, player: PlayerId) -> Sequence[TableId]:
        return await self._noted(entries_key(player))

    async def _list(self, key: str, what: TableId, opened: Millis, most: int) -> None:
        await self._link.ask_all(("ZADD", key, opened, what), ("ZREMRANGEBYRANK", key, 0, -most - 1))

    async def _newest(self, key: str, most: int) -> Sequence[TableId]:
        return _tables(await self._link.ask("ZRANGE", key, 0, most - 1, "REV")) if most >= 1 else ()

    async def _note(self, key: str, what: TableId, most: int) -> None:
        await self._link.ask_all(
            ("LREM", key, 0, what),
            ("LPUSH", key, what),
            ("LTRIM", key, 0, most - 1),
            ("PEXPIRE", key, self._settings.player),
        )

    async def _noted(self, key: str) -> Sequence[TableId]:
        noted, _ = await self._link.ask_all(("LRANGE", key, 0, -1), ("PEXPIRE", key, self._settings.player))
        return _tables(noted)


def _tables(names: Sequence[bytes]) -> tuple[TableId, ...]:
    return tuple(TableId(name.decode()) for name in names)
