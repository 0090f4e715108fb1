"""Records asked for over the wire: the answers to `records`, `record` and `share`."""

from typing import Any

from protocol.client import AboutRecords, AskRecord, AskRecords, ShareRecord
from server.games.game import RuleViolation
from server.runtime.house import Guest, House
from server.table.ids import RecordId


async def read(house: House, guest: Guest, message: AboutRecords) -> dict[str, Any]:
    """The answer to a message about records.

    Raises:
        RuleViolation: `no_such_record`, or `not_your_record`
        StoreAway
    """
    match message:
        case AskRecords():
            found = await house.records_of(guest.player.id)
            return {"type": "records", "id": message.id, "records": [_listed(record.plain) for record in found]}
        case AskRecord(code=str(code)):
            record = await house.shared_record(code)
        case AskRecord(record=str(name)):
            record = await house.record(guest.player.id, RecordId(name))
        case AskRecord():
            raise RuleViolation("no_such_record")
        case ShareRecord():
            code = await house.share(guest, RecordId(message.record))
            return {"type": "shared", "id": message.id, "record": message.record, "code": code}
    return {"type": "record", "id": message.id, "record": record.plain}


def _listed(plain: dict[str, Any]) -> dict[str, Any]:
    """A line of the list of records."""
    return {name: plain[name] for name in ("record", "game", "table", "match", "deal", "at", "seats")}
