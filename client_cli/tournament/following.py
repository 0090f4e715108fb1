"""The tournaments that this client follows: their newest state, what is told of them, and the way to the own seat.

Call `welcomed` and `heard` with what comes in. A change of the own table leads the player there, wherever he is.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol

from client_cli.board import Board
from client_cli.clean import clean, shorten
from client_cli.presence import Asked
from client_cli.style import Line, dress
from client_cli.tournament.news import LAST_MINUTES, of_reader, standing, times
from client_cli.tournament.words import in_time, person
from client_cli.view import Message

MEANWHILE: Final = "decided_meanwhile"


class Host(Protocol):
    """What of a session is needed."""

    board: Board
    focus: str | None

    @property
    def now(self) -> int:
        """The server's time, ms since 1970."""

    def ask(
        self, kind: str, fields: Message, *, quiet: bool = False, then: Callable[[Message], None] | None = None
    ) -> Asked:
        """Sends a command."""

    def tell(self, lines: list[Line]) -> None:
        """Prints lines."""

    def look_at(self, table: str) -> None:
        """Puts a table into focus."""


@dataclass(slots=True)
class Followed:
    """One tournament: its newest message, and who sits at the tables of its newest round, as far as known."""

    message: Message
    fresh: bool = False
    """Whether the next message is expected to be complete, as after a lost connection."""
    seats: dict[int, list[str]] = field(default_factory=dict)
    seats_of: int = 0
    reminder: asyncio.TimerHandle | None = None

    @property
    def public(self) -> Message:
        """How it stands, for everybody."""
        public: Message = self.message["public"]
        return public

    @property
    def own(self) -> Message | None:
        """What concerns the player; None for who only watches."""
        own: Message | None = self.message["own"]
        return own

    @property
    def name(self) -> str:
        """Its name, fit for the terminal."""
        return clean(self.public["name"], 48)

    @property
    def entrant(self) -> int | None:
        """The player's number among the entrants."""
        return None if self.own is None else self.own["entrant"]

    def asks(self, *, with_code: bool) -> bool:
        """Whether who has just entered is not in yet, as far as is known: the reply may come before the view."""
        status = None if self.own is None else self.own["status"]
        if status in ("waiting", "in"):
            return bool(status == "waiting")
        return bool(self.public["admission"] == "approval") and not with_code

    @property
    def directs(self) -> bool:
        """Whether the player is one of its directors."""
        return self.own is not None and bool(self.own["directs"])


