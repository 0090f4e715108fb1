"""Playing cards, as every game here uses them.

On the wire, in logs and in tests a card is two letters, rank then suit (`QS`, `TD`; T is the ten).
A member of `Card` is that text, so it is packed as it is.
"""

from enum import StrEnum


class Card(StrEnum):
    """The cards of Kop: ace, ten, queen and jack of four suits."""

    AC = "AC"
    TC = "TC"
    QC = "QC"
    JC = "JC"
    AS = "AS"
    TS = "TS"
    QS = "QS"
    JS = "JS"
    AH = "AH"
    TH = "TH"
    QH = "QH"
    JH = "JH"
    AD = "AD"
    TD = "TD"
    QD = "QD"
    JD = "JD"

    @property
    def rank(self) -> str:
        """The rank's letter: A, T, Q or J."""
        return self.value[0]

    @property
    def suit(self) -> str:
        """The suit's letter: C, S, H or D."""
        return self.value[1]


def hand(text: str) -> tuple[Card, ...]:
    """The cards of a text such as `QS TD`, in its order.

    Raises:
        ValueError: a word is no card.
    """
    return tuple(Card(word) for word in text.split())
