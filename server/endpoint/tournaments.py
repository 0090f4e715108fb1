"""One connection and its tournaments: what it asks there, what it follows, and the tables its player is led to.

Who is an entrant or a director follows from the session's player; a message cannot say it.
"""

import asyncio
import contextlib
from collections.abc import Sequence
from functools import partial
from typing import Final, assert_never

from protocol.tournament_client import (
    AboutTournament,
    AskTournamentPage,
    AskTournaments,
    TournamentClaim,
    TournamentCreate,
    TournamentDirect,
    TournamentFollow,
    TournamentRegister,
    TournamentSeat,
    TournamentUnfollow,
    TournamentWithdraw,
)
from server.endpoint.places import Places
from server.endpoint.tournament_feed import TournamentFeed
from server.endpoint.tournament_hall import concerns
from server.endpoint.tournament_orders import order_meant, team, title
from server.endpoint.tournament_pages import check_directs, known, page
from server.endpoint.translation import reply
from server.endpoint.voice import Voice
from server.endpoint.websocket import Connection
from server.games.game import RuleViolation
from server.runtime.answers import Accepted, Answer, Refused
from server.runtime.codes import plain_code
from server.runtime.guests import Guest
from server.runtime.tournament_actor import TournamentActor
from server.store.port import StoreAway
from server.table.ids import PlayerId, TableId
from server.tournament import commands, view
from server.tournament.state import Tournament, TournamentId

LEAD_AT_ONCE: Final = 0.05
"""Seconds until a table is looked for again that is not open yet; each time twice as long, up to `LEAD_SELDOM`."""
LEAD_SELDOM: Final = 2.0
LOOK_EVERY: Final = 10.0
"""Seconds; less than between two pings."""

Changing = TournamentRegister | TournamentWithdraw | TournamentClaim | TournamentDirect