class Following:
    """All tournaments of a session. `focus` is the one that commands are about; `listed` the ids of the last list."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._texts = host.board.texts
        self._board = host.board.tournament
        self.items: dict[str, Followed] = {}
        self.focus: str | None = None
        self.listed: list[Message] = []
        self.player = ""
        """The player's public id."""
        self._expected: set[str] = set()
        self._entering: str | None = None
        """Which one the player follows only to enter it."""
        self._own: frozenset[str] = frozenset()
        """Those that come by themselves, as the player takes part or directs."""
        self._orders: dict[int, tuple[str, int]] = {}

    @property
    def current(self) -> Followed | None:
        """The tournament that commands are about."""
        return self.items.get(self.focus or "")

    @property
    def standing(self) -> list[Line]:
        """How the current tournament stands."""
        one = self.current
        return [] if one is None else standing(self._texts, one.public, one.own, self._host.now)

    @property
    def any(self) -> bool:
        """Whether a tournament is followed, or about to be."""
        return bool(self.items or self._expected)

    @property
    def keeps_going(self) -> bool:
        """Whether a tournament that the player takes part in is not over: then he waits for his next table."""
        return bool(self._expected) or any(
            one.own is not None and one.public["stage"] != "over" for one in self.items.values()
        )

    @property
    def toolbar(self) -> str:
        """How the tournament stands, for the status line of who is at no table; empty where there is none."""
        one = self.current
        if one is None:
            return ""
        facts = [shorten(one.name, 30), self._board.pages.stage(one.public)]
        if one.public["stage"] == "round":
            facts.append(self._texts("toolbar.tables", finished=one.public["finished"], tables=one.public["tables"]))
        if one.public["due"]:
            facts.append(self._texts("toolbar.next_in", time=in_time(self._texts, one.public["due"], self._host.now)))
        if one.directs and one.public["waiting"]:
            facts.append(self._texts("toolbar.waiting_entrants", count=one.public["waiting"]))
        return " · ".join(facts)

    # ---- what is sent

    def follow(self, tournament: str, then: Callable[[], None] | None = None, *, to_enter: bool = False) -> None:
        """Follows a tournament and makes it the one that commands are about; `to_enter`: to take part at once."""
        self._expected.add(tournament)
        self._entering = tournament if to_enter else None
        self.focus = tournament
        self._host.ask("tournament_follow", {"tournament": tournament}, then=lambda _: then() if then else None)

    def unfollow(self) -> None:
        """Watches the current one no longer."""
        one, id_ = self.current, self.focus
        if one is not None and id_ is not None:
            self._forget(id_)
            self._host.ask("tournament_unfollow", {"tournament": id_}, quiet=True)
            self._host.tell(self._host.board.say("tournament.unfollowed", name=one.name))

    def order(self, order: Message, then: Callable[[Message], None]) -> None:
        """Sends a director's order with the number of the last decision that was seen."""
        one, id_ = self.current, self.focus
        if one is None or id_ is None:
            return
        after = int(one.public["decisions"])
        asked = self._host.ask("tournament_direct", {"tournament": id_, "after": after, "order": order}, then=then)
        self._orders[asked.id] = (id_, after)

    def page(
        self, about: str, then: Callable[[Message], None], *, round_: int | None = None, quiet: bool = False
    ) -> None:
        """Asks for a page of the current tournament."""
        if self.focus is not None:
            fields: Message = {"tournament": self.focus, "about": about, "round": round_}
            self._host.ask("tournament_page", fields, quiet=quiet, then=then)

    # ---- what is heard

    def welcomed(self, welcome: Message) -> None:
        """After a welcome the player's own ones come by themselves; those that he only watches are asked for anew."""
        self.player = str(welcome["player"])
        own = [str(one) for one in welcome.get("tournaments", ())]
        self._own = frozenset(own)
        self._expected |= self._own
        for id_, one in list(self.items.items()):
            one.fresh = True
            if id_ not in own:
                self._host.ask("tournament_follow", {"tournament": id_}, quiet=True)

    def heard(self, message: Message) -> None:
        """Takes a `tournament` message: tells what is new, and leads the player to his table."""
        id_ = str(message["tournament"])
        one = self.items.get(id_)
        self._expected.discard(id_)
        if one is None:
            self._first(id_, message)
            return
        before, last = one.message, int(one.message["version"])
        joins = message["from"] == last and not message["resync"] and not one.fresh
        if not joins and not message["resync"] and not one.fresh:
            if message["version"] > last:
                self._host.ask("tournament_follow", {"tournament": id_}, quiet=True)
            return
        one.message, one.fresh = message, False
        if joins:
            self._tell(id_, self._news(one, before))
        self._learn(id_, one)
        self._remind(id_, one)
        self._lead(id_, one, before)

    def refused(self, error: Message) -> None:
        """Shows what was decided meanwhile where that was why an order was refused."""
        id_, after = self._orders.pop(error.get("id") or 0, ("", 0))
        if id_ and error["code"] == MEANWHILE:
            fields = {"tournament": id_, "about": "decisions", "round": None}
            self._host.ask("tournament_page", fields, quiet=True, then=lambda answer: self._meanwhile(answer, after))
        refused = str(error.get("tournament") or "")
        if error["code"] == "no_such_tournament" and refused not in self.items:
            self._expected.discard(refused)
            self._expected.discard(self.focus or "")
            self.focus = None if self.focus not in self.items else self.focus

    def _meanwhile(self, answer: Message, after: int) -> None:
        new = [one for one in answer["page"]["decisions"] if one["number"] > after]
        lines = [self._board.pages.decided(one) for one in new]
        self._host.tell([*lines, *self._host.board.say("tournament.repeat", "turn")])

    # ---- what follows from it

    def _first(self, id_: str, message: Message) -> None:
        one = self.items[id_] = Followed(message)
        current = self.current
        if current is None or (
            current.public["stage"] == "over" and id_ in self._own and one.public["stage"] != "over"
        ):
            self.focus = id_
        lines = standing(self._texts, one.public, one.own, self._host.now)
        if one.own is None and self._entering == id_ and one.public["open"]:
            lines = lines[:-1]
        asked_for = id_ == self.focus and id_ not in self._own
        if asked_for or one.public["stage"] != "over":
            self._host.tell(lines)
        self._learn(id_, one)
        self._remind(id_, one)
        self._lead(id_, one, None, told=True)

    def _news(self, one: Followed, before: Message) -> list[Line]:
        lines: list[Line] = []
        public, old = one.public, before["public"]
        said = _said_already(one.message["happened"], None if one.own is None else one.own["entrant"])
        for happening in one.message["happened"]:
            if happening["event"] == "seat_given":
                self._seat_given(one, happening)
            here = one.seats.get(int(happening.get("table") or 0), []) if happening["event"] == "result" else []
            known = here if happening.get("round") == one.seats_of else []
            if (happening["event"], happening.get("entrant")) not in said:
                lines += self._board.teller.tell(happening, one.own, known)
        if (public["due"], public["halted"]) != (old["due"], old["halted"]) and public["stage"] != "over":
            lines += times(
                self._texts, {**public, "deadline": public["deadline"] if old["halted"] else None}, self._host.now
            )
        return lines

    def _seat_given(self, one: Followed, happening: Message) -> None:
        names = one.seats.get(int(happening["table"]), [])
        if happening["seat"] < len(names):
            given = None if happening["name"] is None else {"name": happening["name"]}
            names[happening["seat"]] = person(self._texts, given)

    def _tell(self, id_: str, lines: Sequence[Line]) -> None:
        """With the tournament's name before each line where several are followed that are not over."""
        if any(one.public["stage"] != "over" for other, one in self.items.items() if other != id_):
            name = f"{shorten(self.items[id_].name, 20)}: "
            lines = [[("dim", name), *line] for line in lines]
        self._host.tell(list(lines))

    def _learn(self, id_: str, one: Followed) -> None:
        """Asks once in each round who sits where, so that results can be told by name."""
        number = int(one.public["round"])
        if number and one.seats_of != number:
            one.seats_of, one.seats = number, {}
            fields = {"tournament": id_, "about": "round", "round": number}
            self._host.ask("tournament_page", fields, quiet=True, then=lambda answer: self.seated(id_, answer))

    def seated(self, id_: str, answer: Message) -> None:
        """Keeps who sits where, from the page of a round."""
        one, page = self.items.get(id_), answer["page"]
        if one is not None and page["round"] == one.seats_of:
            for table in page["tables"]:
                one.seats[int(table["number"])] = [person(self._texts, seat) for seat in table["seats"]]

    def _lead(self, id_: str, one: Followed, before: Message | None, *, told: bool = False) -> None:
        """Brings the player to a table that has become his, and says where he sits."""
        own = one.own
        if own is None:
            return
        place, was = _place(one.message), None if before is None else _place(before)
        if place and place != was:
            if not told:
                self._tell(id_, _last(of_reader(self._texts, one.public, own)))
            table = own["table"]
            if table is not None and not own["finished"]:
                self.focus = id_
                if self._host.focus != table:
                    self._host.look_at(table)

    def lead_again(self) -> None:
        """Brings the player to his table, and says where he sits."""
        one = self.current
        if one is None or one.own is None:
            return
        self._host.tell(_last(of_reader(self._texts, one.public, one.own)))
        if one.own["table"] is not None and self._host.focus != one.own["table"]:
            self._host.look_at(one.own["table"])

    def _remind(self, id_: str, one: Followed) -> None:
        """Arms the reminder of the last minutes of a round."""
        if one.reminder is not None:
            one.reminder.cancel()
            one.reminder = None
        deadline = one.public["deadline"]
        if deadline and not one.public["halted"] and deadline - LAST_MINUTES > self._host.now:
            wait = (deadline - LAST_MINUTES - self._host.now) / 1000
            one.reminder = asyncio.get_running_loop().call_later(wait, self._last_minutes, id_)

    def _last_minutes(self, id_: str) -> None:
        one = self.items.get(id_)
        if one is not None:
            time = in_time(self._texts, one.public["deadline"], self._host.now)
            self._tell(id_, [dress(self._texts("tournament.last_minutes", time=time), "turn")])

    def _forget(self, id_: str) -> None:
        one = self.items.pop(id_, None)
        if one is not None and one.reminder is not None:
            one.reminder.cancel()
        self.focus = next(iter(self.items), None)


def _said_already(happened: Sequence[Message], own: int | None) -> set[tuple[str, object]]:
    """Who is in or out by a decision that is told as such: others need not hear it twice."""
    follows = {"approved": "admitted", "turned_away": "withdrawn"}
    decided = [one for one in happened if one["event"] == "decided" and one["entrant"] != own]
    return {(follows[one["kind"]], one["entrant"]) for one in decided if one["kind"] in follows}


def _place(message: Message) -> tuple[object, ...]:
    """Where the player is in the round: his table and seat, or that he has a bye."""
    own = message["own"]
    if own is None or own["entrant"] is None:
        return ()
    if own["number"] is None and not own["bye"]:
        return ()
    return message["public"]["round"], own["table"], own["number"], own["seat"], own["bye"]


def _last(lines: list[Line]) -> list[Line]:
    return lines[-1:]
