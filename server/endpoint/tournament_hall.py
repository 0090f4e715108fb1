"""What the sessions of this process share about tournaments: feeds, the list, and who is here."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Collection, Iterable, Iterator
from typing import Final

from server.endpoint.tournament_feed import Follower, TournamentFeed, TournamentFeeds
from server.games.game import Plain, RuleViolation
from server.runtime.tournaments import Tournaments
from server.table.ids import PlayerId
from server.tournament import view
from server.tournament.state import Tournament, TournamentId

LIST_SECONDS: Final = 1.0
"""How old the list may be."""
MOST_LISTED: Final = 100
MOST_OWN: Final = 16
"""Of one player's, the newest; he can follow older ones by their ids."""


class TournamentHall:
    """The tournaments as all sessions see them."""

    def __init__(self, tournaments: Tournaments, now: Callable[[], float]) -> None:
        self.tournaments = tournaments
        self.feeds = TournamentFeeds(tournaments, self._interested)
        self._now = now
        self._here: dict[PlayerId, set[Follower]] = {}
        self._names: dict[PlayerId, str] = {}
        self._list: list[Tournament] = []
        self._listed_at = -LIST_SECONDS
        self._looking_up = asyncio.Lock()

    def came(self, follower: Follower, name: str) -> None:
        """A player is here over one more connection."""
        self._here.setdefault(follower.player_id, set()).add(follower)
        self._names[follower.player_id] = name

    def went(self, follower: Follower) -> None:
        """A connection is gone."""
        player = follower.player_id
        here = self._here.get(player, set())
        here.discard(follower)
        if not here:
            self._here.pop(player, None)
            self._names.pop(player, None)

    def name_of(self, tournament: Tournament, player: PlayerId) -> str | None:
        """The name of an entrant, or of who is connected to this process."""
        entrant = tournament.entrant_of(player)
        return self._names.get(player) if entrant is None or entrant.guest else entrant.name

    @contextlib.asynccontextmanager
    async def of_player(
        self, player: PlayerId, but: Collection[TournamentId] = ()
    ) -> AsyncIterator[list[TournamentFeed]]:
        """Visits to the feeds of a player's tournaments, but for some.

        Raises:
            StoreAway
        """
        with contextlib.ExitStack() as visits:
            yield [visits.enter_context(visit) async for visit in self._visits(player, but)]

    async def listed(self, player: PlayerId) -> list[Plain]:
        """The listed tournaments, at most a second old, and those of the player.

        Raises:
            StoreAway
        """
        async with self._looking_up:
            if self._now() - self._listed_at >= LIST_SECONDS:
                self._list = list(await self.tournaments.listed())[:MOST_LISTED]
                self._listed_at = self._now()
            found = {one.id: one for one in self._list}
        async with self.of_player(player) as feeds:
            states = [feed.actor.state for feed in feeds]
        found |= {one.id: one for one in states if one is not None}
        return [_line(one, player) for one in sorted(found.values(), key=lambda one: one.opened, reverse=True)]

    async def _visits(
        self, player: PlayerId, but: Collection[TournamentId]
    ) -> AsyncIterator[contextlib.AbstractContextManager[TournamentFeed]]:
        noted = list(await self.tournaments.of_player(player))[:MOST_OWN]
        for tournament in (one for one in noted if one not in but):
            try:
                actor = await self.tournaments.actor(tournament)
            except RuleViolation:
                continue  # noted before it was opened, or over long ago
            if actor.state is not None and concerns(actor.state, player):
                yield self.feeds.open(actor)

    def _interested(self, players: Iterable[PlayerId]) -> Iterator[Follower]:
        for player in players:
            yield from self._here.get(player, ())


def concerns(tournament: Tournament, player: PlayerId) -> bool:
    """Whether a player takes part, or directs."""
    return tournament.entrant_of(player) is not None or tournament.directs(player)


def _line(tournament: Tournament, player: PlayerId) -> Plain:
    public = view.public(tournament)
    names = ("name", "stage", "round", "rounds", "entrants", "admission", "open")
    return {
        "tournament": tournament.id,
        **{name: public[name] for name in names},
        "directors": [one.name for one in tournament.directors],
        "own": concerns(tournament, player),
    }
