"""Tables of a tournament: opened by the server, with `a`, `b`, `c` and a bot of the server, or others."""

from dataclasses import replace

from server.games.game import Millis, OptionValue
from server.table import codec
from server.table.affiliation import Affiliation
from server.table.commands import OpenForTournament
from server.table.events import Sitter
from server.table.ids import PlayerId, TableId
from server.table.records import DealRecord, records
from server.table.state import Table
from server.table.strength import Strength
from tests.table.scenes import TABLE, Log, sitter

SEED = bytes(range(100, 132))
NIGHT = Affiliation("tournament0123456789ab", "Friday", 2, 5, 3, deadline=Millis(1_700_000_900_000))
DUPLICATE = Affiliation("tournament0123456789ab", "Friday", 2, 5, 3, SEED)
BOT = Sitter(PlayerId("bot9x3"), "Darek", Strength.EASY)


def people(letters: str) -> tuple[Sitter, ...]:
    """Who sits there: a player for each letter, the bot for a point."""
    return tuple(BOT if letter == "." else sitter(letter) for letter in letters)


def opening(letters: str = "abc.", where: Affiliation = NIGHT, /, **options: OptionValue) -> OpenForTournament:
    """The command that opens such a table."""
    agreed = {"deals": 4, "rules": "wolsztyn", "on_absence": "bot", **options}
    return OpenForTournament(TABLE, "kop", agreed, where, people(letters))


def opened(letters: str = "abc.", where: Affiliation = NIGHT, /, **options: OptionValue) -> Log:
    """A table that has just been opened so: its first deal is on offer."""
    log = Log()
    log.do(opening(letters, where, **options))
    return log


def second() -> Log:
    """Another table of the same round."""
    log = Log()
    log.do(replace(opening("efgh", replace(DUPLICATE, number=4)), table=TableId("u")))
    return log


def all_records(log: Log) -> list[DealRecord]:
    """The records of its deals."""
    found: list[DealRecord] = []
    table: Table | None = None
    for line in log.lines:
        before, table = table, codec.settled(table, codec.evolved(table, line.events), line)
        found += records(table, before, line.events, line.at)
    return found
