"""The whole conversation in this process, told by a script: a real hall, house and tables over a store in memory.

`converse` plays a script and raises `Broken` when a promise of the wire does not hold: each frame has one
answer with a known code, everything that is sent keeps the contract, and nothing fails inside.
"""

import asyncio
import random
from collections.abc import Mapping, Sequence
from typing import Any, Final
from unittest.mock import patch

from protocol.codec import Encoding, pack
from protocol.kop import Part
from protocol.kop_options import KopOptions
from protocol.patience_options import PATIENCE_OPTIONS
from protocol.table_options import TableOptions
from server.endpoint.hall import Hall
from server.endpoint.settings import Limits
from server.runtime.house import House
from server.runtime.staff import Staff
from server.runtime.tasks import Tasks
from server.store.port import Appended, Entry, Millis, Player, PlayerId, Snapshot, TableId
from tests.fuzz import messages, strange
from tests.fuzz.handtime import Faults, HandLoop, QuickPool, chance, turns
from tests.fuzz.peer import Broken, Peer, expected
from tests.fuzz.script import Script
from tests.runtime.tables import Store
from tests.wire import quiet_choice

MOST_PEERS: Final = 7
MOST_STEPS: Final = 120
SNAPSHOT_AFTER: Final = 5
"""Entries; fewer than usual, since an evening is short."""
MOST_ROUNDS: Final = 60
"""How often three seconds pass until everything must have been answered."""
_PLENTY: Final = 1e6
OPEN: Final = Limits(
    messages_per_second=_PLENTY, messages_burst=_PLENTY, refusals_per_second=_PLENTY, refusals_burst=_PLENTY,
    address_messages_per_second=_PLENTY, address_messages_burst=_PLENTY, greetings_per_second=_PLENTY,
    greetings_burst=_PLENTY, players_per_address_hour=_PLENTY, players_per_second=_PLENTY,
    tables_per_player_hour=_PLENTY, tables_per_address_hour=_PLENTY, tables_per_second=_PLENTY, hello_seconds=1e9,
    bot_seconds=0.5,
)  # fmt: skip
OPTIONS: Final[tuple[tuple[str, Mapping[str, Any]], ...]] = (
    ("kop", {"answer_seconds": None}),
    ("kop", {"rules": "wolsztyn", "deals": 4, "clock_seconds": 3, "on_absence": "clock"}),
    ("kop", {"rules": "pagat", "on_absence": "vote", "deals": None, "answer_seconds": 1}),
    ("kop", {"rules": "koscian", "on_absence": "bot", "talk": "phrases", "stake": "0.05", "deals": 4}),
    ("kop", {"calling": "in_turn", "late_calls": True, "doubling_names": "kontra,re,bok", "talk": "off"}),
    ("zopf", {"auto_play": True, "single_twins": True, "build_on_sides": True}),
    ("zopf", {}),
    ("burgvoegtin", {"open_packets": True}),
    ("carpet", {"foster": True, "number": "7"}),
    ("archway", {"meet": True, "columns_refill": True}),
)
OPTION_TYPES: Final[tuple[type[Part], ...]] = (TableOptions, KopOptions, *PATIENCE_OPTIONS.values())
OPTION_NAMES: Final = tuple(dict.fromkeys(name for one in OPTION_TYPES for name in one.model_fields))
OPTION_VALUES: Final = tuple(
    one
    for one in (
        *strange.VALUES,
        "as_dycha",
        "in_turn",
        "a,b,c",
        "open",
        "koscian",
        "trump",
        "first_call",
        3,
        4,
        8,
        "0.5",
        ",",
    )
    if (type(one) is int and abs(one) <= 2**53)
    or isinstance(one, bool | None)
    or (type(one) is str and one == strange.whole(one)[:200])
)
ALLOWED: Final = "rolled back from version"
"""What the operator is told when the store was set back."""
SPANS: Final = (0.05, 0.2, 1.0, 3.0, 6.0, 31.0, 61.0, 125.0, 3600.0, 90_000.0, 1_300_000.0)


