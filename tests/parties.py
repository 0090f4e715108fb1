"""Four players at one table without a server between: commands go straight to the rules, views straight to clients.

The events of every command pass through `meddle` before they take effect: a test plays a dishonest
server there.
"""

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from client_cli.contributor import Contributor
from client_cli.kept import KeptFile
from client_cli.view import View
from client_cli.witness import Kept, Key
from server.games.game import Millis, Moment, OptionValue, RuleViolation, Seat, Stage
from server.games.kop.deal import right_of
from server.games.kop.match import Match
from server.table import evolution, rules, view
from server.table.commands import Act, AnnulDeal, Command, Create, LeaveSeat, RunOut, TakeSeat
from server.table.events import Sitter
from server.table.ids import PlayerId, TableId
from server.table.records import records
from server.table.state import Table

NAMES = ("Ola", "Jan", "Ewa", "Max")
SERVER = "http://127.0.0.1:5670"
Events = Sequence[Any]


def contributor(home: Path, seat: int, seed: int = 0) -> Contributor:
    """A client's part in the shuffle, with bytes of a seed instead of the operating system's."""
    return Contributor(KeptFile(home, f"p{seat}", SERVER), random.Random(f"{seat}/{seed}").randbytes)


class Party:
    """A table of four, all seated. `clients` are those who have a program that takes part in the shuffle."""

    def __init__(
        self,
        options: Mapping[str, OptionValue] | None = None,
        seed: int = 0,
        clients: Mapping[int, Contributor] | None = None,
        table: str = "t1",
    ) -> None:
        self.rng = random.Random(seed)
        self.now = 1_000_000
        self.clients = dict(clients or {})
        self.meddle: Callable[[Table, Events], Events] = lambda _, events: events
        self.entropy: Callable[[], bytes] = lambda: self.rng.randbytes(32)
        self.silent: set[int] = set()
        self.records: list[dict[str, Any]] = []
        self.alarms: list[str] = []
        opened = Create(_sitter(0), TableId(table), "kop", options or {}, "CODE")
        self.table = evolution.new_table(rules.create(opened, self._moment())[0])
        self._take(rules.create(opened, self._moment())[1:])
        for seat in range(1, 4):
            self.do(TakeSeat(_sitter(seat), Seat(seat)))

    @property
    def match(self) -> Match:
        """The match at the table."""
        assert isinstance(self.table.play, Match)
        return self.table.play

    @property
    def dealer(self) -> Seat:
        """Who deals, or has dealt."""
        offer = self.match.offer
        assert offer is not None
        return offer.dealer

    @property
    def cutter(self) -> Seat:
        """Who cuts."""
        return right_of(self.dealer)

    def kept(self, seat: int) -> dict[Key, Kept]:
        """What a seat's client has noted."""
        return self.clients[seat].file.deals

    def do(self, command: Command) -> None:
        """Carries a command out and tells the clients."""
        self._take(rules.decide(self.table, command, self._moment()))

    def act(self, seat: int, action: str) -> None:
        """A seat's action, by its client."""
        self.do(Act(_player(seat), self.table.prompt, action))
        client = self.clients.get(seat)
        if client is not None:
            client.accepted(str(self.table.id), action, self.table.version)

    def seen(self, seat: int, happened: Iterable[Any] = ()) -> View:
        """The newest view of a seat."""
        told = [one for event in happened if (one := view.happening(self.table, event)) is not None]
        sits = self.table.seats[seat] is not None
        return View(
            {
                "type": "table",
                "table": str(self.table.id),
                "from": self.table.version - 1,
                "version": self.table.version,
                "resync": False,
                "happened": told,
                "here": [True] * 4,
                "watchers": 0,
                "public": view.public(self.table),
                "own": view.own(self.table, Seat(seat)) if sits else None,
            }
        )

    def ready(self, cuts: Mapping[int, int] | None = None) -> None:
        """All say ready, those with a client by its words; the cards are out when this returns."""
        for seat in range(4):
            cut = (cuts or {}).get(seat)
            action = "ready" if cut is None else f"ready {cut}"
            client = self.clients.get(seat)
            self.act(seat, action if client is None else client.ready(self.seen(seat), action))
        if self.match.opening is not None:
            self.time_runs_out()

    def time_runs_out(self) -> None:
        """The deadline passes."""
        due = self.table.deadline
        assert due is not None
        self.now = max(self.now, due)
        self.do(RunOut(self.table.prompt))

    def play_out(self) -> None:
        """Plays the running deal to its end, by chance."""
        while self.match.in_play is not None:
            steps = [(seat, action) for seat in range(4) for action in view.actions(self.table, Seat(seat))]
            if not steps or (self.table.deadline is not None and self.rng.random() < 0.1):
                self.time_runs_out()
                continue
            quiet = [step for step in steps if step[1].startswith(("play", "go on", "pass", "ask"))]
            self.act(*self.rng.choice(quiet if quiet and self.rng.random() < 0.8 else steps))

    def deal(self, cuts: Mapping[int, int] | None = None) -> dict[str, Any]:
        """A whole deal; its record."""
        self.ready(cuts)
        self.play_out()
        return self.records[-1]

    def annul(self) -> None:
        """The seat at the owner's left is given up, the owner annuls the running deal, and the seat is taken again."""
        self.do(LeaveSeat(_player(1)))
        self.do(AnnulDeal(self.table.owner, self.table.prompt))
        self.do(TakeSeat(_sitter(1), Seat(1)))

    def roll_back(self, table: Table) -> None:
        """The store has come back older than what was told."""
        self.table = replace(table, version=self.table.version)
        for client in self.clients.values():
            client.rolled_back(str(table.id))
        self._tell(())

    def _take(self, events: Events) -> None:
        events = self.meddle(self.table, events)
        before, at = self.table, Millis(self.now)
        for event in events:
            self.table = evolution.evolve(self.table, event)
            self.records += [record.plain for record in records(self.table, before, [event], at)]
        self.table = replace(self.table, version=self.table.version + 1)
        self._tell(events)

    def _tell(self, events: Events) -> None:
        answers: list[tuple[int, str]] = []
        for seat, client in self.clients.items():
            heard = client.heard(self.seen(seat, events), self.now)
            self.alarms += heard.alarms
            if heard.action is not None and seat not in self.silent:
                answers.append((seat, heard.action))
        for seat, action in answers:
            try:
                self.act(seat, action)
            except RuleViolation:
                self.clients[seat].refused()

    def _moment(self) -> Moment:
        self.now += 10
        return Moment(Millis(self.now), self.entropy())


def played(options: Mapping[str, OptionValue], seed: int) -> list[dict[str, Any]]:
    """The records of a whole match that is played by chance."""
    party = Party(options, seed)
    while party.table.stage is not Stage.OVER:
        party.deal({party.cutter: 1 + seed % 15} if seed % 2 else None)
    return party.records


def _player(seat: int) -> PlayerId:
    return PlayerId(f"p{seat}")


def _sitter(seat: int) -> Sitter:
    return Sitter(_player(seat), NAMES[seat])
