"""What has been said since the cards were dealt, and what may be said next.

Two ways of calling share the games and the doublings: *open*, where anyone may call until the lead
and the leader asks *May I?*; and *in turn*, where each passes or calls until enough passes came in a
row. Everything follows from the utterances in their order. Source: docs/rules/kop.md, "Calls".
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from server.games.cards import Card, hand
from server.games.game import Millis, RuleViolation, Seat
from server.games.kop.ruleset import Calling, RuleSet, WeseleWhen

BLACK_QUEENS = frozenset(hand("QC QS"))
JACKS = hand("JC JS JH JD")


class Word(StrEnum):
    """What an utterance says."""

    ASK = "ask"
    GO_ON = "go on"
    PASS = "pass"
    WESELE = "wesele"
    ZOLO = "zolo"
    ZOLO_DU = "zolo du"
    DOUBLE = "double"


GAMES = (Word.WESELE, Word.ZOLO, Word.ZOLO_DU)
"""The games that can be called, the lowest first."""


@dataclass(frozen=True, slots=True)
class Utterance:
    """Something said by a seat: `number` is that of a doubling (else 0), `jack` the one named with a wesele."""

    seat: Seat
    word: Word
    number: int = 0
    jack: Card | None = None

    def __str__(self) -> str:
        """The words of the action."""
        if self.word is Word.DOUBLE:
            return f"{self.word} {self.number}"
        return self.word if self.jack is None else f"{self.word} {self.jack}"


def utterance(seat: Seat, words: str) -> Utterance | None:
    """The utterance that an action's words make, if they make one."""
    match words.split(" "):
        case ["ask"]:
            return Utterance(seat, Word.ASK)
        case ["go", "on"]:
            return Utterance(seat, Word.GO_ON)
        case ["pass"]:
            return Utterance(seat, Word.PASS)
        case ["wesele"]:
            return Utterance(seat, Word.WESELE)
        case ["wesele", jack] if jack in JACKS:
            return Utterance(seat, Word.WESELE, jack=Card(jack))
        case ["zolo"]:
            return Utterance(seat, Word.ZOLO)
        case ["zolo", "du"]:
            return Utterance(seat, Word.ZOLO_DU)
        case ["double", number] if number.isascii() and number.isdigit() and len(number) <= 2 and number[0] != "0":
            return Utterance(seat, Word.DOUBLE, number=int(number))
        case _:
            return None


@dataclass(frozen=True, slots=True)
class Auction:
    """The calls of one deal, open, or in turn with so many `passes_to_close`.

    `deadline` is set while an answer time runs, or the pause after the opening lead in which others
    may still double; `time_over` when it ran out.
    """

    leader: Seat
    passes_to_close: int | None = None
    said: tuple[Utterance, ...] = ()
    deadline: Millis | None = None
    time_over: bool = False

    @property
    def standing(self) -> Utterance | None:
        """The game that stands: the last one called, since only a higher one is accepted."""
        return next((said for said in reversed(self.said) if said.word in GAMES), None)

    @property
    def doublings(self) -> tuple[Seat, ...]:
        """Who said the first, second … doubling since the standing game was called."""
        seats: list[Seat] = []
        for said in reversed(self.said):
            if said.word in GAMES:
                break
            if said.word is Word.DOUBLE:
                seats.append(said.seat)
        return tuple(reversed(seats))

    @property
    def question(self) -> bool:
        """Whether the leader's question stands: asked, and no call since. In turn it is only his pass."""
        if self.passes_to_close is not None:
            return False
        last = next((said for said in reversed(self.said) if said.word is not Word.GO_ON), None)
        return last is not None and last.word is Word.ASK

    @property
    def waved(self) -> tuple[Seat, ...]:
        """Who has said *go on* to the standing question, or to the opening lead."""
        return tuple(said.seat for said in _since_question(self.said))

    @property
    def may_lead(self) -> bool:
        """Whether the leader may lead: all have let him, by *go on*, by silence, or by passing in turn."""
        if self.passes_to_close is None:
            return self.question and self.waved_through
        return self.speaker is None

    @property
    def waved_through(self) -> bool:
        """Whether the wait for the others is over: all three have said *go on*, or the time is over."""
        return self.time_over or len(self.waved) == 3

    @property
    def speaker(self) -> Seat | None:
        """In turn, whose turn it is to call or pass; None once the calls are closed, and in open calling.

        They close when nobody has called and all four have passed, or after a call with enough passes.
        """
        if self.passes_to_close is None:
            return None
        spoken = [said for said in self.said if said.word is not Word.GO_ON]
        if not spoken:
            return self.leader
        passes = 0
        for said in reversed(spoken):
            if said.word not in (Word.PASS, Word.ASK):
                break
            passes += 1
        closed = passes == 4 if passes == len(spoken) else passes >= self.passes_to_close
        return None if closed else Seat((spoken[-1].seat + 1) % 4)

    @property
    def number(self) -> int:
        """How many calls and questions there were: names the prompt, which *go on* does not change."""
        return sum(said.word is not Word.GO_ON for said in self.said)


