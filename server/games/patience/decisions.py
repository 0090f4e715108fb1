"""Every decision in a match of a patience: what an action, or the table's wish, brings about.

Pure: events come out, `match.evolve` applies them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from server.games.game import WINNABLE, DayDeal, Millis, Moment, RuleViolation, Stage
from server.games.patience.deals import hidden_number
from server.games.patience.events import (
    DealAnnulled,
    DealOffered,
    DealOver,
    Dealt,
    Line,
    MatchEnded,
    Moved,
    PatienceEvent,
    Redone,
    SolverAsked,
    Step,
    Undone,
)
from server.games.patience.layout import REDEAL, Move, Patience, Position, move_of
from server.games.patience.match import Deal, Match, cards_out, evolve
from server.games.patience.options import MOST_DEALS, is_number

MOST_STEPS: Final = 2000
"""Where a deal takes no more moves: rows can be rearranged without end, and no deal may grow without bound."""


@dataclass(frozen=True, slots=True)
class _Origin:
    """Which deal is dealt: as it stands in the event."""

    number: str
    known: bool
    keep_twins: bool = False
    day: str = ""
    until: Millis = Millis(0)  # noqa: RUF009 (a NewType is no call with an effect)

    @classmethod
    def again(cls, dealt: Dealt) -> "_Origin":
        return cls(dealt.number, True, dealt.keep_twins, dealt.day, dealt.until)


def begin(label: str) -> tuple[PatienceEvent, ...]:
    """The first deal on offer."""
    return (DealOffered(label, 1),)


def check_ready(match: Match, word: str) -> None:
    """Whether the player may say this with *ready*.

    Nothing for a new deal; `again` for the last one; `number N` for a known one; with single twins
    `keep_twins`, also after a number, to leave the twins in the braid.

    Raises:
        RuleViolation: `unknown_action`, or `bad_number`
    """
    if word in ("", *ready_words(match)):
        return
    head, _, rest = word.partition(" ")
    number, _, twins = rest.partition(" ")
    if head != "number" or twins not in ("", *(word for word in ready_words(match) if word == "keep_twins")):
        raise RuleViolation("unknown_action")
    if not is_number(number):
        raise RuleViolation("bad_number")


def ready_words(match: Match) -> tuple[str, ...]:
    """What the player may say with *ready*, but for the numbers."""
    again = ("again",) if match.deal is not None else ()
    return (*again, "keep_twins") if dict(match.terms.variants).get("single_twins") else again


def deal(match: Match, words: Sequence[str], moment: Moment) -> tuple[PatienceEvent, ...]:
    """Deals: the last deal again, the number said, the table's number first, else one of a hidden number.

    The moment's bytes make the hidden number; with WINNABLE the table has chosen them, and the deal is marked.
    """
    if match.offer is None or match.in_play is not None:
        raise RuleViolation("deal_running")
    word = words[0]
    first = match.offer.deal == 1 and word != WINNABLE
    known, keep_twins = match.terms.number if first else "", word.endswith("keep_twins")
    if word == "again" and match.deal is not None:
        origin = _Origin.again(match.deal.origin)
    else:
        if word.startswith("number "):
            known = word.split(" ")[1]
        origin = _Origin(known or str(hidden_number(moment.entropy)), bool(known), keep_twins)
    dealt, *auto = _dealt(match, origin, moment)
    marked = (SolverAsked(),) if word == WINNABLE else ()
    return tuple(_until_won(match, (dealt, *marked, *auto), moment))


def deal_of_day(match: Match, day: DayDeal, moment: Moment) -> tuple[PatienceEvent, ...]:
    """Deals the deal of the day; not the player's first of that day is dealt as a known one.

    Raises:
        RuleViolation: `no_daily` where the rules are not the usual ones, or `deal_running`
    """
    if not match.usual:
        raise RuleViolation("no_daily")
    if match.offer is None or match.in_play is not None:
        raise RuleViolation("deal_running")
    origin = _Origin(str(hidden_number(day.entropy)), known=not day.first, day=day.day, until=day.until)
    return tuple(_until_won(match, tuple(_dealt(match, origin, moment)), moment))


def _dealt(match: Match, origin: _Origin, moment: Moment) -> Iterator[PatienceEvent]:
    assert match.offer is not None
    rules, number = match.rules, int(origin.number)
    pack = rules.pack(number)
    laid = rules.lay(pack, number, keep_twins=origin.keep_twins)
    opening: list[Step] = []
    position = laid
    for move in rules.opening(laid):
        opening.append(Step(str(move), rules.moving(position, move)))
        position = rules.play(position, move)
    yield Dealt(
        match.offer.deal,
        origin.number,
        origin.known,
        origin.keep_twins,
        pack,
        tuple(opening),
        moment.now,
        origin.day,
        origin.until,
    )
    if match.terms.auto_play:
        yield from _safe_moves(rules, position)


def decide(match: Match, action: str, moment: Moment) -> tuple[PatienceEvent, ...]:
    """What the player's action brings about.

    Raises:
        RuleViolation: the rule that forbids it, or `unknown_action`.
    """
    running = match.running
    match action:
        case "undo":
            return (_undone(match, running),)
        case "redo":
            return (_redone(match, running),)
        case "ask_solver":
            return (SolverAsked(),)
        case "give_up":
            return tuple(_over(match, moment))
        case "restart":
            return tuple(_restart(match, moment))
        case "auto":
            moves = tuple(_safe_moves(match.rules, running.position))
            if not moves:
                raise RuleViolation("nothing_safe")
        case _:
            moves = tuple(_moved(match, move_of(action)))
    return tuple(_until_won(match, moves, moment))


def _moved(match: Match, move: Move) -> Iterator[Moved]:
    rules, position = match.rules, match.running.position
    code = rules.refusal(position, move)
    if code is not None:
        raise RuleViolation(code)
    if match.running.cursor >= MOST_STEPS:
        raise RuleViolation("too_many_moves")
    yield _fact(rules, position, move)
    if match.terms.auto_play:
        yield from _safe_moves(rules, rules.play(position, move))


def _safe_moves(rules: Patience, position: Position) -> Iterator[Moved]:
    while (move := rules.safe(position)) is not None:
        yield _fact(rules, position, move, auto=True)
        position = rules.play(position, move)


def _fact(rules: Patience, position: Position, move: Move, *, auto: bool = False) -> Moved:
    return Moved(str(move), None if move == REDEAL else rules.moving(position, move), auto)


def _until_won(match: Match, moves: Sequence[PatienceEvent], moment: Moment) -> Iterator[PatienceEvent]:
    for event in moves:
        match = evolve(match, event)
        yield event
    if match.rules.won(match.running.position):
        yield from _over(match, moment)


def _undone(match: Match, running: Deal) -> Undone:
    if match.terms.no_undo:
        raise RuleViolation("undo_off")
    if not running.cursor:
        raise RuleViolation("nothing_to_undo")
    return Undone(running.steps[running.cursor - 1])


def _redone(match: Match, running: Deal) -> Redone:
    if running.cursor == len(running.steps):
        raise RuleViolation("nothing_to_redo")
    return Redone(running.steps[running.cursor])


def _over(match: Match, moment: Moment) -> Iterator[PatienceEvent]:
    """Closes the deal, and offers the next or ends the match."""
    running, offer = match.running, match.offer
    assert offer is not None
    origin = running.origin
    yield DealOver(
        Line(
            origin.deal,
            origin.number,
            origin.known or (bool(origin.day) and moment.now >= origin.until),
            running.helped,
            match.rules.won(running.position),
            cards_out(match.rules, running.position),
            running.moves,
            running.auto,
            running.undos,
            origin.at,
            moment.now,
            origin.day,
        )
    )
    if len(match.lines) + 1 == MOST_DEALS:
        yield MatchEnded()
    else:
        yield DealOffered(offer.label, offer.deal + 1)


def _restart(match: Match, moment: Moment) -> Iterator[PatienceEvent]:
    """Gives the deal up and deals it again, as a known deal."""
    running = match.running
    if not running.steps:
        raise RuleViolation("nothing_to_undo")
    for event in _over(match, moment):
        match = evolve(match, event)
        yield event
    if match.stage is not Stage.OVER:
        events = tuple(_dealt(match, _Origin.again(running.origin), moment))
        yield from _until_won(match, events, moment)


def legal(match: Match) -> tuple[str, ...]:
    """The actions that `decide` accepts from the player now."""
    running = match.in_play
    if running is None:
        return ()
    rules = match.rules
    actions = [str(move) for move in rules.moves(running.position)] if running.cursor < MOST_STEPS else []
    if rules.safe(running.position) is not None:
        actions.append("auto")
    if running.cursor and not match.terms.no_undo:
        actions.append("undo")
    if running.cursor < len(running.steps):
        actions.append("redo")
    if running.steps:
        actions.append("restart")
    return (*actions, "ask_solver", "give_up")


def annul(match: Match) -> tuple[PatienceEvent, ...]:
    """Makes the running deal void; its number is not dealt again by itself.

    Raises:
        RuleViolation: `no_deal_running`
    """
    running, offer = match.running, match.offer
    assert offer is not None
    return _void(running), DealOffered(offer.label, offer.deal + 1)


def finish(match: Match) -> tuple[PatienceEvent, ...]:
    """Ends the match.

    Raises:
        RuleViolation: `not_open_ended`, or `deal_running`
    """
    if match.stage is Stage.DEAL:
        raise RuleViolation("deal_running")
    if match.stage is Stage.OVER or not match.lines:
        raise RuleViolation("not_open_ended")
    return (MatchEnded(),)


def end(match: Match) -> tuple[PatienceEvent, ...]:
    """Ends the match where it stands: a running deal is void, finished ones count."""
    if match.stage is Stage.OVER:
        return ()
    void = () if match.in_play is None else (_void(match.in_play),)
    return (*void, MatchEnded())


def _void(running: Deal) -> DealAnnulled:
    """The running deal is void; its number is public, but for a deal of the day."""
    return DealAnnulled(running.origin.deal, "" if running.origin.day else running.origin.number)
