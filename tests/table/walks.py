"""Random walks over a table: players and bots who come, play, click, vote, pause and go, sensibly or not."""

from typing import Any

from hypothesis import strategies as st
from pydantic import TypeAdapter

from protocol.kop import KopHappening
from protocol.server import TableHappening
from server.games.game import Millis, OptionValue, Seat, Stage
from server.games.kop.opening import seat_commitment
from server.games.kop.ruleset import RULE_SETS
from server.table import view
from server.table.commands import (
    Act,
    AnnulDeal,
    BotActs,
    ChangeOptions,
    Command,
    FinishMatch,
    GiveTime,
    HandOver,
    LeaveSeat,
    NoteAbsent,
    NoteAttended,
    NoteDeserted,
    NoteReturn,
    PassOwnership,
    PauseTable,
    RemoveSitter,
    ResumeTable,
    RunOut,
    Say,
    SeatBot,
    StartDeal,
    TakeSeat,
    Vote,
)
from server.table.events import Choice
from server.table.house_rules import OnAbsence
from server.table.ids import PlayerId
from server.table.state import Table
from server.table.strength import Strength
from tests.games.kop.scenes import SEATS
from tests.games.kop.strategies import choose
from tests.table.scenes import CANDIDATES, Log, sitter

HAPPENING: TypeAdapter[Any] = TypeAdapter(TableHappening | KopHappening)
PEOPLE = "abcdefg"
BYTES = [bytes([seat + 1]) * 32 for seat in SEATS]
COMMITTED = [seat_commitment(secret, 0) for secret in BYTES]
HOUSES: list[dict[str, OptionValue]] = [
    {},
    {"on_absence": "wait"},
    {"on_absence": "bot", "talk": "phrases"},
    {"on_absence": "vote", "clock_seconds": 20, "clock_bank": 30},
    {"on_absence": "bot", "clock_seconds": 3, "talk": "off"},
    {"on_absence": "clock", "clock_seconds": 5, "clock_bank": 30},
]


@st.composite
def walks(draw: st.DrawFn) -> tuple[Log, list[int]]:
    """A table after some quiet deals, and the numbers that choose what people do next."""
    code, deals = draw(st.sampled_from([None, "CODE"])), draw(st.sampled_from([4, None]))
    house = draw(st.sampled_from(HOUSES))
    log = Log().open(code, deals=deals, rules=draw(st.sampled_from(sorted(RULE_SETS))), **house)
    for letter in draw(st.sampled_from(["bcd", "bc.", "b..", "..."])):
        log = log.seat_bot() if letter == "." else log.sit(letter)
    for _ in range(draw(st.integers(0, 4))):
        log.ready().play_on()
    if log.match.terms.deals is None and draw(st.booleans()):
        log.play_on()
    return log, draw(st.lists(st.integers(0, 9999), min_size=25, max_size=60))


@st.composite
def young_walks(draw: st.DrawFn) -> tuple[Log, list[int]]:
    """A table whose match has not begun."""
    log = Log().open(None, **draw(st.sampled_from(HOUSES)))
    return log, draw(st.lists(st.integers(0, 9999), min_size=25, max_size=60))


