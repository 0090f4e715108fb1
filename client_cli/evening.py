"""The sheet of the evening, all matches of a table: a table of at most 80 columns, or sentences."""

from itertools import chain
from typing import Any, Final

from client_cli.amounts import number, signed, split_stake, total
from client_cli.catalogue import Catalogue
from client_cli.clean import clean, pad, pad_left, width
from client_cli.names import marked
from client_cli.sheet import debts
from client_cli.style import Line
from client_cli.view import Message

OUTCOMES: Final = ("old", "young", "alone", "doublings")
_MATCH: Final = 8
_NAME: Final = 24
_COUNTS: Final = ("seat", "deals", "points")
_COUNT: Final = 8
_OUTCOME: Final = 13


def evening_table(evening: Message, texts: Catalogue, *, unicode: bool) -> list[Line]:
    """Who sat where in each match, with points and money; all matches together; wins and losses; who owes whom."""
    lines: list[Line] = [[("title", _title(evening, texts))]]
    if not evening["matches"]:
        return [*lines, [("", texts("evening.none"))]]
    everybody = [*chain(*(match["people"] for match in evening["matches"])), *evening["people"]]
    money = max(12, *(width(signed(texts, one["money"])) + 2 for one in everybody))
    rule: Line = [("dim", ("─" if unicode else "-") * max(_MATCH + _NAME + 3 * _COUNT + money, _NAME + 4 * _OUTCOME))]
    heads = [texts("evening.match"), texts("evening.name"), *(texts(f"evening.{key}") for key in _COUNTS)]
    head = pad(heads[0], _MATCH) + pad(heads[1], _NAME) + "".join(pad_left(one, _COUNT) for one in heads[2:])
    lines += [[("title", head + pad_left(split_stake(evening["stake"])[1], money))], rule]
    for match in evening["matches"]:
        for place, one in enumerate(match["people"]):
            lines.append(_scored(one, texts, money, "" if place else _numbers(match)))
    lines.append(rule)
    for place, one in enumerate(evening["people"]):
        lines.append(_scored(one, texts, money, "" if place else texts("evening.all")))
    return [
        *lines,
        [],
        *_outcomes(evening, texts, rule),
        *[[("", debt)] for debt in debts(evening, texts)],
    ]


def _scored(one: dict[str, Any], texts: Catalogue, money: int, match: str) -> Line:
    """A person's row of the first table."""
    seats = ",".join(str(seat + 1) for seat in one["seats"])
    counts = (seats, str(one["deals"]), number(texts, one["points"]))
    amount = signed(texts, one["money"])
    colour = "good" if amount.startswith("+") else "bad" if amount.startswith("-") else ""
    name = marked(texts, one["name"], bot=one["bot"])
    left = pad(match, _MATCH) + pad(name, _NAME) + "".join(pad_left(count, _COUNT) for count in counts)
    return [("", left), (colour, pad_left(amount, money))]


def _outcomes(evening: Message, texts: Catalogue, rule: Line) -> list[Line]:
    """Of all matches together, how often each person won and lost on either side, alone, and with doublings."""
    heads = "".join(pad_left(texts(f"evening.{one}"), _OUTCOME) for one in OUTCOMES)
    lines: list[Line] = [[("title", pad(texts("evening.won_lost"), _NAME) + heads)], rule]
    for one in evening["people"]:
        counts = "".join(pad_left(f"{one[f'{key}_won']} : {one[f'{key}_lost']}", _OUTCOME) for key in OUTCOMES)
        lines.append([("", pad(marked(texts, one["name"], bot=one["bot"]), _NAME) + counts)])
    return [*lines, [("dim", _sum(evening, texts))]]


def evening_sentences(evening: Message, texts: Catalogue) -> list[str]:
    """The same, a sentence for each match and each person."""
    lines = [_title(evening, texts) + "."]
    if not evening["matches"]:
        return [*lines, texts("evening.none")]
    currency = split_stake(evening["stake"])[1]
    for match in evening["matches"]:
        people = "; ".join(
            texts(
                "evening.sat",
                name=marked(texts, one["name"], bot=one["bot"]),
                seats=", ".join(str(seat + 1) for seat in one["seats"]),
                points=number(texts, one["points"]),
                money=f"{signed(texts, one['money'])} {currency}",
            )
            for one in match["people"]
        )
        lines.append(texts("evening.match_line", match=_numbers(match), deals=match["deals"], people=people))
    for one in evening["people"]:
        shown = {"name": marked(texts, one["name"], bot=one["bot"]), "points": number(texts, one["points"])}
        shown |= {"deals": one["deals"], "money": f"{signed(texts, one['money'])} {currency}"}
        counts = {f"{key}_{how}": one[f"{key}_{how}"] for key in OUTCOMES for how in ("won", "lost")}
        lines.append(texts("evening.person", **shown, **counts))
    return [*lines, _sum(evening, texts), *debts(evening, texts)]


def _title(evening: Message, texts: Catalogue) -> str:
    return texts("evening.title", table=clean(evening["table"], 32), stake=number(texts, evening["stake"]))


def _numbers(match: dict[str, Any]) -> str:
    """The number of a match, or from which to which they were added together."""
    return str(match["first"]) if match["first"] == match["last"] else f"{match['first']}-{match['last']}"


def _sum(evening: Message, texts: Catalogue) -> str:
    money = total([one["money"] for one in evening["people"]])
    return texts("evening.sum", currency=split_stake(evening["stake"])[1], sum=money)
