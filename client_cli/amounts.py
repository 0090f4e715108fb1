"""Amounts of the two ledgers as people read them."""

from collections.abc import Sequence
from decimal import Decimal, InvalidOperation

from client_cli.catalogue import Catalogue
from client_cli.clean import clean


def number(texts: Catalogue, amount: object) -> str:
    """An exact decimal, with the language's decimal mark, or a stake: `0,10 zł`."""
    return clean(amount, 40).replace(".", texts("number.mark"), 1)


def signed(texts: Catalogue, amount: object) -> str:
    """The same with its sign: `+2`, `-0,10`, `0`."""
    try:
        positive = Decimal(str(amount)) > 0
    except InvalidOperation:
        positive = False
    return ("+" if positive else "") + number(texts, amount)


def amounts(texts: Catalogue, names: Sequence[str], values: Sequence[object], *, sign: bool = True) -> str:
    """A list of who has how much: `Ola +2, Jan -2`."""
    show = signed if sign else number
    return ", ".join(f"{name} {show(texts, value)}" for name, value in zip(names, values, strict=True))


def eyes(texts: Catalogue, count: int) -> str:
    """So many card points, in the form that the language has for the number: `1 oko`, `2 oka`, `5 oczek`."""
    few = count % 10 in (2, 3, 4) and count % 100 not in (12, 13, 14)
    form = "one" if count == 1 else "few" if few else "many"
    return texts(f"eyes.{form}", count=count)


def total(values: Sequence[object]) -> str:
    """The sum of exact decimals, without needless zeros."""
    try:
        exact = sum((Decimal(str(value)) for value in values), Decimal(0))
    except InvalidOperation:
        return "?"
    return "0" if exact == 0 else str(exact)


def split_stake(stake: str) -> tuple[str, str]:
    """The amount and the currency word of a stake."""
    amount, _, currency = stake.partition(" ")
    return clean(amount, 16), clean(currency, 16)
