"""The score sheet of a match and that of the evening, with who owes whom. Money goes with the person."""

from collections.abc import Iterable

from server.games.game import Plain, RuleViolation
from server.games.settlement import payments
from server.table.evening import MatchScore, PersonScore, added
from server.table.evolution import match_score
from server.table.state import Table


def sheet(table: Table) -> Plain:
    """The score sheet of the running or last match, with the names at each deal."""
    parts = table.game.sheet(table.play)
    lines = [
        {
            "names": ["" if sitter is None else sitter.name for sitter in sitters],
            "bots": [sitter is not None and not sitter.person for sitter in sitters],
            "line": line,
        }
        for sitters, line in zip(table.sat, parts["lines"], strict=True)
    ]
    score = match_score(table)
    people = () if score is None else score.people
    return {"match": table.match, "options": table.options, **parts, "lines": lines, "debts": _debts(table, people)}


def evening(table: Table) -> Plain:
    """All matches of the table up to now: who sat where, both ledgers, what each person did, who owes whom.

    Raises:
        RuleViolation: `no_evening`: it is a table for one.
    """
    if len(table.seats) == 1:
        raise RuleViolation("no_evening")
    running = match_score(table)
    matches = (*table.evening, *(() if running is None else (running,)))
    people = added(matches)
    return {
        "stake": table.game.sheet(table.play)["stake"],
        "matches": [_match(table, score) for score in matches],
        "people": [_person(table, one) for one in people],
        "debts": _debts(table, people),
    }


def _match(table: Table, score: MatchScore) -> Plain:
    return {
        "first": score.first,
        "last": score.last,
        "deals": score.deals,
        "people": [_person(table, one) for one in score.people],
    }


def _person(table: Table, one: PersonScore) -> Plain:
    """A person's part; `money` is the amount, the other numbers are counts."""
    counts = {name: number for name, number in one.numbers.items() if name != "money"}
    return {
        "player": one.player,
        "name": one.name,
        "bot": one.bot,
        "seats": list(one.seats),
        "money": table.game.money(table.play, one.numbers["money"]),
        **counts,
    }


def _debts(table: Table, people: Iterable[PersonScore]) -> list[Plain]:
    """Who pays whom, in the fewest payments."""
    who = {str(one.player): one for one in people}
    settled = payments({player: one.numbers["money"] for player, one in who.items()})
    return [
        {
            **_party("debtor", who[payment.debtor]),
            **_party("creditor", who[payment.creditor]),
            "amount": table.game.money(table.play, payment.amount),
        }
        for payment in settled
    ]


def _party(part: str, one: PersonScore) -> Plain:
    return {part: one.name, f"{part}_player": one.player, f"{part}_bot": one.bot}
