"""A `table` message with names for its parts. Holds no rules: it only finds what the server sent."""

from enum import StrEnum
from typing import Any, Final

from client_cli.clean import clean, clean_name

Message = dict[str, Any]


_UNUSABLE: Final = frozenset({"table_frozen", "table_newer"})


class Need(StrEnum):
    """What the table wants from this player now."""

    NOTHING = "nothing"
    READY = "ready"
    ASK = "ask"
    """The question, where anyone may call at any time."""
    ANSWER = "answer"
    TURN = "turn"
    """To call or to pass, where all call in turn; the leader's first pass is his question."""
    LATE = "late"
    """To let the opening lead pass, or to double late."""
    CARD = "card"
    CALL = "call"


class View:
    """The newest view of one table, as its reader may see it."""

    __slots__ = ("_names", "message", "own", "play", "public")

    def __init__(self, message: Message) -> None:
        self.message = message
        self.public: Message = message["public"]
        self.own: Message | None = message["own"]
        self.play: Message | None = self.public["play"]
        self._names: list[str | None] | None = None

    @property
    def names(self) -> list[str | None]:
        """Who sits where, fit for the terminal; None for an empty seat."""
        if self._names is None:  # bots never ask
            self._names = [None if sitter is None else clean_name(sitter["name"]) for sitter in self.public["seats"]]
        return self._names

    @property
    def table(self) -> str:
        """The table's id."""
        return str(self.message["table"])

    @property
    def version(self) -> int:
        """The version this view shows."""
        return int(self.message["version"])

    @property
    def stage(self) -> str:
        """`seating`, `deal`, `between` or `over`."""
        return str(self.public["stage"])

    @property
    def seat(self) -> int | None:
        """The reader's seat; None for a watcher."""
        return None if self.own is None else int(self.own["seat"])

    @property
    def phase(self) -> str:
        """`ready`, `opening`, `calls`, `play` or `over`; empty before the first match."""
        return "" if self.play is None else str(self.play["phase"])

    @property
    def in_turn(self) -> bool:
        """Whether all call in turn."""
        return self.play is not None and self.play["calling"] == "in_turn"

    @property
    def deals_counted(self) -> tuple[int, int | None]:
        """The how manieth deal of the match this is, annulled ones left out, and how many there are."""
        if self.play is None:
            return 1, None
        scored = int(self.play["scored"])
        return (scored if self.phase == "over" else scored + 1), self.play["deals"]

    @property
    def last_scored(self) -> tuple[int, Message] | None:
        """The happening of the deal that was scored last, if one was, with the number of its match."""
        happened = self.message["happened"]
        match, last = int(self.public["match"]) - sum(one["event"] == "match_started" for one in happened), None
        for one in happened:
            match += one["event"] == "match_started"
            last = (match, one) if one["event"] == "deal_scored" else last
        return last

    def goes_with(self, scored: tuple[int, Message] | None) -> bool:
        """Whether a deal, given like `last_scored`, is shown as the one that was scored last."""
        last = self.play["last"] if self.play else None
        match = int(self.public["match"])
        return scored is not None and last is not None and scored[0] == match and scored[1]["line"] == last

    @property
    def leader(self) -> int | None:
        """Who leads, or has led, to the first trick."""
        return None if self.play is None else (int(self.play["dealer"]) + 1) % 4

    @property
    def shown(self) -> list[str]:
        """Cards that the leader took back and that do not lie yet, as far as gathered tricks are in sight."""
        play = self.play
        if play is None or not play["shown"] or sum(play["taken"]) > len(play["tricks"]):
            return []
        lying = {
            one["card"] for cards in (play["trick"], *(trick["cards"] for trick in play["tricks"])) for one in cards
        }
        return [card for card in play["shown"] if card not in lying]

    @property
    def same_cards(self) -> bool:
        """Whether all tables of the tournament's round play the same cards."""
        tournament = self.public.get("tournament")
        return tournament is not None and bool(tournament["duplicate"])

    @property
    def owns(self) -> bool:
        """Whether the table is the reader's."""
        sitter = None if self.seat is None else self.public["seats"][self.seat]
        return sitter is not None and sitter["player"] == self.public["owner"]

    @property
    def owner_away(self) -> bool:
        """Whether somebody else owns the table and has no connection open."""
        seats = enumerate(self.public["seats"])
        return not self.owns and any(
            sitter is not None and sitter["player"] == self.public["owner"] and not self.here(seat)
            for seat, sitter in seats
        )

    @property
    def can_annul(self) -> bool:
        """Whether the reader may make the running deal void, since a seat is empty."""
        return self.owns and self.phase in ("calls", "play") and None in self.public["seats"]

    @property
    def prompt(self) -> str:
        """The name of the question that the actions answer; empty for a watcher."""
        return "" if self.own is None else str(self.own["prompt"])

    @property
    def actions(self) -> list[str]:
        """What the reader may do now."""
        return [] if self.own is None else list(self.own["actions"])

    @property
    def code(self) -> str | None:
        """The join code of a private table, for those who sit there."""
        code = None if self.own is None else self.own["code"]
        return None if code is None else grouped(code)

    @property
    def hand(self) -> list[str]:
        """The reader's cards, highest trump first."""
        return list(self.own["play"]["hand"]) if self.own and self.own["play"] else []

    @property
    def playable(self) -> list[str]:
        """The cards that may be played now, in the order of the hand."""
        offered = [action[5:] for action in self.actions if action.startswith("play ")]
        hand = self.hand
        return sorted(offered, key=lambda card: hand.index(card) if card in hand else len(hand))

    @property
    def sides(self) -> list[str | None]:
        """Per seat `old`, `young` or None, as far as the reader can know."""
        known = self.own["play"] if self.own and self.own["play"] else self.play
        return list(known["sides"]) if known else [None] * len(self.names)

    @property
    def doubling(self) -> tuple[int, bool]:
        """The factor of the doublings, and whether it is exact for this reader."""
        known = self.own["play"] if self.own and self.own["play"] else self.play
        return (int(known["doubling"]["factor"]), bool(known["doubling"]["exact"])) if known else (1, True)

    @property
    def doubling_names(self) -> list[str]:
        """What the first, second … doubling is called at this table."""
        return [clean(name, 16) for name in self.play["doubling_names"]] if self.play else []

    @property
    def doublings_said(self) -> list[int]:
        """Who said the first, second … doubling of the game that stands."""
        seats: list[int] = []
        for said in self.play["said"] if self.play else []:
            if said["say"].startswith("double "):
                seats.append(said["seat"])
            elif said["say"] not in ("ask", "go on", "pass"):
                seats = []
        return seats

    @property
    def pause(self) -> Message | None:
        """The pause of a table that stands still: by which seat, since when, and from when anybody may end it."""
        pause: Message | None = self.public["pause"]
        return pause

    @property
    def running(self) -> bool:
        """Whether a match has begun and is not over."""
        return self.stage in ("deal", "between")

    def until(self, time: int, now: int) -> int:
        """The seconds from now to a time of the table's; while it is paused they stay what they were."""
        return max(0, -(-(time - (self.pause["at"] if self.pause else now)) // 1000))

    def seconds(self, now: int) -> int | None:
        """How many seconds are left to answer; `now`: the server's time in ms."""
        deadline = self.play["deadline"] if self.play and self.phase != "opening" else None
        return None if deadline is None else self.until(deadline, now)

    def bot(self, seat: int) -> str | None:
        """The strength of the bot that sits there, or `program`; None for a person and an empty seat."""
        sitter = self.public["seats"][seat]
        return None if sitter is None or sitter["bot"] is None else str(sitter["bot"])

    @property
    def bots(self) -> list[int]:
        """The seats of the bots."""
        return [seat for seat in range(len(self.public["seats"])) if self.bot(seat)]

    def name(self, seat: int | None) -> str:
        """Who sits there; the number of an empty seat, a question mark for an impossible one."""
        if seat is None or not 0 <= seat < len(self.names):
            return "?"
        return self.names[seat] or f"({seat + 1})"

    def name_of_player(self, player: object) -> str | None:
        """The name of a seated player by public id."""
        for seat, sitter in enumerate(self.public["seats"]):
            if sitter is not None and sitter["player"] == player:
                return self.names[seat]
        return None

    def here(self, seat: int) -> bool:
        """Whether a connection of that seat's player is open."""
        return bool(self.message["here"][seat])


def unusable(error: Message) -> str | None:
    """The table that an error says cannot be used at the moment, where a view of it was expected."""
    return error.get("table") if error["code"] in _UNUSABLE and not error.get("id") else None


def grouped(code: object) -> str:
    """A join code in groups of four, easier to read out: `7KQ2-MZX4-V93H`."""
    letters = clean(code, 32)
    return "-".join(letters[start : start + 4] for start in range(0, len(letters), 4))


def need_of(view: View) -> Need:
    """What this player is waited for, or may do."""
    actions = view.actions
    if view.playable:
        return Need.CARD
    if "go on" in actions:
        return Need.ANSWER if view.phase == "calls" else Need.LATE
    if "pass" in actions or ("ask" in actions and view.in_turn):
        return Need.TURN
    if "ask" in actions:
        return Need.ASK
    if any(action.split()[0] in ("ready", "rematch") for action in actions):
        return Need.READY
    return Need.CALL if actions else Need.NOTHING