def command(log: Log, number: int) -> Command:
    """What a number makes people do: mostly the next thing of the game, else anything, sensible or not."""
    kind, rest = number % 20, number // 20
    player = PlayerId(PEOPLE[rest % len(PEOPLE)])
    match kind:
        case 10:
            return LeaveSeat(player)
        case 11:
            return TakeSeat(sitter(player), [None, *SEATS][rest // 7 % 5])
        case 12 | 13:
            return owners_wish(log, log.table.owner if rest % 4 else player, rest // 4)
        case 14:
            return Act(player, log.table.prompt, CANDIDATES[rest // 7 % len(CANDIDATES)])
        case 15:
            return NoteAbsent(player) if rest % 5 else NoteDeserted()
        case 16:
            return (NoteAttended(), GiveTime(Millis(log.now - 5_000)), NoteReturn(player))[min(rest % 4, 2)]
        case 17:
            return vote(log, player, rest)
        case 18:
            text, phrase = "tak" * (rest % 3), "hello" * (rest % 5 < 2)
            return ResumeTable(player) if rest % 2 else Say(player, "name", text, phrase)
        case 19:
            return server_word(log, player, rest)
        case _:
            return next_move(log, rest)


def owners_wish(log: Log, owner: PlayerId, number: int) -> Command:
    """Something that only an owner may want."""
    table = log.table
    there = [one.player for one in table.seats if one is not None]
    other = (*there, PlayerId("x"))[number // 8 % (len(there) + 1)]
    wishes: list[Command] = [
        RemoveSitter(owner, other),
        StartDeal(owner, table.prompt),
        FinishMatch(owner, table.prompt),
        AnnulDeal(owner, table.prompt),
        PauseTable(owner),
        HandOver(owner, other),
        SeatBot(owner, [None, *SEATS][number // 8 % 5], Strength.EASY),
        ChangeOptions(owner, HOUSES[number // 8 % len(HOUSES)]),
    ]
    return wishes[number % len(wishes)]


def vote(log: Log, player: PlayerId, number: int) -> Command:
    """Somebody votes on an absence, if there is one; people are often of one mind."""
    numbers = [absence.number for absence in log.table.absences] or [number % 50]
    absence = numbers[number % len(numbers)]
    mind = absence if number % 4 else number // 7
    return Vote(player, absence, list(Choice)[mind % 3])


def server_word(log: Log, player: PlayerId, number: int) -> Command:
    """What the server says by itself, in time or not."""
    table = log.table
    match number % 4:
        case 0:
            log.now += number
            return RunOut(table.prompt)
        case 1:
            return BotActs(Seat(number // 4 % 4), table.prompt, CANDIDATES[number // 16 % len(CANDIDATES)])
        case 2:
            return PassOwnership(player, table.owner)
        case _:
            if table.deadline is not None:
                log.at(table.deadline)
            return RunOut(table.prompt)


def next_move(log: Log, number: int) -> Command:
    """What the table waits for: a step of the deal, *ready*, a player for an empty seat, the end of a pause."""
    table = log.table
    if table.pause is not None:
        log.now += number
        return ResumeTable(table.owner) if number % 2 else NoteAttended()
    if table.house.on_absence is OnAbsence.VOTE and table.absences and table.people and number % 4:
        return vote(log, _player(table, table.people[number // 4 % len(table.people)]), number)
    if not table.full and (table.stage is not Stage.DEAL or number % 4):
        free = [letter for letter in PEOPLE if table.seat_of(PlayerId(letter)) is None]
        return TakeSeat(sitter(free[number % len(free)]), None)
    if table.stage is not Stage.DEAL:
        seat = Seat(table.ready.index(None))
        words = [*view.actions(table, seat), *([f"ready {COMMITTED[seat]}"] if table.stage is Stage.BETWEEN else [])]
        return by_seat(table, seat, words[number % len(words)])
    if log.match.opening is not None:
        return opening_move(log, number)
    chosen, action = choose(log.match, number)
    if chosen is None or table.seats[chosen] is None:
        log.now = max(log.now, table.deadline or 0)
        return RunOut(table.prompt)
    return by_seat(table, chosen, action)


def by_seat(table: Table, seat: Seat, action: str) -> Command:
    """Whoever plays the seat answers."""
    if table.played_by_bot(seat):
        return BotActs(seat, table.prompt, action)
    return Act(_player(table, seat), table.prompt, action)


def opening_move(log: Log, number: int) -> Command:
    """A seat opens its commitment, or the time runs out."""
    opening = log.match.opening
    assert opening is not None
    opened = [one.seat for one in opening.opened]
    open_now = [seat for seat in SEATS if opening.commitments[seat] and seat not in opened]
    seat = open_now[number % len(open_now)]
    if number % 4 == 3 or log.table.seats[seat] is None:
        log.now = opening.deadline
        return RunOut(log.table.prompt)
    return by_seat(log.table, seat, f"open {BYTES[seat].hex()}")


def _player(table: Table, seat: Seat) -> PlayerId:
    there = table.seats[seat]
    assert there is not None
    return there.player
