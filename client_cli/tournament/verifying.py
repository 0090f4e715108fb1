"""Whether the draws of a tournament are what was committed to, and whether the player's own bytes are in them.

It does the draws again with the server's own rules: the client's only module about tournaments that knows them.
Source: docs/tournament-seating.md.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from client_cli.view import Message
from server.games.game import RuleViolation
from server.tournament.draw import draw_seed
from server.tournament.placing import Placing
from server.tournament.seating import Fill, Seating, seat_round
from server.tournament.standings import Account, LineKind, ScoreLine, standings

Outcome = Literal["good", "open", "bad"]


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found about a round (0: about all of them), and whether it is in order, open or wrong."""

    word: str
    outcome: Outcome
    round: int = 0


@dataclass(frozen=True, slots=True)
class Witness:
    """What this client kept: its contributions, and the commitments as they were when the player entered."""

    contributions: Sequence[str]
    commitments: Sequence[str] | None


def findings(
    tournament: str, terms: Message, rows: Sequence[Message], rounds: Sequence[Message], own: int | None, kept: Witness
) -> list[Finding]:
    """What there is to say of the rounds that are drawn.

    `terms`, `rows` of the standings and `rounds` are the server's pages; `own` is the player's number.

    Raises:
        KeyError, TypeError, ValueError: a page is not such as a server sends it
    """
    found = [*_noted(terms, kept), *_own(terms, rounds, own, kept)]
    for number, secret in enumerate(terms["secrets"], start=1):
        fits = hashlib.sha256(bytes.fromhex(secret)).hexdigest() == terms["commitments"][number - 1]
        found.append(Finding("committed", "good", number) if fits else Finding("not_committed", "bad", number))
    for number in range(1, min(len(terms["secrets"]), len(rounds)) + 1):
        same = _drawn(tournament, terms, rows, rounds, number) == _placing(rounds[number - 1])
        found.append(Finding("same_seats", "good", number) if same else Finding("other_seats", "open", number))
    return found


def _noted(terms: Message, kept: Witness) -> list[Finding]:
    if kept.commitments is None:
        return [Finding("nothing_noted", "open")]
    same = list(kept.commitments) == list(terms["commitments"])
    return [Finding("noted", "good") if same else Finding("changed", "bad")]


def _own(terms: Message, rounds: Sequence[Message], own: int | None, kept: Witness) -> list[Finding]:
    if own is None or not kept.contributions:
        return [Finding("own_none", "open")]
    added = terms["contributions"].get(str(own))
    placings = [_placing(page) for page in rounds]
    if added is None and not any(
        own in (*one.byes, *(seat for four in one.tables for seat in four)) for one in placings
    ):
        return [Finding("own_later", "open")]
    inside = added in kept.contributions
    return [Finding("own_in", "good") if inside else Finding("own_missing", "bad")]


def _placing(page: Message) -> Placing:
    tables = [[None if one is None else int(one["entrant"]) for one in table["seats"]] for table in page["tables"]]
    seats = tuple((first, second, third, fourth) for first, second, third, fourth in tables)
    return Placing(seats, tuple(int(one["entrant"]) for one in page["byes"]))


def _drawn(
    tournament: str, terms: Message, rows: Sequence[Message], rounds: Sequence[Message], number: int
) -> Placing | None:
    """The draw of a round done again; None where it cannot be."""
    options, now = terms["options"], _placing(rounds[number - 1])
    playing = {one for table in now.tables for one in table if one is not None} | {*now.byes}
    order = [one.entrant for one in standings(_accounts(rows, number)) if one.entrant in playing]
    order += sorted(playing - {*order})
    added = [(one, bytes.fromhex(terms["contributions"].get(str(one), ""))) for one in sorted(order)]
    seed = draw_seed(bytes.fromhex(terms["secrets"][number - 1]), f"{tournament}/{number}", added)
    past = [_placing(page) for page in rounds[: number - 1]]
    try:
        return seat_round(
            Seating(options["seating"]),
            Fill(options["fill"]),
            order,
            past,
            seed,
            round_number=number,
            rounds=int(options["rounds"]),
        )
    except RuleViolation:
        return None


def _accounts(rows: Sequence[Message], before: int) -> list[Account]:
    """The accounts as far as they were known before a round."""
    return [
        Account(int(row["entrant"]), "", "", tuple(_line(line) for line in row["lines"] if int(line["round"]) < before))
        for row in rows
    ]


def _line(line: Message) -> ScoreLine:
    kind, big = LineKind(line["kind"]), Fraction(line["big"])
    return ScoreLine(int(line["round"]), kind, big, int(line["small"]), line["place"], line["table"])
