"""The score sheet: a table of at most 80 columns, or sentences."""

from typing import Any, Final

from client_cli.amounts import amounts, number, signed, split_stake, total
from client_cli.catalogue import Catalogue
from client_cli.clean import clean_name, pad, pad_left, shorten, width
from client_cli.names import all_named, marked
from client_cli.style import Line
from client_cli.view import Message, View

_AMOUNT: Final = 8


def sheet_sentences(sheet: Message, view: View | None, texts: Catalogue) -> list[str]:
    """Each deal of the sheet as a sentence, then both ledgers and the debts."""
    names = _names(sheet, view, texts)
    lines = [texts("sheet.title", match=sheet["match"], stake=number(texts, sheet["stake"])) + "."]
    if not sheet["lines"]:
        return [*lines, texts("sheet.none")]
    for entry in sheet["lines"]:
        line, sat = entry["line"], _sat(entry, texts)
        game, old = texts(f"game.{line['game']}"), texts.join([sat[seat] for seat in line["old"]])
        shown = {"deal": line["deal"], "game": game, "old": old, "eyes": line["old_eyes"], "value": _value(line)}
        lines.append(texts("sheet.line", amounts=amounts(texts, sat, line["money"]), **shown))
    points = amounts(texts, names, sheet["ledger"]["points"], sign=False)
    return [
        *lines,
        texts("sheet.points_line", amounts=points),
        _money(sheet, names, texts),
        *debts(sheet, texts),
    ]


def sheet_table(sheet: Message, view: View | None, texts: Catalogue, *, unicode: bool) -> list[Line]:
    """The sheet as a table: a line for each deal, then both ledgers and the debts. A star stands for a bot."""
    names = _names(sheet, view, texts)
    title = texts("sheet.title", match=sheet["match"], stake=number(texts, sheet["stake"]))
    lines: list[Line] = [[("title", title)]]
    if not sheet["lines"]:
        return [*lines, [("", texts("sheet.none"))]]
    rule: Line = [("dim", ("─" if unicode else "-") * (44 + 4 * _AMOUNT))]
    heads = [texts(f"sheet.{key}") for key in ("deal", "game", "sides", "eyes", "value")]
    columns = _columns(sheet["lines"][-1])
    lines += [[("title", _left(heads) + "".join(pad_left(" " + name, _AMOUNT) for name in columns))], rule]
    moved: list[Line] = []
    for entry in sheet["lines"]:
        lines.append(_row(entry, texts))
        sat = _sat(entry, texts)
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
    legend: list[Line] = [[("dim", texts("sheet.bot_mark"))]] if any(sheet["lines"][-1]["bots"]) else []
    return [*lines, *legend, *moved, *[[("", debt)] for debt in debts(sheet, texts)]]


def _sat(entry: dict[str, Any], texts: Catalogue) -> list[str]:
    """Who sat there at a deal."""
    return [marked(texts, name, bot=bot) for name, bot in zip(entry["names"], entry["bots"], strict=True)]


def _names(sheet: Message, view: View | None, texts: Catalogue) -> list[str]:
    """Who sat there at the last deal, else who sits there now."""
    if sheet["lines"]:
        return _sat(sheet["lines"][-1], texts)
    return all_named(texts, view) if view else [str(seat + 1) for seat in range(4)]


def _columns(entry: dict[str, Any]) -> list[str]:
    """Short names; a bot's with a star."""
    return [
        shorten(clean_name(name), 6) + "*" if bot else shorten(clean_name(name), 7)
        for name, bot in zip(entry["names"], entry["bots"], strict=True)
    ]


def _row(entry: dict[str, Any], texts: Catalogue) -> Line:
    line = entry["line"]
    columns = _columns(entry)
    old = "+".join(columns[seat] for seat in line["old"])
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


def debts(sheet: Message, texts: Catalogue) -> list[str]:
    """Who owes whom, in a sheet of a match or of an evening."""
    currency = split_stake(sheet["stake"])[1]
    return [
        texts(
            "sheet.debt",
            debtor=marked(texts, debt["debtor"], bot=debt["debtor_bot"]),
            creditor=marked(texts, debt["creditor"], bot=debt["creditor_bot"]),
            amount=f"{number(texts, debt['amount'])} {currency}",
        )
        for debt in sheet["debts"]
    ]