class SlowStore(Store):
    """A store in memory on the loop's clock, whose answers take as many turns of the loop as chance has it."""

    def __init__(self, loop: HandLoop, slowness: int) -> None:
        super().__init__()
        self._clock = lambda: Millis(1_800_000_000_000 + int(loop.at * 1000))
        self._chance = random.Random(slowness)
        self._slowness = slowness

    def forget_losses(self) -> None:
        """No answer is lost any more."""
        self._lost.clear()

    def lose_some(self, table: TableId, number: int) -> None:
        """The table's newest entries are lost, as far as there are such and no snapshot holds them."""
        log = self._logs.get(table)
        if log is not None:
            self.set_back(table, log.last - min(number, len(log.entries), log.last - 1))

    async def add_membership(self, player: PlayerId, table: TableId) -> None:
        """Takes its time, as the others."""
        await self._take_turns()
        await super().add_membership(player, table)

    async def memberships(self, player: PlayerId) -> Sequence[TableId]:
        """Takes its time."""
        await self._take_turns()
        return await super().memberships(player)

    async def find_player(self, token_hash: str) -> Player | None:
        """Takes its time."""
        await self._take_turns()
        return await super().find_player(token_hash)

    async def load_snapshot(self, table: TableId) -> Snapshot | None:
        """Takes its time."""
        await self._take_turns()
        return await super().load_snapshot(table)

    async def read(self, table: TableId, after: int) -> Sequence[Entry]:
        """Takes its time."""
        await self._take_turns()
        return await super().read(table, after)

    async def _take_turns(self) -> None:
        await turns(self._chance.randrange(self._slowness + 1))

    def _tell(self, answer: asyncio.Future[Appended], outcome: Appended | None) -> None:
        if self._chance.randrange(self._slowness + 1) > 1:
            asyncio.get_running_loop().call_soon(self._tell, answer, outcome)
        else:
            super()._tell(answer, outcome)


