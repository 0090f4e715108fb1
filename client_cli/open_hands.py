"""A finished deal with all hands open: what it would have come to at best play, and what each card gave away."""

from typing import Any

from client_cli.amounts import eyes
from client_cli.cards import Face, faces
from client_cli.catalogue import Catalogue
from client_cli.clean import clean
from client_cli.names import marked
from client_cli.style import Line, dress, wrap
from client_cli.view import Message

_WIDTH = 79


def open_hands(record: Message, explanation: Message, texts: Catalogue, face: Face) -> list[Line]:
    """The record of the deal, and what the server found when it played it through."""
    names, line = _names(record, texts), record["line"]
    shown = {"deal": clean(record["deal"], 6), "match": clean(record["match"], 6)}
    lines = [dress(texts("open_hands.title", **shown), "title")]
    for seat, hand in enumerate(explanation["hands"]):
        side = "old" if seat in explanation["old"] else "young"
        told = texts("open_hands.hand", name=names[seat], side=texts(f"side.{side}"), cards=faces(face, hand))
        lines.append(dress(f"  {told}"))
    best = {"eyes": explanation["best_eyes"], "value": explanation["best_value"]}
    lines.append(dress(texts(f"open_hands.best_{_side(explanation['best_won'])}", **best)))
    lines.append(dress(texts(f"open_hands.was_{_side(line['won'])}", eyes=line["old_eyes"], value=line["value"])))
    lines += [_decision(decision, record, names, texts, face) for decision in explanation["decisions"]]
    lines += _sums(explanation["decisions"], names, texts)
    return [row for one in lines for row in wrap(one, _WIDTH)]


def _decision(decision: dict[str, Any], record: Message, names: list[str], texts: Catalogue, face: Face) -> Line:
    """What a card gave away, or that there was no better one; of a card that was played for somebody, this too."""
    act, lost, value = int(decision["act"]), int(decision["cost_eyes"]), int(decision["cost_value"])
    shown = {
        "trick": _trick(record["acts"][:act]),
        "name": names[decision["seat"]],
        "card": face(decision["card"]),
        "best": _alternatives([face(card) for card in decision["best"]], texts),
        "eyes": eyes(texts, lost),
        "value": value,
    }
    cost = "both" if lost > 0 and value > 0 else "eyes" if lost > 0 else "value" if value > 0 else "nothing"
    told = texts(f"open_hands.cost_{cost}", **shown)
    if act in record.get("acted_for", ()):
        told += " " + texts("open_hands.acted_for")
    return dress(told, "dim" if cost == "nothing" else "")


def _trick(acts: list[Any]) -> int:
    """Which trick is played after these acts; an opening lead that was taken back does not count."""
    played: list[Any] = []
    for seat, words in acts:
        if str(words).startswith("play "):
            played = [] if played == [seat] else played
            played.append(seat)
    return len(played) // 4 + 1


def _sums(decisions: list[dict[str, Any]], names: list[str], texts: Catalogue) -> list[Line]:
    """Who gave away how much in all."""
    given: dict[int, int] = {}
    for decision in decisions:
        given[decision["seat"]] = given.get(decision["seat"], 0) + max(0, int(decision["cost_eyes"]))
    told = [texts("open_hands.gave", name=names[seat], eyes=lost) for seat, lost in sorted(given.items()) if lost]
    return [dress(texts("open_hands.sum", given=", ".join(told)) if told else texts("open_hands.perfect"), "title")]


def _alternatives(cards: list[str], texts: Catalogue) -> str:
    """`10♥`, or `10♥ or A♥`."""
    return cards[0] if len(cards) == 1 else texts("list.or", first=", ".join(cards[:-1]), last=cards[-1])


def _side(word: object) -> str:
    return "old" if word == "old" else "young"


def _names(record: Message, texts: Catalogue) -> list[str]:
    bots = record.get("bots") or [False] * 4
    return [marked(texts, name, bot=bool(bot)) for name, bot in zip(record["seats"], bots, strict=True)]
