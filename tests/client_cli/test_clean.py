"""Nothing that a server sends can steer the terminal."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from client_cli.clean import clean, clean_name, pad, pad_left, shorten, width
from client_cli.style import dress, plain, wrap


@pytest.mark.parametrize(
    ("sent", "shown"),
    [
        ("Ola", "Ola"),
        ("a\x1b[31mb", "a[31mb"),
        ("a\nb\tc", "a b c"),
        ("\N{RIGHT-TO-LEFT OVERRIDE}abc", "abc"),
        ("a\N{ZERO WIDTH SPACE}b", "ab"),
        ("\x9b2J", "2J"),
        ("Zoë Łuć", "Zoë Łuć"),
        ("e" + "\N{COMBINING ACUTE ACCENT}" * 9, "e" + "\N{COMBINING ACUTE ACCENT}" * 2),
    ],
)
def test_controls_and_invisible_characters_go(sent: str, shown: str) -> None:
    """Escapes lose their ESC, line ends become blanks, direction marks and heaps of accents go."""
    assert clean(sent) == shown


@given(st.text())
def test_no_control_character_is_left(text: str) -> None:
    """Whatever comes in: no control, format, surrogate or unassigned character, no line separator."""
    assert not {unicodedata.category(char) for char in clean(text)} & {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
    assert clean_name(text)


@given(st.text(), st.integers(1, 30))
def test_padded_text_has_exactly_its_columns(text: str, columns: int) -> None:
    """Tables stay straight with wide letters and with long names."""
    visible = clean(text)
    assert width(shorten(visible, columns)) <= columns
    assert width(pad(visible, columns)) == columns
    assert width(pad_left(visible, columns)) == columns


@given(st.lists(st.text("ab♥", min_size=1, max_size=9), max_size=30), st.integers(10, 40))
def test_a_wrapped_line_fits_and_loses_no_word(words: list[str], columns: int) -> None:
    """Lines break between words."""
    rows = wrap(dress(" ".join(words)), columns)
    assert all(width(plain(row)) <= columns for row in rows)
    assert " ".join(plain(row) for row in rows).split() == words


def test_a_line_of_cards_breaks_between_cards() -> None:
    """A card is a piece of its own style, and stays whole."""
    rows = wrap(dress("The hands were: Ola: A♥ D♦ 10♦ 10♥; Jan: 10♠ J♠ A♣ J♣."), 30)
    assert [plain(row) for row in rows] == ["The hands were: Ola: A♥ D♦ 10♦", "10♥; Jan: 10♠ J♠ A♣ J♣."]
