"""Records asked for over the wire: the answers to `records`, `record`, `share` and `explain`."""

from typing import Any

from protocol.client import AboutRecords, AskRecord, AskRecords, Explain, ShareRecord
from server.games.game import RuleViolation
from server.runtime.house import Guest, House
from server.table.ids import RecordId
from server.table.records import DealRecord


async def read(house: House, guest: Guest, message: AboutRecords) -> dict[str, Any]:
    """The answer to a message about records.

    Raises:
        RuleViolation: `no_such_record`, `not_your_record`, or that no explanation was to be had
        StoreAway
    """
    match message:
        case AskRecords():
            found = await house.records_of(guest.player.id)
            return {"type": "records", "id": message.id, "records": [_listed(record.plain) for record in found]}
        case ShareRecord():
            code = await house.share(guest, RecordId(message.record))
            return {"type": "shared", "id": message.id, "record": message.record, "code": code}
        case AskRecord():
            return {"type": "record", "id": message.id, "record": (await _meant(house, guest, message)).plain}
        case Explain():
            record = await _meant(house, guest, message)
            explanation = await house.explanation(guest.player.id, record)
            return {"type": "explanation", "id": message.id, "record": record.id, "explanation": explanation}


async def _meant(house: House, guest: Guest, message: AskRecord | Explain) -> DealRecord:
    """The record that is meant, by a code that somebody shared or by its name."""
    if message.code is not None:
        return await house.shared_record(message.code)
    if message.record is None:
        raise RuleViolation("no_such_record")
    return await house.record(guest.player.id, RecordId(message.record))


def _listed(plain: dict[str, Any]) -> dict[str, Any]:
    """A line of the list of records."""
    return {name: plain[name] for name in ("record", "game", "table", "match", "deal", "at", "seats")}
