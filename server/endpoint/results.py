"""Statistics and rankings asked for over the wire, and the deal of the day."""

from dataclasses import asdict
from typing import Any

from protocol.client import AboutResults, AskRanking, AskResults
from server.runtime.daily import ranking, results_of
from server.runtime.house import Guest, House
from server.runtime.results import Standing


async def look_up(house: House, guest: Guest, message: AboutResults) -> dict[str, Any]:
    """The answer to a message about results.

    Raises:
        RuleViolation: `unknown_game`, or `no_such_day`
        StoreAway
    """
    match message:
        case AskResults():
            groups = await results_of(house, guest, message.game)
            return {"type": "results", "id": message.id, "groups": [asdict(group) for group in groups]}
        case AskRanking():
            found = await ranking(house, guest.player.id, message.game, message.day)
            return {
                "type": "ranking",
                "id": message.id,
                "day": found.day,
                "game": found.game,
                "number": found.number,
                "secret": None if found.secret is None else found.secret.hex(),
                "lines": [_line(place, standing) for place, standing in found.lines],
            }


def _line(place: int, standing: Standing) -> dict[str, Any]:
    return {"place": place, **asdict(standing)}
