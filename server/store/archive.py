"""Records in a Redis or Valkey."""

# ruff: noqa: D102 (the port says what each method promises)

from collections.abc import Sequence

from server.store.keys import NOTE_ONCE, record_key, records_key, shared_key
from server.store.link import Link
from server.store.port import Archive, Millis, PlayerId, RecordId
from server.store.settings import MOST_RECORDS, StoreSettings


class RedisArchive(Archive):
    """The port's archive over a link."""

    def __init__(self, link: Link, settings: StoreSettings) -> None:
        self._records = link
        self._kept_for = settings.record

    async def save_record(self, record: RecordId, body: bytes, readers: Sequence[PlayerId], at: Millis) -> None:
        most, kept_for = MOST_RECORDS, self._kept_for
        await self._records.ask_in_order(
            *(("EVAL", NOTE_ONCE, 1, records_key(player), record, at, most, kept_for) for player in readers),
            ("SET", record_key(record), body, "NX", "PX", kept_for),
        )

    async def load_record(self, record: RecordId) -> bytes | None:
        body: bytes | None = await self._records.ask("GET", record_key(record))
        return body

    async def records_of(self, player: PlayerId, most: int) -> Sequence[RecordId]:
        if most < 1:
            return ()
        names = await self._records.ask("ZRANGE", records_key(player), 0, most - 1, "REV")
        return tuple(RecordId(name.decode()) for name in names)

    async def share_record(self, code: str, record: RecordId) -> None:
        await self._records.ask("SET", shared_key(code), record, "PX", self._kept_for)

    async def find_shared(self, code: str) -> RecordId | None:
        record = await self._records.ask("GET", shared_key(code))
        return None if record is None else RecordId(record.decode())
