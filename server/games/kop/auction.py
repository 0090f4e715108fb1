"""Open calling: what has been said since the cards were dealt, and what may be said next.

Everything follows from the utterances in their order. Source: docs/rules/kop.md, "Calls".
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from server.games.cards import Card, hand
from server.games.game import Millis, RuleViolation, Seat
from server.games.kop.ruleset import RuleSet, WeseleWhen

BLACK_QUEENS = frozenset(hand("QC QS"))
JACKS = hand("JC JS JH JD")


class Word(StrEnum):
    """What an utterance says."""

    ASK = "ask"
    GO_ON = "go on"
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
    """The calls of one deal. `deadline` is set while an answer time runs; `time_over` when it ran out."""

    leader: Seat
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
        """Whether the leader's question stands: asked, and no call since."""
        last = next((said for said in reversed(self.said) if said.word is not Word.GO_ON), None)
        return last is not None and last.word is Word.ASK

    @property
    def waved(self) -> tuple[Seat, ...]:
        """Who has said *go on* to the standing question."""
        return tuple(said.seat for said in _since_question(self.said))

    @property
    def may_lead(self) -> bool:
        """Whether the leader may lead: all others have said *go on*, or the answer time is over."""
        return self.question and (self.time_over or len(self.waved) == 3)

    @property
    def number(self) -> int:
        """How many calls and questions there were: names the prompt, which *go on* does not change."""
        return sum(said.word is not Word.GO_ON for said in self.said)


def _since_question(said: Sequence[Utterance]) -> Iterator[Utterance]:
    for one in reversed(said):
        if one.word is not Word.GO_ON:
            return
        yield one


def check(auction: Auction, said: Utterance, dealt: Sequence[Card], rules: RuleSet) -> None:
    """Whether the seat, who holds these cards, may say this now.

    Raises:
        RuleViolation: what forbids it, in a way that depends only on what the seat may know.
    """
    match said.word:
        case Word.ASK:
            if said.seat != auction.leader:
                raise RuleViolation("not_leader")
            if auction.question:
                raise RuleViolation("already_asked")
        case Word.GO_ON:
            _check_go_on(auction, said.seat)
        case Word.DOUBLE:
            _check_doubling(auction, said, dealt, rules)
        case Word.WESELE | Word.ZOLO | Word.ZOLO_DU:
            _check_game(auction, said, dealt, rules)


def candidates(auction: Auction, seat: Seat, rules: RuleSet) -> Iterator[Utterance]:
    """Every utterance that could be allowed to the seat now; `check` tells which are."""
    yield Utterance(seat, Word.GO_ON)
    yield Utterance(seat, Word.ASK)
    if rules.wesele_named_jack:
        yield from (Utterance(seat, Word.WESELE, jack=jack) for jack in JACKS)
    else:
        yield Utterance(seat, Word.WESELE)
    yield Utterance(seat, Word.ZOLO)
    yield Utterance(seat, Word.ZOLO_DU)
    yield Utterance(seat, Word.DOUBLE, number=len(auction.doublings) + 1)


def _check_go_on(auction: Auction, seat: Seat) -> None:
    if seat == auction.leader:
        raise RuleViolation("leader_goes_not_on")
    if not auction.question:
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
        return Auction(auction.leader, (*auction.said, said), auction.deadline, auction.time_over)
    return Auction(auction.leader, (*auction.said, said), deadline)
