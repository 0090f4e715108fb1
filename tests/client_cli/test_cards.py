"""Cards as people type and read them."""

import pytest

from client_cli.cards import SUITS, face_of, faces, parse_card
from client_cli.catalogue import LANGUAGES, load

DECK = [rank + suit for suit in "CSHD" for rank in "ATQJ"]


@pytest.mark.parametrize(
    ("typed", "card"),
    [
        ("AH", "AH"),
        ("ah", "AH"),
        ("A♥", "AH"),
        ("A\N{BLACK HEART SUIT}\N{VARIATION SELECTOR-16}", "AH"),
        ("10h", "TH"),
        ("th", "TH"),
        ("10 ♦", "TD"),
        ("d♣", "QC"),
        ("qc", "QC"),
        ("bd", "JD"),
        ("W♦", "JD"),
        (" js ", "JS"),
        ("D♦", "QD"),
        ("KH", None),
        ("9h", None),
        ("1h", None),
        ("A", None),
        ("", None),
        ("AHH", None),
    ],
)
def test_a_card_is_understood_in_any_usual_spelling(typed: str, card: str | None) -> None:
    """Rank letters of the three languages, `10` or `t`, suit letters or symbols, capitals or not."""
    assert parse_card(typed) == card


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("unicode", [True, False])
def test_every_card_is_read_back_as_it_is_shown(language: str, unicode: bool) -> None:
    """What the client shows, it also understands."""
    face = face_of(load(language), unicode=unicode)
    assert [parse_card(face(card)) for card in DECK] == DECK


@pytest.mark.parametrize(
    ("language", "shown"), [("de", "A♥ 10♥ D♣ B♦"), ("pl", "A♥ 10♥ D♣ W♦"), ("en", "A♥ 10♥ Q♣ J♦")]
)
def test_cards_are_shown_in_the_letters_of_the_language(language: str, shown: str) -> None:
    """German Dame and Bube, Polish dama and walet, English queen and jack."""
    assert faces(face_of(load(language), unicode=True), ["AH", "TH", "QC", "JD"]) == shown


def test_without_symbols_a_card_has_a_suit_letter() -> None:
    """An output that cannot show suits gets ASCII; what is no card is a question mark."""
    face = face_of(load("en"), unicode=False)
    assert faces(face, ["TH", "QC", "\x1b[2J"]) == "10H QC ?"
    assert set(SUITS) == set("CSHD")