class Following:
    """The follower that a connection is of each of its tournaments."""

    __slots__ = ("_feeds", "_hall", "_led", "_looked_at", "_places", "_shared", "_unwanted", "_voice", "connection")

    def __init__(self, voice: Voice, places: Places) -> None:
        self.connection: Connection = voice.connection
        self._voice = voice
        self._places = places
        self._hall = voice.hall
        self._shared = voice.hall.tournaments
        self._feeds: dict[TournamentId, TournamentFeed] = {}
        self._unwanted: set[TournamentId] = set()
        self._led: dict[TournamentId, TableId | None] = {}
        self._looked_at = 0.0

    @property
    def player_id(self) -> PlayerId:
        """Whose connection it is."""
        return self._voice.player

    def greeted(self, guest: Guest, feeds: Sequence[TournamentFeed]) -> None:
        """The player is here, and follows his tournaments."""
        self._looked_at = self._hall.now()
        self._shared.came(self, guest.player.name)
        for feed in feeds:
            self._enter(feed)

    def pinged(self) -> None:
        """Now and then it is looked for tournaments that the player has entered through another process."""
        now = self._hall.now()
        if self._voice.greeted and now - self._looked_at >= LOOK_EVERY:
            self._looked_at = now
            self._hall.tasks.start(self._look())

    async def _look(self) -> None:
        with contextlib.suppress(RuleViolation, StoreAway):  # the next ping asks again
            async with self._shared.of_player(self.player_id, but={*self._feeds, *self._unwanted}) as feeds:
                for feed in feeds:
                    self._enter(feed)

    async def asked(self, guest: Guest, message: AboutTournament) -> None:
        """Does what is asked.

        Raises:
            RuleViolation: why not
            StoreAway
        """
        match message:
            case TournamentCreate():
                await self._create(guest, message)
            case AskTournaments():
                self._voice.admit()
                listed = await self._shared.listed(guest.player.id)
                self._voice.send({"type": "tournaments", "id": message.id, "tournaments": listed})
            case TournamentUnfollow():
                await self._unfollow(message)
            case _:
                self._voice.admit()
                with self._shared.feeds.open(await self._actor(message.tournament)) as feed:
                    await self._in(guest, message, feed)

    async def _in(
        self,
        guest: Guest,
        message: TournamentFollow | TournamentSeat | AskTournamentPage | Changing,
        feed: TournamentFeed,
    ) -> None:
        """Does what is asked in a tournament."""
        match message:
            case TournamentFollow():
                if feed.actor.id not in self._feeds and self._full:
                    raise RuleViolation("too_many_tournaments")
                self._unwanted.discard(feed.actor.id)
                self._replied(message, feed.actor, feed.actor.version)
                self._enter(feed)
            case TournamentSeat():
                await self._seat(guest, message, known(feed.actor))
            case AskTournamentPage():
                shown, found = await page(self._shared.tournaments, feed.actor, guest.player.id, message)
                plain = {"type": message.type, "id": message.id, "tournament": shown.id, "version": shown.version}
                self._voice.send({**plain, "about": message.about, "page": found})
            case _:
                command = self._command(guest, message, known(feed.actor))
                self._answered(message, feed, await feed.actor.submit(command, self._voice.command_id(message)))

    async def _create(self, guest: Guest, message: TournamentCreate) -> None:
        admit = partial(self._hall.admit_table, guest.player.id, self.connection.address)
        command_id, name = self._voice.command_id(message), title(message.name)
        tournaments = self._shared.tournaments
        actor, answer = await tournaments.open(guest, command_id, name, message.options, admit)
        with self._shared.feeds.open(actor) as feed:
            self._answered(message, feed, answer)

    async def _actor(self, tournament: str) -> TournamentActor:
        return await self._shared.tournaments.actor(TournamentId(tournament))

    async def _unfollow(self, message: TournamentUnfollow) -> None:
        self._voice.admit()
        actor = await self._actor(message.tournament)
        self._unwanted.add(actor.id)
        self._led.pop(actor.id, None)
        feed = self._feeds.pop(actor.id, None)
        self._replied(message, actor, actor.version)
        if feed is not None:
            feed.leave(self)

    async def _seat(self, guest: Guest, message: TournamentSeat, tournament: Tournament) -> None:
        """Leads the player to his table, at his wish."""
        own = view.own(tournament, guest.player.id)
        if own is None or own["table"] is None:
            raise RuleViolation("not_at_a_table")
        with self._hall.feeds.open(await self._hall.house.actor(TableId(own["table"]))) as feed:
            seat = feed.seat_of(guest.player.id)
            if seat is None or feed.actor.state is None:
                raise RuleViolation("not_at_a_table")
            if feed.actor.id not in self._places and self._places.full:
                raise RuleViolation("too_many_tables")
            self._voice.send(reply(message, feed.actor, Accepted(feed.actor.state.version, seat)))
            self._places.enter(feed)

    def _command(self, guest: Guest, message: Changing, tournament: Tournament) -> commands.PlayersCommand:
        """The tournament's command that a message of this player means.

        Raises:
            RuleViolation: `bad_name`, `bad_text`, `not_director`
        """
        player = guest.player
        match message:
            case TournamentRegister():
                code = None if message.code is None else plain_code(message.code)
                own = b"" if message.contribution is None else bytes.fromhex(message.contribution)
                return commands.Register(player.id, player.name, team(message.team), code, own, player.program)
            case TournamentWithdraw():
                return commands.Withdraw(player.id)
            case TournamentClaim():
                return commands.Claim(player.id, plain_code(message.code))
            case TournamentDirect():
                check_directs(tournament, player.id)
                order = order_meant(message.order, partial(self._shared.name_of, tournament))
                return commands.Direct(player.id, message.after, order)
            case _:
                assert_never(message)

    def _answered(self, message: TournamentCreate | Changing, feed: TournamentFeed, answer: Answer) -> None:
        """Says what became of a command; who takes part or directs now follows."""
        if isinstance(answer, Refused):
            self._voice.refuse(message, answer, tournament=feed.actor.id)
            return
        self._replied(message, feed.actor, answer.version)
        if isinstance(message, TournamentRegister | TournamentClaim):
            self._unwanted.discard(feed.actor.id)
        tournament = feed.actor.state
        wanted = tournament is not None and concerns(tournament, self.player_id) and feed.actor.id not in self._unwanted
        if wanted and self not in feed:
            self._enter(feed)

    def _replied(
        self, message: TournamentCreate | TournamentFollow | TournamentUnfollow | Changing, actor: TournamentActor,
        version: int,
    ) -> None:  # fmt: skip
        entrant = None if actor.state is None else actor.state.entrant_of(self.player_id)
        self._voice.send(
            {
                "type": "tournament_reply",
                "id": message.id,
                "tournament": actor.id,
                "version": version,
                "entrant": None if entrant is None else entrant.number,
            }
        )

    @property
    def _full(self) -> bool:
        return len(self._feeds) >= self._hall.limits.followed

    def _enter(self, feed: TournamentFeed) -> None:
        if self.connection.open and (feed.actor.id in self._feeds or not self._full):
            self._feeds[feed.actor.id] = feed
            feed.enter(self)

    # What feeds ask of a follower

    def wants(self, feed: TournamentFeed) -> bool:
        """Whether to follow, since the player takes part or directs; it is noted."""
        if feed.actor.id in self._unwanted or not self.connection.open or self._full:
            return False
        self._feeds[feed.actor.id] = feed
        return True

    def seated(self, tournament: TournamentId, table: TableId | None) -> None:
        """Leads the player to his table, when it is another than before, and lets him leave that one."""
        if tournament in self._led and self._led[tournament] == table:
            return
        self._led[tournament] = table
        self._places.leave_tables_of(tournament, but=table)
        if table is not None and table not in self._places:
            self._hall.tasks.start(self._lead(tournament, table))

    async def _lead(self, tournament: TournamentId, table: TableId) -> None:
        """Takes the place as soon as the table is open, the player sits there and has room for one more."""
        pause = LEAD_AT_ONCE
        while self._led.get(tournament) == table and table not in self._places and self.connection.open:
            try:
                with self._hall.feeds.open(await self._hall.house.actor(table)) as feed:
                    if feed.seat_of(self.player_id) is not None and self._led.get(tournament) == table:
                        self._places.enter(feed)  # unless he is at too many tables
            except (RuleViolation, StoreAway):
                pass  # not open yet, or not to be had at the moment
            await asyncio.sleep(pause)
            pause = min(2 * pause, LEAD_SELDOM)

    def tournament_gone(self, tournament: TournamentId) -> None:
        """There is no such tournament any more."""
        self._feeds.pop(tournament, None)
        self._led.pop(tournament, None)

    def tournament_rolled_back(self, tournament: TournamentId) -> None:
        """The tournament goes back to what the store still has."""
        self._voice.send({"type": "notice", "notice": "rolled_back", "table": None, "tournament": tournament})

    # The connection

    def drained(self) -> None:
        """The connection can take more."""
        for feed in tuple(self._feeds.values()):
            feed.catch_up(self)

    def ended(self) -> None:
        """The connection is gone."""
        if self._voice.greeted:
            self._shared.went(self)
        for feed in tuple(self._feeds.values()):
            feed.leave(self)
        self._feeds.clear()
        self._led.clear()
