"""The page *How to play* says what it must, the way each language writes it."""

import re

import pytest

from client_cli.cards import face_of
from client_cli.catalogue import LANGUAGES, load
from client_cli.howto import howto

COLUMNS, LINES = 78, 50
AS_DYCHA = ["AH", "TH", "QC", "QS", "QH", "QD", "JC", "JS", "JH", "JD", "AD", "TD"]
CARD = re.compile(r"[0-9A-Z]+[♣♠♥♦]")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_fits_a_terminal(language: str) -> None:
    """No line is wider than 78 columns, none ends in blanks, and there are not more than 50."""
    lines = howto(language)
    assert 40 <= len(lines) <= LINES
    assert [line for line in lines if len(line) > COLUMNS or line != line.rstrip()] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_names_all_that_can_be_said(language: str) -> None:
    """The question, every game and the four doublings stand in it, by the catalogue's words."""
    texts, page = load(language), "\n".join(howto(language))
    said = {texts("table.ask"), texts("table.go_on"), "kontra", "re", "bok", "słup", "as_dycha", "as_trzy_dychy"}
    said |= {texts(f"game.{game}") for game in ("wesele", "zolo", "zolo_du", "cicha")}
    assert {word for word in said if not re.search(rf"(?<!\w){re.escape(word)}(?!\w)", page, re.IGNORECASE)} == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_cards_are_written_as_people_see_them(language: str) -> None:
    """The trumps stand in their order, and no card is written another language's way."""
    face, page = face_of(load(language), unicode=True), "\n".join(howto(language))
    assert " ".join(face(card) for card in AS_DYCHA) in page
    assert set(CARD.findall(page)) <= {face(rank + suit) for rank in "ATQJ" for suit in "CSHD"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_to_be_typed_is_understood(language: str) -> None:
    """The command for the table's own rules is a word of the client."""
    assert set(load(language).words["rules"]) & set(re.findall(r"\w+", "\n".join(howto(language))))