def _since_question(said: Sequence[Utterance]) -> Iterator[Utterance]:
    for one in reversed(said):
        if one.word is not Word.GO_ON:
            return
        yield one


def check(auction: Auction, said: Utterance, dealt: Sequence[Card], rules: RuleSet, *, lead_lies: bool = False) -> None:
    """Whether the seat, who was dealt these cards, may say this now; `lead_lies`: the opening lead is out.

    Raises:
        RuleViolation: what forbids it, in a way that depends only on what the seat may know.
    """
    if lead_lies:
        _check_late(auction, said)
    elif rules.calling is Calling.IN_TURN:
        _check_turn(auction, said)
    elif said.word is Word.PASS:
        raise RuleViolation("unknown_action")
    match said.word:
        case Word.PASS:
            return
        case Word.ASK:
            if said.seat != auction.leader:
                raise RuleViolation("not_leader")
            if auction.question:
                raise RuleViolation("already_asked")
        case Word.GO_ON:
            _check_go_on(auction, said.seat, lead_lies=lead_lies)
        case Word.DOUBLE:
            _check_doubling(auction, said, dealt, rules)
        case Word.WESELE | Word.ZOLO | Word.ZOLO_DU:
            _check_game(auction, said, dealt, rules)


def candidates(auction: Auction, seat: Seat, rules: RuleSet) -> Iterator[Utterance]:
    """Every utterance that could be allowed to the seat now; `check` tells which are."""
    yield Utterance(seat, Word.GO_ON)
    yield Utterance(seat, Word.ASK)
    yield Utterance(seat, Word.PASS)
    if rules.wesele_named_jack:
        yield from (Utterance(seat, Word.WESELE, jack=jack) for jack in JACKS)
    else:
        yield Utterance(seat, Word.WESELE)
    yield Utterance(seat, Word.ZOLO)
    yield Utterance(seat, Word.ZOLO_DU)
    yield Utterance(seat, Word.DOUBLE, number=len(auction.doublings) + 1)


def _check_turn(auction: Auction, said: Utterance) -> None:
    """In turn the leader's first pass is his question; there is no other."""
    if said.seat != auction.speaker:
        raise RuleViolation("not_your_turn")
    first = not auction.said
    if said.word is Word.GO_ON or (said.word is Word.ASK and not first):
        raise RuleViolation("no_question")
    if said.word is Word.PASS and first:
        raise RuleViolation("ask_first")


def _check_late(auction: Auction, said: Utterance) -> None:
    """While only the opening lead lies, each of the others may still double, or wave it through."""
    if said.seat == auction.leader:
        raise RuleViolation("not_your_turn")
    if said.word not in (Word.DOUBLE, Word.GO_ON):
        raise RuleViolation("not_in_calls")
    if said.word is Word.GO_ON and (auction.deadline is None or auction.time_over):
        raise RuleViolation("no_question")


def _check_go_on(auction: Auction, seat: Seat, *, lead_lies: bool) -> None:
    if seat == auction.leader:
        raise RuleViolation("leader_goes_not_on")
    if not auction.question and not lead_lies:
        raise RuleViolation("no_question")
    if seat in auction.waved:
        raise RuleViolation("already_went_on")


def _check_game(auction: Auction, said: Utterance, dealt: Sequence[Card], rules: RuleSet) -> None:
    standing = auction.standing
    if standing is not None and GAMES.index(said.word) <= GAMES.index(standing.word):
        raise RuleViolation("call_too_low")
    own_words = [one.word for one in auction.said if one.seat == said.seat]
    if said.word is Word.WESELE:
        if not BLACK_QUEENS.issubset(dealt):
            raise RuleViolation("wesele_needs_queens")
        if rules.wesele_when is WeseleWhen.FIRST_CALL and own_words:
            raise RuleViolation("wesele_too_late")
        if rules.wesele_named_jack != (said.jack is not None) or said.jack in dealt:
            raise RuleViolation("wesele_jack")
    elif rules.asked_bars_zolo and own_words[:1] == [Word.ASK]:
        raise RuleViolation("asked_bars_zolo")


def _check_doubling(auction: Auction, said: Utterance, dealt: Sequence[Card], rules: RuleSet) -> None:
    following = len(auction.doublings) + 1
    if said.number > len(rules.doubling_names):
        raise RuleViolation("no_more_doublings")
    if said.number < following:
        raise RuleViolation("doubling_taken")
    if said.number > following:
        raise RuleViolation("doubling_out_of_order")
    if following > 1:
        return
    match auction.standing:
        case None:
            barred = not rules.cicha_first_kontra and BLACK_QUEENS.issubset(dealt)
        case Utterance(seat=caller, word=Word.WESELE):
            barred = said.seat == caller and not rules.wesele_self_kontra
        case Utterance(seat=caller):
            barred = said.seat == caller
    if barred:
        raise RuleViolation("no_first_doubling")


def say(auction: Auction, said: Utterance, deadline: Millis | None) -> Auction:
    """The auction after an utterance; `deadline` is the answer time's end if it was the question."""
    if said.word is Word.GO_ON:
        return replace(auction, said=(*auction.said, said))
    return replace(auction, said=(*auction.said, said), deadline=deadline, time_over=False)
