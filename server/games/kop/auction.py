"""What has been said since the cards were dealt, and what may be said next.

Two ways of calling share the games and the doublings: *open*, where anyone may call until the lead
and the leader asks *May I?*; and *in turn*, where each passes or calls until enough passes came in a
row. Everything follows from the utterances in their order. Source: docs/rules/kop.md, "Calls".
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Final, NamedTuple

from server.games.cards import Card, hand
from server.games.game import Millis, RuleViolation, Seat
from server.games.kop.ruleset import Calling, RuleSet, WeseleWhen
from server.games.values import changed

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


# For what is asked at every move: to get a member from its class takes four times as long.
_ASK: Final = Word.ASK
_GO_ON: Final = Word.GO_ON
_DOUBLE: Final = Word.DOUBLE

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
    def called(self) -> tuple[Utterance | None, tuple[Seat, ...]]:
        """The game that stands, and who said the first, second … doubling since it was called.

        It is the last one called, since only a higher one is accepted.
        """
        standing: Utterance | None = None
        doublings: list[Seat] = []
        for said in reversed(self.said):
            word = said.word
            if word in GAMES:
                standing = said
                break
            if word is _DOUBLE:
                doublings.append(said.seat)
        return standing, tuple(reversed(doublings))

    @property
    def standing(self) -> Utterance | None:
        """The game that stands."""
        return self.called[0]

    @property
    def doublings(self) -> tuple[Seat, ...]:
        """Who said the first, second … doubling since the standing game was called."""
        return self.called[1]

    @property
    def question(self) -> bool:
        """Whether the leader's question stands: asked, and no call since. In turn it is only his pass."""
        if self.passes_to_close is not None:
            return False
        for said in reversed(self.said):
            if said.word is not _GO_ON:
                return said.word is _ASK
        return False

    @property
    def waved(self) -> tuple[Seat, ...]:
        """Who has said *go on* to the standing question, or to the opening lead."""
        seats: list[Seat] = []
        for said in reversed(self.said):
            if said.word is not _GO_ON:
                break
            seats.append(said.seat)
        return tuple(seats)

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
        spoken = [said for said in self.said if said.word is not _GO_ON]
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
        return len([said for said in self.said if said.word is not _GO_ON])


def check(auction: Auction, said: Utterance, dealt: Sequence[Card], rules: RuleSet, *, lead_lies: bool = False) -> None:
    """Whether the seat may say this now; see `refusal`.

    Raises:
        RuleViolation: what forbids it.
    """
    forbidden = refusal(auction, said, dealt, rules, lead_lies=lead_lies)
    if forbidden is not None:
        raise RuleViolation(forbidden)


class _Heard(NamedTuple):
    """What stands of all that was said, found once for all that is asked about it."""

    auction: Auction
    standing: Utterance | None
    question: bool
    waved: Sequence[Seat]
    speaker: Seat | None
    next_doubling: int
    lead_lies: bool


def _heard(auction: Auction, *, lead_lies: bool) -> _Heard:
    standing, doublings = auction.called
    return _Heard(auction, standing, auction.question, auction.waved, auction.speaker, len(doublings) + 1, lead_lies)


def refusal(
    auction: Auction, said: Utterance, dealt: Sequence[Card], rules: RuleSet, *, lead_lies: bool = False
) -> str | None:
    """What forbids the seat, who was dealt these cards, to say this now; `lead_lies`: the opening lead is out.

    It depends only on what the seat may know.
    """
    return _refusal(_heard(auction, lead_lies=lead_lies), said, dealt, rules)


def allowed(
    auction: Auction, seats: Sequence[Seat], dealt: Sequence[Sequence[Card]], rules: RuleSet, *, lead_lies: bool = False
) -> list[tuple[str, ...]]:
    """All that each of these seats may say now, in the words of the actions: what `refusal` does not forbid.

    `dealt` has the cards of all four; of a seat it depends only on its own.
    """
    heard, in_turn = _heard(auction, lead_lies=lead_lies), rules.calling is Calling.IN_TURN
    menus: list[tuple[str, ...]] = []
    for seat in seats:
        cards = dealt[seat]
        leads, queens = seat == auction.leader, BLACK_QUEENS.issubset(cards)
        candidates = _candidates(seat, leads, queens, heard.next_doubling, in_turn, rules.wesele_named_jack)
        menus.append(tuple([words for said, words in candidates if _refusal(heard, said, cards, rules) is None]))
    return menus


@cache
def _candidates(
    seat: Seat, leads: bool, queens: bool, doubling: int, in_turn: bool, named_jack: bool
) -> tuple[tuple[Utterance, str], ...]:
    """Every utterance that could ever be allowed to such a seat, with its words."""
    jacks = JACKS if named_jack else (None,)
    candidates = (
        Utterance(seat, Word.ASK if leads else Word.GO_ON),
        *([Utterance(seat, Word.PASS)] if in_turn else ()),
        *(Utterance(seat, Word.WESELE, jack=jack) for jack in (jacks if queens else ())),
        Utterance(seat, Word.ZOLO),
        Utterance(seat, Word.ZOLO_DU),
        Utterance(seat, Word.DOUBLE, number=doubling),
    )
    return tuple((said, str(said)) for said in candidates)


