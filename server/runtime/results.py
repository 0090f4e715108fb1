"""What players have made of their patiences: one result for each finished deal, and what they add up to.

Source: "Numbered deals" and "deal of the day" of docs/rules. A result is kept under the name of its record, so that
keeping it again changes nothing. One deal gives one result: a known deal may be played again until it is won.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

import msgpack

from server.games.patience.options import PATIENCES, switches_of
from server.store.port import Millis, PlayerId, Store
from server.table.records import DealRecord

FORMAT = 1
_NOT_WON = 2**52
"""Added to the score of a deal that was not won: it comes after all that were."""


@dataclass(frozen=True, slots=True)
class Result:
    """A finished deal of a player. `variants` are those that differ from the usual rules."""

    game: str
    variants: tuple[str, ...]
    number: str
    counts: bool
    won: bool
    moves: int
    undos: int
    millis: int
    at: Millis


@dataclass(frozen=True, slots=True)
class Group:
    """What a player's deals of one game with the same variants add up to; known and helped deals stand apart.

    `streak` is the current run of wins, `best_millis` the time of the fastest win.
    """

    game: str
    variants: tuple[str, ...]
    played: int = 0
    won: int = 0
    streak: int = 0
    best_streak: int = 0
    best_millis: int | None = None
    undos: int = 0
    known_played: int = 0
    known_won: int = 0


@dataclass(frozen=True, slots=True)
class Standing:
    """A line of the ranking of a day."""

    name: str
    player: PlayerId
    won: bool
    moves: int
    millis: int


async def keep(store: Store, record: DealRecord) -> None:
    """Keeps the result of a deal for who sat there, and ranks him if it was his first attempt at a deal of the day.

    Raises:
        StoreAway: part of it may be kept; keep it again.
    """
    result = result_of(record)
    if result is None:
        return
    player, plain = record.readers[0], record.plain
    await store.save_result(player, record.id, encode(result), result.at)
    day = plain["day"]
    if not day or not result.counts or plain["bots"][0]:
        return
    if await store.find_attempt(day, result.game, player) == record.id:
        standing = Standing(plain["seats"][0], player, result.won, result.moves, result.millis)
        score = result.millis if result.won else _NOT_WON + result.millis
        await store.rank(day, result.game, player, score, encode_standing(standing))


def result_of(record: DealRecord) -> Result | None:
    """The result in the record of a patience; None for other games, or if nobody sat there."""
    plain = record.plain
    if plain["game"] not in PATIENCES or not record.readers:
        return None
    line, options = plain["line"], plain["options"]
    variants = tuple(name for name, usual in switches_of(plain["game"]).items() if options[name] != usual)
    numbers = (line["moves"], line["undos"], line["millis"])
    return Result(plain["game"], variants, plain["number"], line["counts"], line["won"], *numbers, plain["at"])


def groups(results: Iterable[Result]) -> list[Group]:
    """What results, the oldest first, add up to: per game and variants, in the order of their names."""
    found: dict[tuple[str, tuple[str, ...]], Group] = {}
    known: dict[tuple[str, tuple[str, ...], str], bool] = {}
    results = list(results)
    counted = {(one.game, one.variants, one.number) for one in results if one.counts}
    for result in results:
        which = (result.game, result.variants)
        group = found.setdefault(which, Group(*which))
        if result.counts:
            found[which] = _with(group, result)
        elif (deal := (*which, result.number)) not in counted:  # one result per deal
            known[deal] = known.get(deal, False) or result.won
    for (game, variants, _), won in known.items():
        group = found[game, variants]
        found[game, variants] = replace(
            group, known_played=group.known_played + 1, known_won=group.known_won + int(won)
        )
    return [found[which] for which in sorted(found)]


def _with(group: Group, result: Result) -> Group:
    streak = group.streak + 1 if result.won else 0
    best = group.best_millis
    if result.won:
        best = result.millis if best is None else min(best, result.millis)
    return replace(
        group,
        played=group.played + 1,
        won=group.won + int(result.won),
        streak=streak,
        best_streak=max(group.best_streak, streak),
        best_millis=best,
        undos=group.undos + result.undos,
    )


def encode(result: Result) -> bytes:
    """The body of a result."""
    fields = (result.moves, result.undos, result.millis, result.at)
    plain = (FORMAT, result.game, result.variants, result.number, result.counts, result.won, *fields)
    packed: bytes = msgpack.packb(plain)
    return packed


def decode(body: bytes) -> Result | None:
    """The result in its body; None if a newer server has written it."""
    written, game, variants, *fields = msgpack.unpackb(body)
    return Result(game, tuple(variants), *fields) if written == FORMAT else None


def encode_standing(standing: Standing) -> bytes:
    """The body of a line of a ranking."""
    plain = (FORMAT, standing.name, standing.player, standing.won, standing.moves, standing.millis)
    packed: bytes = msgpack.packb(plain)
    return packed


def decode_standing(body: bytes) -> Standing | None:
    """The line of a ranking in its body; None if a newer server has written it."""
    written, *fields = msgpack.unpackb(body)
    return Standing(*fields) if written == FORMAT else None
