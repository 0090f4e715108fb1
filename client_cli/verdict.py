"""What a check of records can find, in stable words; the texts for people are in the catalogues. Pure.

Each word is explained in docs/fair-deal.md, by which another verifier finds the same.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Outcome(StrEnum):
    """What a record shows, the worst last."""

    NOBODY_CHOSE = "nobody_chose"
    CONSISTENT = "consistent"
    CHEATED = "cheated"


class Word(StrEnum):
    """One thing that was found."""

    # The record alone
    MALFORMED = "malformed"
    SECRET_WRONG = "secret_wrong"
    OPENING_WRONG = "opening_wrong"
    CUT_WRONG = "cut_wrong"
    DECK_WRONG = "deck_wrong"
    REPLAY_WRONG = "replay_wrong"
    NUMBERS_WRONG = "numbers_wrong"
    # Several records
    TWO_RECORDS = "two_records"
    DEALER_WRONG = "dealer_wrong"
    SECRET_REUSED = "secret_reused"
    # Against what the client kept
    COMMITMENT_CHANGED = "commitment_changed"
    SEAT_COMMITMENT_CHANGED = "seat_commitment_changed"
    OPENED_CHANGED = "opened_changed"
    OWN_COMMITMENT_MISSING = "own_commitment_missing"
    OWN_BYTES_CHANGED = "own_bytes_changed"
    OWN_BYTES_IGNORED = "own_bytes_ignored"
    HAND_CHANGED = "hand_changed"
    BURNED_WRONG = "burned_wrong"
    DEAL_HIDDEN = "deal_hidden"
    # What keeps a sound record from showing that nobody chose
    NOT_KEPT = "not_kept"
    NOBODY_ADDED = "nobody_added"
    FROM_ROUND = "from_round"
    OWN_NOT_IN = "own_not_in"
    OPENING_UNSEEN = "opening_unseen"
    UNOPENED = "unopened"
    ANNULLED = "annulled"
    ROLLED_BACK = "rolled_back"
    BEFORE_UNKNOWN = "before_unknown"


DOUBTS: Final = frozenset(
    {
        Word.NOT_KEPT,
        Word.NOBODY_ADDED,
        Word.FROM_ROUND,
        Word.OWN_NOT_IN,
        Word.OPENING_UNSEEN,
        Word.UNOPENED,
        Word.ANNULLED,
        Word.ROLLED_BACK,
        Word.BEFORE_UNKNOWN,
    }
)
"""Findings that accuse nobody: with one of them a record is *consistent* at best."""


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """Something found in the record of a deal; `seat` or `number` (of another deal) say about what, else -1."""

    word: Word
    seat: int = -1
    number: int = -1


@dataclass(frozen=True, slots=True)
class Verdict:
    """The findings about one record, each once, in their order."""

    record: str
    findings: tuple[Finding, ...]

    @property
    def outcome(self) -> Outcome:
        """What the record shows."""
        if any(finding.word not in DOUBTS for finding in self.findings):
            return Outcome.CHEATED
        return Outcome.CONSISTENT if self.findings else Outcome.NOBODY_CHOSE


def worst(verdicts: tuple[Verdict, ...]) -> Outcome:
    """What several records show together."""
    order = list(Outcome)
    return max((verdict.outcome for verdict in verdicts), key=order.index, default=Outcome.CONSISTENT)