class Evening:
    """A hall and everybody who has come."""

    def __init__(self, loop: HandLoop, script: Script) -> None:
        self.loop = loop
        self.store = SlowStore(loop, script.one_of((0, 2, 6)))
        self.tasks = Tasks()
        limits = script.one_of((OPEN, OPEN, Limits()))
        self.houses = [House(self.store, self.tasks, Staff(QuickPool(), 30.0, 0.5)) for _ in range(1 + script.below(2))]
        self.halls = [Hall(house, self.tasks, limits, loop.time) for house in self.houses]
        self.peers: list[Peer] = []
        self.tokens: list[str] = []
        self.codes: list[str] = []
        self.tables: list[str] = []
        self.records: list[str] = []
        self.tournaments: list[str] = []

    async def pass_time(self, seconds: float) -> None:
        """Time goes by, in steps."""
        for _ in range(8):
            self.loop.at += seconds / 8
            await turns(12)
        for hall in self.halls:
            hall.sweep()

    async def come(self, script: Script, *, greets: bool = True, token: str | None = None) -> Peer:
        """Somebody connects."""
        hall = script.one_of(self.halls)
        peer = Peer(hall, script.one_of(tuple(Encoding)), f"192.0.2.{1 + len(self.peers)}")
        self.peers.append(peer)
        if greets:
            peer.greet(token)
            await turns(12)
            self.note(peer)
        return peer

    def note(self, peer: Peer) -> None:
        """Remembers what can be named later."""
        for message in peer.heard[-20:]:
            for kept, key in ((self.codes, "code"), (self.tables, "table"), (self.tokens, "token")):
                value = message.get(key)
                if isinstance(value, str) and value not in kept and message["type"] in ("reply", "welcome", "shared"):
                    kept.append(value)
            if message["type"] == "tournament_reply" and message["tournament"] not in self.tournaments:
                self.tournaments.append(message["tournament"])
            if message["type"] == "records":
                self.records += [one["record"] for one in message["records"]]

    def known(self, peer: Peer) -> messages.Known:
        """What this peer could name."""
        own = [view["own"] for view in peer.views.values() if view["own"]]
        players = [sitter["player"] for view in peer.views.values() for sitter in view["public"]["seats"] if sitter]
        return {
            "table": list(peer.views) or self.tables,
            "code": self.codes,
            "token": self.tokens,
            "prompt": [one["prompt"] for one in own],
            "action": [action for one in own for action in one["actions"]],
            "player": players,
            "seat": [0, 1, 2, 3],
            "id": [peer.last_id + 1, peer.last_id + 2, peer.last_id],
            "absence": [1, 2, 3],
            "record": [*self.records, *(f"{table}-1-1" for table in self.tables)],
            "game": [game for game, _ in OPTIONS],
            "options": [options for _, options in OPTIONS],
            "tournament": self.tournaments,
            "entrant": [1, 2, 3],
            "by": [1, 2, None],
            "after": [0, 1, 2, 3],
            "round": [1, 2, 0],
            "decision": [1, 2],
            "small": [[10, -10, 0, 0], [1, 2, 3, 4]],
            "instance": ["instance", "another1"],
            "protocol": [1],
        }

    async def set_table(self, script: Script) -> None:
        """A table is opened; people and bots take the seats."""
        game, options = script.one_of(OPTIONS)
        while len(self.peers) < 2 or (script.below(3) and len(self.peers) < 4):
            await self.come(script)
        opener, *others = self.peers
        opener.ask("create", game=game, private=bool(script.below(2)), options=dict(options))
        await turns(20)
        self.note(opener)
        if not opener.views or game != "kop":
            return
        table = list(opener.views)[-1]
        code = next((one["code"] for one in reversed(opener.heard) if one["type"] == "reply"), None)
        for peer in others[:3]:
            peer.ask("join", **({"code": code} if code else {"table": table}))
            await turns(16)
        for _ in range(4):
            opener.ask("seat_bot", table=table, strength="easy")
            await turns(12)

    async def play(self, script: Script, steps: int) -> None:
        """People do what is offered: quiet things, or anything."""
        for _ in range(steps):
            before = sum(peer.last_id for peer in self.peers)
            for peer in self.peers:
                for table, view in tuple(peer.views.items()):
                    actions: Sequence[str] = view["own"]["actions"] if view["own"] else ()
                    choice = quiet_choice(list(actions)) or (actions[0] if actions else None)
                    if script.below(3) == 2 and actions:
                        choice = script.one_of(actions)
                    if choice is not None and peer.open:
                        peer.ask("act", table=table, prompt=view["own"]["prompt"], action=choice)
                        await turns(6)
            if before == sum(peer.last_id for peer in self.peers):
                await self.pass_time(1.5)  # it is a bot's turn, or nobody's

    async def step(self, script: Script) -> None:
        """One thing happens."""
        match script.below(16):
            case 0 if len(self.peers) < MOST_PEERS:
                await self.come(script, greets=bool(script.below(4)))
            case 1 if self.tokens and len(self.peers) < MOST_PEERS:
                await self.come(script, token=script.one_of(self.tokens))
            case 2 if self.peers:
                self.peers.pop(script.below(len(self.peers))).hang_up()
            case 3:
                await self.set_table(script)
            case 4:
                await self.play(script, 1 + script.below(12))
            case 6:
                await self.pass_time(script.one_of(SPANS))
            case 7:
                await self._trouble(script)
            case number if self.peers:
                await self._by(script.one_of(self.peers), number, script)

    async def _by(self, peer: Peer, number: int, script: Script) -> None:
        """Somebody does something."""
        match number:
            case 5 | 15:
                for _ in range(1 + script.below(4)):
                    self._try(peer, script)
            case 8:
                self._congestion(peer)
            case 12:
                self._options(peer, script)
            case _:
                for _ in range(1 + script.below(3)):
                    self._speak(peer, script, valid=number < 13)
        await turns(script.one_of((0, 1, 2, 16)))
        self.note(peer)

    def _speak(self, peer: Peer, script: Script, *, valid: bool) -> None:
        if not peer.open:
            return
        known = self.known(peer)
        if valid:
            payload = pack(messages.valid(script.one_of(messages.types()), script, known), peer.encoding)
        else:
            payload = strange.frame(script, peer.encoding, known)
        answer = expected(payload, peer.encoding)
        peer.last_id = max(peer.last_id, answer if answer is not None and answer < 2**40 else 0)
        peer.say(payload)

    def _try(self, peer: Peer, script: Script) -> None:
        """An action that is nearly one of those that are offered, as an answer to the question that stands."""
        seated = [(table, view["own"]) for table, view in peer.views.items() if view["own"]]
        if not seated or not peer.open:
            return
        table, own = script.one_of(seated)
        action = script.one_of((*own["actions"], *strange.WORDS))
        if script.below(2):
            action = strange.bent(action, script)
        prompt = own["prompt"] if script.below(8) else strange.bent(own["prompt"], script)
        peer.ask("act", table=table, prompt=strange.whole(prompt)[:32], action=strange.whole(action)[:96] or "x")

    def _options(self, peer: Peer, script: Script) -> None:
        """A table with a strange option, or such a change of a table's options."""
        if not peer.open:
            return
        options = {script.one_of(OPTION_NAMES): script.one_of(OPTION_VALUES) for _ in range(1 + script.below(3))}
        if peer.views and script.below(2):
            peer.ask("options", table=script.one_of(list(peer.views)), options=options)
        else:
            game, usual = script.one_of(OPTIONS)
            peer.ask("create", game=game, options={**usual, **options})

    async def _trouble(self, script: Script) -> None:
        """The store goes away, comes back, loses an answer, or is set back; or the server is about to stop."""
        match script.below(8):
            case 0:
                self.store.go_away()
            case 1 | 2:
                self.store.lose_answer(stored=bool(script.below(2)))
            case 3 if self.tables:
                table = TableId(script.one_of(self.tables))
                self.store.lose_some(table, 1 + script.below(6))
                self.tasks.start(self.houses[0].check_all())
            case 4:
                self.halls[0].draining = True
            case _:
                self.store.come_back()

    def _congestion(self, peer: Peer) -> None:
        if peer.congested:
            peer.drained()
        else:
            peer.congested = True

    async def end(self) -> None:
        """All is well again: everybody has his answers, somebody new is served, and when all are gone nothing stays.

        Raises:
            Broken
        """
        self.store.come_back()
        self.store.forget_losses()
        await self._answers(3.0)
        self.halls[0].draining = False
        fresh = await self.come(Script(b""))
        fresh.ask("create")
        fresh.ask("list")
        await self._answers(0.1)
        if [one["type"] for one in fresh.heard if one["type"] != "table"] != ["welcome", "reply", "lobby"]:
            raise Broken(f"somebody new is not served: {fresh.heard}")
        for peer in self.peers:
            peer.hang_up()
        await self.pass_time(1.0)
        for hall, house in zip(self.halls, self.houses, strict=True):
            if hall._sessions or hall.feeds._feeds or hall.tournaments.feeds._feeds or house._held:
                raise Broken("something stays of connections that are gone")

    async def _answers(self, seconds: float) -> None:
        for _ in range(MOST_ROUNDS):
            await self.pass_time(seconds)
            if not any(peer.waits for peer in self.peers):
                break
        for peer in self.peers:
            peer.check()


async def _evening(loop: HandLoop, script: Script) -> None:
    evening = Evening(loop, script)
    try:
        for _ in range(script.below(3)):
            await evening.set_table(script)
        for _ in range(MOST_STEPS):
            if script.over:
                break
            await evening.step(script)
        await evening.end()
    finally:
        await evening.tasks.close()


def converse(data: bytes) -> None:
    """Plays the script in these bytes.

    Raises:
        Broken: a promise did not hold.
        Exception: the hall raised something itself.
    """
    converse_by(Script(data))


def converse_by(script: Script) -> None:
    """Plays a script; raises what `converse` raises."""
    loop = HandLoop()
    try:
        with Faults() as faults, chance(0), patch("server.runtime.keeping.SNAPSHOT_AFTER", SNAPSHOT_AFTER):
            try:
                loop.run_until_complete(_evening(loop, script))
            except Broken as broken:
                if not faults.found:
                    raise
                raise Broken(f"{broken}\n{faults}") from broken
        if loop.faults or any(ALLOWED not in fault for fault in faults.found):
            raise Broken(f"{faults}\n{loop.faults}")
    finally:
        loop.close()
