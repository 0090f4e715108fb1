"""A tournament with real players: each goes where he is led and plays quietly, a director gives orders."""

import asyncio
import random
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from protocol.codec import Encoding
from server.runtime.replaying import differences
from server.runtime.tournament_loading import load as replayed
from server.store.port import Store
from server.tournament.accounts import accounts
from server.tournament.export import plain_standings
from server.tournament.standings import LineKind, Standing, standings
from server.tournament.state import ResultKind, Round, Status, Tournament, TournamentId
from tests.trouble.cluster import Cluster
from tests.trouble.players import PAUSE, LostError, Steady
from tests.wire import Message, RefusedError, quiet_choice

BRISK = {"KOP_LIMIT_GRACE_SECONDS": "1", "KOP_LIMIT_BOT_SECONDS": "0.002", "KOP_LIMIT_TABLES_PER_SECOND": "1000"}
PATIENCE = 3.0
QUICKLY = {"break_seconds": 0, "clock_seconds": None, "clock_bank": 0}
_OVERTAKEN = frozenset(
    {"stale", "already_ready", "already_went_on", "already_asked", "await_calls", "no_question", "not_at_table"}
    | {"tournament_table", "paused", "no_match_running", "no_deal_running", "not_seated", "no_such_table"}
)


def news(player: Steady, tournament: str) -> Message | None:
    """The newest `tournament` message that a player has had."""
    return player.wire.tournaments.get(tournament)


def over(player: Steady, tournament: str) -> bool:
    """Whether the tournament is over, as far as he knows."""
    newest = news(player, tournament)
    return newest is not None and newest["public"]["stage"] == "over"


async def take_part(player: Steady, tournament: str, until: Callable[[Steady], bool] | None = None) -> None:
    """Plays at whatever table he is led to, until the tournament is over, or it is so."""
    done: Message | None = None
    while not over(player, tournament) and not (until is not None and until(player)):
        if player.forgetful:
            player.wire.heard.clear()
            player.wire.raw.clear()
        own = (news(player, tournament) or {}).get("own")
        view = player.wire.views.get(own["table"]) if own is not None and own["table"] is not None else None
        choice = None if view is None or view["own"] is None else quiet_choice(view["own"]["actions"])
        if view is None or choice is None or done is view:
            await _news(player, tournament)
            continue
        done = view
        try:
            await player.do("act", table=view["table"], prompt=view["own"]["prompt"], action=choice)
        except RefusedError as refused:
            if refused.code not in _OVERTAKEN:
                raise
            await asyncio.sleep(PAUSE)


async def _news(player: Steady, tournament: str) -> None:
    """Waits for the next message; after a long silence he asks how it stands, elsewhere if need be."""
    since = len(player.wire.heard)
    try:
        await player._while_connected(player.wire.wait(lambda message: True, since))
    except LostError:
        if player.connected:
            await player.do("tournament_follow", tournament=tournament)
        else:
            await player.come()


async def order(director: Steady, tournament: str, order: str, **fields: Any) -> Message:
    """The director decides, having seen what was decided before."""
    while True:
        newest = news(director, tournament)
        after = 0 if newest is None else newest["public"]["decisions"]
        try:
            return await director.do(
                "tournament_direct", tournament=tournament, after=after, order={"order": order, **fields}
            )
        except RefusedError as refused:
            if refused.code != "decided_meanwhile":
                raise
            await director.do("tournament_follow", tournament=tournament)
            await asyncio.sleep(PAUSE)


async def page(player: Steady, tournament: str, about: str, round_: int | None = None) -> Message:
    """A page of the tournament."""
    found: Message = (await player.do("tournament_page", tournament=tournament, about=about, round=round_))["page"]
    return found


async def seen(player: Steady, tournament: str, wanted: Callable[[Message], bool]) -> Message:
    """The newest `tournament` message of a player who only looks on, once it is as wanted."""
    while True:
        newest = news(player, tournament)
        if newest is not None and wanted(newest):
            return newest
        await _news(player, tournament)


async def check_standings(store: Store, tournament: str, told: Message) -> None:
    """The standings that were told are what the logs make, and each complete table's points add up."""
    made = await replayed(TournamentId(tournament), store)
    assert made is not None
    assert await differences(made, store) == []
    rows = standings(accounts(made))
    assert plain_standings(rows) == told["rows"]
    for one in made.rounds:
        for table in one.tables:
            result = table.result
            if result is None or result.kind is ResultKind.FORFEIT or None in table.seats:
                continue
            lines = [
                line
                for row in rows
                for line in row.lines
                if (line.round, line.table, line.kind) == (one.number, table.number, LineKind.PLAYED)
            ]
            assert sum((line.big for line in lines), Fraction(0)) == sum(made.terms.scale)
            assert sum(line.small for line in lines) == 0
    check_seats(made)
    check_lines(made, rows)


