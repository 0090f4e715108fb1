"""The draws of real tournaments done again by the client, and what it says where something is not in order."""

import copy
from fractions import Fraction
from typing import Any

import pytest

from client_cli.board import Board
from client_cli.catalogue import LANGUAGES, load
from client_cli.style import Look, plain
from client_cli.tournament.draws import Draws
from client_cli.tournament.verifying import Finding, Witness, findings
from server.tournament import view
from server.tournament.commands import Penalise, Replace, Withdraw
from tests.tournament.evenings import Evening, player

Pages = tuple[dict[str, Any], list[dict[str, Any]], list[dict[str, Any]]]


def pages(evening: Evening) -> Pages:
    """The terms, the rows of the standings, and each round, as they go over the wire."""
    known = evening.tournament
    rounds = [view.round_page(known, number) for number in range(1, len(known.rounds) + 1)]
    return view.terms_page(known), list(view.standings_page(known)["rows"]), rounds


def played(**options: Any) -> Evening:
    """A whole evening of nine, one of whom leaves in the first break."""
    evening = Evening(seed=7, **options)
    evening.enter_all(9)
    evening.open_round()
    evening.play_round()
    evening.do(Withdraw(player(4)))
    evening.play_on()
    return evening


def witness(evening: Evening, entrant: int) -> Witness:
    """What the client of this entrant has kept."""
    contribution = evening.tournament.entrants[entrant - 1].contribution.hex()
    return Witness([contribution], list(view.terms_page(evening.tournament)["commitments"]))


def outcomes(found: list[Finding]) -> dict[str, list[int]]:
    """The rounds of each kind of finding."""
    told: dict[str, list[int]] = {}
    for one in found:
        told.setdefault(one.word, []).append(one.round)
    return told


@pytest.mark.parametrize("preset", ["quick", "wolsztyn", "koscian"])
@pytest.mark.parametrize("seating", ["draw", "balanced", "standing"])
def test_every_draw_of_an_evening_comes_out_the_same(preset: str, seating: str) -> None:
    """By each way of seating, with bots or byes."""
    evening = played(preset=preset, seating=seating)
    known = evening.tournament
    found = findings(known.id, *pages(evening), 2, witness(evening, 2))
    rounds = [*range(1, len(known.rounds) + 1)]
    assert outcomes(found) == {"noted": [0], "own_in": [0], "committed": rounds, "same_seats": rounds}
    assert {one.outcome for one in found} == {"good"}


def test_what_is_not_in_order_is_found() -> None:
    """Other commitments than were noted, another secret, bytes that are not the player's own."""
    evening = played()
    known, (terms, rows, rounds) = evening.tournament, pages(evening)
    kept = witness(evening, 2)
    changed = copy.deepcopy(terms)
    changed["secrets"][1] = "00" * 32
    changed["contributions"]["2"] = "11" * 32
    found = outcomes(findings(known.id, changed, rows, rounds, 2, kept))
    assert found["own_missing"] == [0]
    assert found["not_committed"] == [2]
    assert {1, 2} <= set(found["other_seats"])
    changed = copy.deepcopy(terms)
    changed["commitments"][0] = "22" * 32
    found = outcomes(findings(known.id, changed, rows, rounds, 2, kept))
    assert (found["changed"], found["not_committed"]) == ([0], [1])


def test_who_has_kept_nothing_learns_what_is_not_shown() -> None:
    """A watcher can do the draws again all the same."""
    evening = played()
    found = outcomes(findings(evening.tournament.id, *pages(evening), None, Witness([], None)))
    assert found["nothing_noted"] == found["own_none"] == [0]
    assert found["same_seats"] == [1, 2, 3]


def test_a_seat_that_was_given_away_later_is_no_reproach() -> None:
    """The round is not seated any more as it was drawn; nothing is said to be wrong."""
    evening = Evening(seed=3)
    evening.enter_all(8)
    evening.open_round()
    evening.order(Replace(2, None))
    evening.play_on()
    found = findings(evening.tournament.id, *pages(evening), 1, witness(evening, 1))
    assert "bad" not in {one.outcome for one in found}
    assert 1 in outcomes(found)["other_seats"]


def test_penalties_before_a_round_count_in_its_order() -> None:
    """They stand in the accounts with their round."""
    evening = Evening(seed=5, seating="standing")
    evening.enter_all(12)
    evening.open_round()
    evening.play_round()
    evening.order(Penalise(3, 1, Fraction(-1, 2), 0, "late"))
    evening.play_on()
    found = outcomes(findings(evening.tournament.id, *pages(evening), 1, witness(evening, 1)))
    assert found["same_seats"] == [1, 2, 3]


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_finding_has_a_sentence(language: str, tmp_path: Any) -> None:
    """And pages that make no sense are told as such."""
    evening = played()
    known, (terms, rows, rounds) = evening.tournament, pages(evening)
    draws = Draws(tmp_path, "default", "http://kop.example")
    draws.note(known.id, terms["commitments"])
    draws.note(known.id, ["later"])
    board = Board(load(language), Look()).tournament
    lines = board.verdict(known.id, [terms, {"rows": rows}, *rounds], 2, draws)
    assert len({plain(line) for line in lines}) == 2 + 2 * len(rounds)
    assert plain(lines[0]) == load(language)("tournament_verify.noted")
    broken = {**terms, "secrets": ["zz"]}
    assert len(board.verdict(known.id, [broken, {"rows": rows}, *rounds], 2, draws)) == 1
    nothing = {**terms, "secrets": []}
    assert len(board.verdict(known.id, [nothing, {"rows": []}], 2, draws)) == 3


def test_before_the_first_draw_nothing_is_missing() -> None:
    """The player's own bytes come out with it: till then they are open; afterwards a server without them is wrong."""
    evening = Evening(seed=7)
    evening.enter_all(4)
    kept = witness(evening, 2)
    assert outcomes(findings(evening.tournament.id, *pages(evening), 2, kept)) == {"noted": [0], "own_later": [0]}
    evening.open_round()
    terms, rows, rounds = pages(evening)
    assert "own_in" in outcomes(findings(evening.tournament.id, terms, rows, rounds, 2, kept))
    del terms["contributions"]["2"]
    assert "own_missing" in outcomes(findings(evening.tournament.id, terms, rows, rounds, 2, kept))
