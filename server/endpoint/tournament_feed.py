"""What a tournament tells its followers: how it stands and what happened since each follower's last news.

As a table's feed, in small: public part and happenings are encoded once for all who have seen as much, the own part
for each follower. Who is congested is passed over, and told all at once when he can read.
"""

import contextlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final, Protocol

from protocol.codec import MAP_END, Encoding, begun_map, pack, pack_entries
from server.endpoint.websocket import Connection, frame
from server.games.game import Plain
from server.runtime.tournament_actor import TournamentActor
from server.runtime.tournaments import Tournaments
from server.table.ids import PlayerId, TableId
from server.tournament import view
from server.tournament.state import Tournament, TournamentId

MOST_HAPPENED: Final = 64
"""Happenings above which a follower gets only how it stands: each has at most a few hundred bytes."""


class Follower(Protocol):
    """One connection that follows a tournament."""

    connection: Connection

    @property
    def player_id(self) -> PlayerId:
        """Whose connection it is."""

    def wants(self, feed: "TournamentFeed") -> bool:
        """Whether to follow from now on, since the player takes part or directs."""

    def seated(self, tournament: TournamentId, table: TableId | None) -> None:
        """Where the player sits in the running round, or that he sits nowhere: told at each change."""

    def tournament_gone(self, tournament: TournamentId) -> None:
        """There is no such tournament any more."""

    def tournament_rolled_back(self, tournament: TournamentId) -> None:
        """The store came back older than what was told: what follows goes back."""


Interested = Callable[[Iterable[PlayerId]], Iterable[Follower]]
"""The connections of these players that follow by themselves."""


class TournamentFeed:
    """The followers of one tournament in this process."""

    def __init__(
        self, actor: TournamentActor, interested: Interested, ended: Callable[["TournamentFeed"], None]
    ) -> None:
        self.actor = actor
        self._interested = interested
        self._ended = ended
        self._seen: dict[Follower, int] = {}
        self._heads: dict[tuple[Encoding, int], bytes] = {}
        self._visits = 0
        actor.changed = self._changed
        actor.rolled_back = self._rolled_back
        actor.gone = self._gone

    def enter(self, follower: Follower) -> None:
        """Somebody follows, or asks how it stands: he is told at once."""
        tournament = self.actor.state
        if tournament is not None:
            self._seen[follower] = 0
            self._tell(follower, tournament)
            follower.seated(tournament.id, _table_of(tournament, follower.player_id))

    def leave(self, follower: Follower) -> None:
        """Somebody follows no longer; the last one ends the feed."""
        self._seen.pop(follower, None)
        self._end_if_empty()

    def __contains__(self, follower: Follower) -> bool:
        """Whether somebody follows here."""
        return follower in self._seen

    @contextlib.contextmanager
    def visit(self) -> Iterator["TournamentFeed"]:
        """The feed stays for the length of the block, so that who is about to `enter` finds it alive."""
        self._visits += 1
        try:
            yield self
        finally:
            self._visits -= 1
            self._end_if_empty()

    def catch_up(self, follower: Follower) -> None:
        """A follower that was congested can read again."""
        tournament = self.actor.state
        if tournament is not None and self._seen.get(follower, tournament.version) != tournament.version:
            self._tell(follower, tournament)

    def _end_if_empty(self) -> None:
        if not self._seen and not self._visits:
            self._ended(self)

    def _changed(self) -> None:
        tournament = self.actor.state
        if tournament is None:
            return
        self._heads.clear()
        for follower in self._interested(_concerned(tournament)):
            if follower not in self._seen and follower.wants(self):
                self._seen[follower] = 0
        all_told = True
        for follower, seen in tuple(self._seen.items()):
            if seen != tournament.version:
                if follower.connection.congested:
                    all_told = False
                else:
                    self._tell(follower, tournament)
            follower.seated(tournament.id, _table_of(tournament, follower.player_id))
        if all_told:
            self.actor.happened.clear()
            self._heads.clear()

    def _rolled_back(self) -> None:
        for follower in tuple(self._seen):
            self._seen[follower] = 0
            follower.tournament_rolled_back(self.actor.id)

    def _gone(self) -> None:
        for follower in tuple(self._seen):
            del self._seen[follower]
            follower.tournament_gone(self.actor.id)
        self._end_if_empty()

    def _tell(self, follower: Follower, tournament: Tournament) -> None:
        """One message with everything since the follower's last."""
        encoding = follower.connection.encoding
        key = (encoding, self._seen[follower])
        head = self._heads.get(key)
        if head is None:
            head = self._heads[key] = self._head(encoding, self._seen[follower], tournament)
        self._seen[follower] = tournament.version
        own = pack(view.own(tournament, follower.player_id), encoding)
        follower.connection.send(frame(head + own + MAP_END[encoding], encoding))

    def _head(self, encoding: Encoding, seen: int, tournament: Tournament) -> bytes:
        """The message up to the follower's own part, which stands last in it."""
        happened = self._happened(seen, tournament)
        plain: dict[str, Any] = {
            "type": "tournament",
            "tournament": tournament.id,
            "from": seen,
            "version": tournament.version,
            "resync": happened is None,
            "happened": happened or [],
            "public": view.public(tournament),
        }
        return begun_map([pack_entries(plain, encoding)], "own", encoding)

    def _happened(self, seen: int, tournament: Tournament) -> list[Plain] | None:
        """What happened after a version; None if that is not known any more, or too much."""
        if seen == tournament.version:
            return []
        recent = self.actor.happened
        if not seen or not recent or recent[0].version > seen + 1:
            return None
        happened = [told for one in recent if one.version > seen for told in one.events]
        return happened if len(happened) <= MOST_HAPPENED else None


class TournamentFeeds:
    """The feeds of all tournaments that somebody follows here."""

    def __init__(self, tournaments: Tournaments, interested: Interested) -> None:
        self._tournaments = tournaments
        self._interested = interested
        self._feeds: dict[TournamentId, TournamentFeed] = {}

    def __len__(self) -> int:
        """How many tournaments somebody follows here."""
        return len(self._feeds)

    def open(self, actor: TournamentActor) -> contextlib.AbstractContextManager[TournamentFeed]:
        """A visit to the tournament's feed, which holds its actor until the last follower leaves."""
        feed = self._feeds.get(actor.id)
        if feed is None or feed.actor is not actor:
            feed = self._feeds[actor.id] = TournamentFeed(actor, self._interested, self._end)
            self._tournaments.hold(actor)
        return feed.visit()

    def of(self, tournament: TournamentId) -> TournamentFeed | None:
        """The feed of a tournament, where somebody follows it here."""
        return self._feeds.get(tournament)

    def _end(self, feed: TournamentFeed) -> None:
        if self._feeds.get(feed.actor.id) is feed:
            del self._feeds[feed.actor.id]
            self._tournaments.release(feed.actor)


def _concerned(tournament: Tournament) -> Sequence[PlayerId]:
    """Entrants and directors."""
    return [*(one.player for one in tournament.entrants), *(one.player for one in tournament.directors)]


def _table_of(tournament: Tournament, player: PlayerId) -> TableId | None:
    """The table where a player sits in the running round, if it is one of the server's."""
    own = view.own(tournament, player)
    return None if own is None else own["table"]