def check_seats(made: Tournament) -> None:
    """In each round everybody who was in it has one seat or a bye; who is in to the end missed none."""
    for one in made.rounds:
        placed = [entrant for table in one.tables for entrant in table.seats if entrant is not None] + [*one.byes]
        assert len(set(placed)) == len(placed)
        there = {each.number for each in made.entrants if each.status is Status.IN and each.from_round <= one.number}
        assert there <= set(placed)


def check_lines(made: Tournament, rows: Iterable[Standing]) -> None:
    """Each round is one line of each account, by what he did in it; each penalty is a further one."""
    for row in rows:
        of_rounds = [line for line in row.lines if line.kind is not LineKind.PENALTY]
        assert [line.round for line in of_rounds] == list(range(1, len(made.rounds) + 1))
        assert len(row.lines) - len(of_rounds) == sum(one.entrant == row.entrant for one in made.penalties)
        assert row.big == sum((line.big for line in row.lines), Fraction(0))
        assert row.small == sum(line.small for line in row.lines)
        for one, line in zip(made.rounds, of_rounds, strict=True):
            assert line.kind is _kind(one, row.entrant), (row.name, line)


def _kind(one: Round, entrant: int) -> LineKind:
    """What an entrant did in a round that is over."""
    if entrant in one.byes:
        return LineKind.BYE
    for table in one.tables:
        if entrant in table.seats:
            assert table.result is not None
            if table.result.kind is not ResultKind.FORFEIT:
                return LineKind.PLAYED
            gone = table.seats.index(entrant) in table.result.forfeited
            return LineKind.FORFEIT if gone else LineKind.AWARDED
    return LineKind.MISSED


def entered(players: Iterable[Steady], tournament: str) -> None:
    """Each of them knows himself as an entrant."""
    for player in players:
        newest = news(player, tournament)
        assert newest is not None
        assert newest["own"]["entrant"] is not None


@dataclass
class Cup:
    """A tournament under way: its director, and all who have entered."""

    servers: Cluster
    director: Steady
    id: str
    players: list[Steady] = field(default_factory=list)
    playing: list["asyncio.Task[None]"] = field(default_factory=list)

    async def enter(self, number: int, *, forgetful: bool = True) -> Steady:
        """One more enters; the contribution is his own."""
        encoding = tuple(Encoding)[number % 2]
        address = self.servers.anywhere(number)
        player = Steady(address, f"Player {number}", encoding, PATIENCE, forgetful=forgetful)
        await player.come()
        contribution = random.Random(number).randbytes(32).hex()
        await player.do("tournament_register", tournament=self.id, contribution=contribution)
        await seen(player, self.id, lambda message: message["own"] is not None)
        self.players.append(player)
        return player

    def play(self, player: Steady) -> None:
        """He plays by himself from now on."""
        self.playing.append(asyncio.get_running_loop().create_task(take_part(player, self.id)))

    def play_all(self, players: Iterable[Steady]) -> None:
        """They do."""
        for player in players:
            self.play(player)

    async def played(self) -> None:
        """Waits for the end."""
        await asyncio.gather(*self.playing)
        await seen(self.director, self.id, lambda message: message["public"]["stage"] == "over")

    async def until(self, round_: int, stage: str) -> Message:
        """Waits for a stage of a round, or for a later one."""

        def reached(message: Message) -> bool:
            public = message["public"]
            later: bool = public["round"] > round_ or public["stage"] == "over"
            return later or bool(public["round"] == round_ and public["stage"] == stage)

        return await seen(self.director, self.id, reached)


@asynccontextmanager
async def cup(servers: Cluster, entrants: int, **options: Any) -> AsyncIterator[Cup]:
    """A tournament that so many have entered; everybody goes at the end."""
    director = Steady(servers.anywhere("director"), "Dorota", Encoding.MSGPACK, PATIENCE)
    await director.come()
    opened = await director.do("tournament_create", name="Autumn cup", options={**QUICKLY, **options})
    held = Cup(servers, director, opened["tournament"])
    try:
        await asyncio.gather(*(held.enter(number) for number in range(entrants)))
        yield held
    finally:
        for task in held.playing:
            task.cancel()
        await asyncio.gather(*held.playing, return_exceptions=True)
        await asyncio.gather(*(player.close() for player in (director, *held.players)))
