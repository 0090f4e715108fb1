"""The score sheet: a table of at most 80 columns, or sentences."""

from typing import Any, Final

from client_cli.amounts import amounts, number, signed, split_stake, total
from client_cli.catalogue import Catalogue
from client_cli.clean import clean_name, pad, pad_left, shorten, width
from client_cli.style import Line
from client_cli.view import Message

_AMOUNT: Final = 8


def sheet_sentences(sheet: Message, names: list[str], texts: Catalogue) -> list[str]:
    """Each deal of the sheet as a sentence, then both ledgers and the debts."""
    lines = [texts("sheet.title", match=sheet["match"], stake=number(texts, sheet["stake"])) + "."]
    if not sheet["lines"]:
        return [*lines, texts("sheet.none")]
    for entry in sheet["lines"]:
        line, sat = entry["line"], [clean_name(name) for name in entry["names"]]
        game, old = texts(f"game.{line['game']}"), texts.join([sat[seat] for seat in line["old"]])
        shown = {"deal": line["deal"], "game": game, "old": old, "eyes": line["old_eyes"], "value": _value(line)}
        lines.append(texts("sheet.line", amounts=amounts(texts, sat, line["money"]), **shown))
    points = amounts(texts, names, sheet["ledger"]["points"], sign=False)
    return [
        *lines,
        texts("sheet.points_line", amounts=points),
        _money(sheet, names, texts),
        *_debts(sheet, texts),
    ]


def sheet_table(sheet: Message, names: list[str], texts: Catalogue, *, unicode: bool) -> list[Line]:
    """The sheet as a table: a line for each deal, then both ledgers and the debts."""
    title = texts("sheet.title", match=sheet["match"], stake=number(texts, sheet["stake"]))
    lines: list[Line] = [[("title", title)]]
    if not sheet["lines"]:
        return [*lines, [("", texts("sheet.none"))]]
    rule: Line = [("dim", ("─" if unicode else "-") * (44 + 4 * _AMOUNT))]
    heads = [texts(f"sheet.{key}") for key in ("deal", "game", "sides", "eyes", "value")]
    lines += [[("title", _left(heads) + "".join(pad_left(" " + shorten(name, 7), _AMOUNT) for name in names))], rule]
    moved: list[Line] = []
    for entry in sheet["lines"]:
        lines.append(_row(entry, texts))
        sat = [clean_name(name) for name in entry["names"]]
        if sat != names:
            moved.append([("dim", texts("sheet.moved", deal=entry["line"]["deal"], names=", ".join(sat)))])
    lines.append(rule)
    points = [number(texts, amount) for amount in sheet["ledger"]["points"]]
    money = [signed(texts, amount) for amount in sheet["ledger"]["money"]]
    lines.append([("title", pad(texts("sheet.points"), 44)), *[("", pad_left(amount, _AMOUNT)) for amount in points]])
    if all(width(amount) < _AMOUNT for amount in money):
        facts = {"currency": split_stake(sheet["stake"])[1], "sum": total(sheet["ledger"]["money"])}
        cells = [(_colour(amount), pad_left(amount, _AMOUNT)) for amount in money]
        lines.append([("title", pad(texts("sheet.money_sum", **facts), 44)), *cells])
    else:
        lines.append([("", _money(sheet, names, texts))])
    return [*lines, *moved, *[[("", debt)] for debt in _debts(sheet, texts)]]


def _row(entry: dict[str, Any], texts: Catalogue) -> Line:
    line = entry["line"]
    old = "+".join(shorten(clean_name(entry["names"][seat]), 7) for seat in line["old"])
    eyes = f"{line['old_eyes']}:{104 - line['old_eyes']}"
    cells = [str(line["deal"]), texts(f"game_short.{line['game']}"), old, eyes, _value(line)]
    amounts_ = [signed(texts, amount) for amount in line["money"]]
    return [("", _left(cells)), *[(_colour(amount), pad_left(amount, _AMOUNT)) for amount in amounts_]]


def _left(cells: list[str]) -> str:
    deal, game, old, eyes, value = cells
    return f"{pad_left(deal, 4)} {pad(game, 8)} {pad(old, 15)} {pad_left(eyes, 5)} {pad_left(value, 9)}"


def _value(line: dict[str, Any]) -> str:
    return f"{line['base']}×{2 ** line['counted']}={line['value']}"


def _colour(amount: str) -> str:
    return "good" if amount.startswith("+") else "bad" if amount.startswith("-") else ""


def _money(sheet: Message, names: list[str], texts: Catalogue) -> str:
    money = sheet["ledger"]["money"]
    shown = amounts(texts, names, money)
    return texts("sheet.money_line", currency=split_stake(sheet["stake"])[1], amounts=shown, sum=total(money))


def _debts(sheet: Message, texts: Catalogue) -> list[str]:
    currency = split_stake(sheet["stake"])[1]
    return [
        texts(
            "sheet.debt",
            debtor=clean_name(debt["debtor"]),
            creditor=clean_name(debt["creditor"]),
            amount=f"{number(texts, debt['amount'])} {currency}",
        )
        for debt in sheet["debts"]
    ]