def _refusal(heard: _Heard, said: Utterance, dealt: Sequence[Card], rules: RuleSet) -> str | None:
    if heard.lead_lies:
        first = _refusal_late(heard.auction, said)
    elif rules.calling is Calling.IN_TURN:
        first = _refusal_in_turn(heard, said)
    else:
        first = None
    return _REFUSALS[said.word](heard, said, dealt, rules) if first is None else first


def _refusal_in_turn(heard: _Heard, said: Utterance) -> str | None:
    """In turn the leader's first pass is his question; there is no other."""
    if said.seat != heard.speaker:
        return "not_your_turn"
    first = not heard.auction.said
    if said.word is Word.GO_ON or (said.word is Word.ASK and not first):
        return "no_question"
    return "ask_first" if said.word is Word.PASS and first else None


def _refusal_late(auction: Auction, said: Utterance) -> str | None:
    """While only the opening lead lies, each of the others may still double, or wave it through."""
    if said.seat == auction.leader:
        return "not_your_turn"
    if said.word not in (Word.DOUBLE, Word.GO_ON):
        return "not_in_calls"
    over = auction.deadline is None or auction.time_over
    return "no_question" if said.word is Word.GO_ON and over else None


def _refusal_to_pass(heard: _Heard, said: Utterance, dealt: Sequence[Card], rules: RuleSet) -> str | None:
    return None if rules.calling is Calling.IN_TURN else "unknown_action"


def _refusal_to_ask(heard: _Heard, said: Utterance, dealt: Sequence[Card], rules: RuleSet) -> str | None:
    if said.seat != heard.auction.leader:
        return "not_leader"
    return "already_asked" if heard.question else None


def _refusal_to_go_on(heard: _Heard, said: Utterance, dealt: Sequence[Card], rules: RuleSet) -> str | None:
    if said.seat == heard.auction.leader:
        return "leader_goes_not_on"
    if not heard.question and not heard.lead_lies:
        return "no_question"
    return "already_went_on" if said.seat in heard.waved else None


def _refusal_of_game(heard: _Heard, said: Utterance, dealt: Sequence[Card], rules: RuleSet) -> str | None:
    standing = heard.standing
    if standing is not None and GAMES.index(said.word) <= GAMES.index(standing.word):
        return "call_too_low"
    if said.word is Word.WESELE:
        if not BLACK_QUEENS.issubset(dealt):
            return "wesele_needs_queens"
        if rules.wesele_when is WeseleWhen.FIRST_CALL and any(one.seat == said.seat for one in heard.auction.said):
            return "wesele_too_late"
        if rules.wesele_named_jack != (said.jack is not None) or said.jack in dealt:
            return "wesele_jack"
    elif rules.asked_bars_zolo and _first_word(heard.auction, said.seat) is Word.ASK:
        return "asked_bars_zolo"
    return None


def _first_word(auction: Auction, seat: Seat) -> Word | None:
    return next((one.word for one in auction.said if one.seat == seat), None)


def _refusal_of_doubling(heard: _Heard, said: Utterance, dealt: Sequence[Card], rules: RuleSet) -> str | None:
    following = heard.next_doubling
    if said.number > len(rules.doubling_names):
        return "no_more_doublings"
    if said.number < following:
        return "doubling_taken"
    if said.number > following:
        return "doubling_out_of_order"
    if following > 1:
        return None
    match heard.standing:
        case None:
            barred = not rules.cicha_first_kontra and BLACK_QUEENS.issubset(dealt)
        case Utterance(seat=caller, word=Word.WESELE):
            barred = said.seat == caller and not rules.wesele_self_kontra
        case Utterance(seat=caller):
            barred = said.seat == caller
    return "no_first_doubling" if barred else None


_REFUSALS: Final[dict[Word, Callable[[_Heard, Utterance, Sequence[Card], RuleSet], str | None]]] = {
    Word.PASS: _refusal_to_pass,
    Word.ASK: _refusal_to_ask,
    Word.GO_ON: _refusal_to_go_on,
    Word.DOUBLE: _refusal_of_doubling,
    **dict.fromkeys(GAMES, _refusal_of_game),
}


def say(auction: Auction, said: Utterance, deadline: Millis | None) -> Auction:
    """The auction after an utterance; `deadline` is the answer time's end if it was the question."""
    if said.word is Word.GO_ON:
        return changed(auction, said=(*auction.said, said))
    return changed(auction, said=(*auction.said, said), deadline=deadline, time_over=False)
