"""Players, codes, lobby and memberships in a Redis or Valkey."""

# ruff: noqa: D102 (the port says what each method promises)

from collections.abc import Sequence

from server.store.keys import LOBBY, code_key, membership_key, player_key, results_keys
from server.store.link import Link
from server.store.port import Directory, Millis, Player, PlayerId, TableId
from server.store.settings import MOST_LISTED, MOST_MEMBERSHIPS, StoreSettings


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
        await self._link.ask_all(("ZADD", LOBBY, opened, table), ("ZREMRANGEBYRANK", LOBBY, 0, -MOST_LISTED - 1))

    async def unlist_table(self, table: TableId) -> None:
        await self._link.ask("ZREM", LOBBY, table)

    async def listed_tables(self, most: int) -> Sequence[TableId]:
        if most < 1:
            return ()
        return _tables(await self._link.ask("ZRANGE", LOBBY, 0, most - 1, "REV"))

    async def add_membership(self, player: PlayerId, table: TableId) -> None:
        key = membership_key(player)
        await self._link.ask_all(
            ("LREM", key, 0, table),
            ("LPUSH", key, table),
            ("LTRIM", key, 0, MOST_MEMBERSHIPS - 1),
            ("PEXPIRE", key, self._settings.player),
        )

    async def drop_membership(self, player: PlayerId, table: TableId) -> None:
        await self._link.ask("LREM", membership_key(player), 0, table)

    async def memberships(self, player: PlayerId) -> Sequence[TableId]:
        key = membership_key(player)
        tables, _ = await self._link.ask_all(("LRANGE", key, 0, -1), ("PEXPIRE", key, self._settings.player))
        return _tables(tables)


def _tables(names: Sequence[bytes]) -> tuple[TableId, ...]:
    return tuple(TableId(name.decode()) for name in names)
