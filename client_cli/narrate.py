"""Each happening of a game as one short sentence, with names; the same words for a pipe and a screen reader.

Those about seats and people: `arrivals`. What people say to each other: `talking`.
"""

import hashlib
from collections.abc import Callable
from typing import Any

from client_cli.amounts import amounts
from client_cli.arrivals import People
from client_cli.cards import Face, faces
from client_cli.catalogue import Catalogue
from client_cli.clean import clean
from client_cli.names import all_named, by, named
from client_cli.view import View

Happening = dict[str, Any]
GAMES = {"wesele": "wesele", "zolo": "zolo", "zolo du": "zolo_du"}


class Teller:
    """Tells what happened. `tell` takes a happening, the view after it and the view before it."""

    def __init__(self, texts: Catalogue, face: Face) -> None:
        self._texts = texts
        self._face = face
        self._people = People(texts)
        self.presence = self._people.presence
        self._told: dict[str, Callable[[Happening, View], list[str]]] = {
            "opening_begun": lambda h, v: [texts("happened.opening_begun")],
            "opened": lambda h, v: [],
            "dealt": self._dealt,
            "said": self._said,
            "answer_time_over": self._answer_time_over,
            "lead_taken_back": lambda h, v: [self._by(v, h["seat"], "lead_taken_back", card=face(h["card"]))],
            "card_played": lambda h, v: [self._by(v, h["seat"], "card_played", card=face(h["card"]))],
            "trick_taken": lambda h, v: [self._by(v, h["seat"], "trick_taken", eyes=h["eyes"])],
            "deal_scored": self._scored,
            "deal_annulled": self._annulled,
            "deal_offered": lambda h, v: [self._by(v, h["dealer"], "deal_offered", deal=h["deal"])],
            "time_called": lambda h, v: [texts("happened.time_called")],
            "match_over": lambda h, v: [texts("happened.match_over")],
        }

    def tell(self, happening: Happening, view: View, before: View | None) -> list[str]:
        """The sentences for one happening; an unknown one is named, so that a newer server can be followed."""
        event = str(happening["event"])
        if event in self._people.told:
            return self._people.told[event](happening, view, before)
        told = self._told.get(event)
        lines = [self._texts("happened.other", event=clean(event, 40))] if told is None else told(happening, view)
        if event in ("deal_scored", "deal_annulled") and not secret_fits(happening, before):
            lines.append(self._texts("scored.secret_wrong"))
        return lines

    def hands(self, scored: Happening, view: View) -> str:
        """All hands of a deal that is over, as dealt."""
        names = all_named(self._texts, view)
        told = [f"{name}: {faces(self._face, hand)}" for name, hand in zip(names, scored["hands"], strict=True)]
        return self._texts("scored.hands", hands="; ".join(told))

    def game(self, say: str) -> tuple[str, str | None]:
        """The name of a called game and the jack named with it."""
        words = say.split()
        if len(words) == 2 and words[0] == "wesele":
            return self._texts("game.wesele"), self._face(words[1])
        return (self._texts(f"game.{GAMES[say]}") if say in GAMES else clean(say, 32)), None

    def _by(self, view: View, seat: int, key: str, **values: object) -> str:
        return by(self._texts, view, seat, key, **values)

    def _dealt(self, happening: Happening, view: View) -> list[str]:
        dealer, leader = named(self._texts, view, happening["dealer"]), named(self._texts, view, happening["leader"])
        key = "happened.dealt" if happening["cut"] else "happened.dealt_same_cards"
        dealt = self._texts(key, deal=happening["deal"], dealer=dealer, leader=leader, cut=happening["cut"])
        late = self._texts.join([named(self._texts, view, seat) for seat in happening["unopened"]])
        return [dealt, *([self._texts("happened.unopened", names=late)] if late else [])]

    def _answer_time_over(self, happening: Happening, view: View) -> list[str]:
        """The end of the answer time; that of the pause for late calls needs no words."""
        turn = view.play["turn"] if view.play and view.phase == "calls" else None
        return [self._by(view, turn, "answer_time_over")] if turn is not None else []

    def _annulled(self, happening: Happening, view: View) -> list[str]:
        return [self._texts("happened.deal_annulled", deal=happening["deal"]), self.hands(happening, view)]

    def _said(self, happening: Happening, view: View) -> list[str]:
        seat, say = happening["seat"], str(happening["say"])
        if say in ("ask", "go on", "pass"):
            return [self._by(view, seat, say.replace(" ", "_"))]
        if say.startswith("double "):
            return [self._by(view, seat, "doubled", doubling=doubling_name(view, say))]
        game, jack = self.game(say)
        return [self._by(view, seat, "called_jack" if jack else "called", game=game, jack=jack)]

    def _scored(self, happening: Happening, view: View) -> list[str]:
        texts, line = self._texts, happening["line"]
        shown = {
            "deal": line["deal"],
            "game": texts(f"game.{line['game']}"),
            "margin": texts(f"margin.{line['margin']}"),
        }
        won = line["won"] == "old"
        if len(line["old"]) == 1:
            head = texts(
                "scored.alone_won" if won else "scored.alone_lost", name=named(texts, view, line["old"][0]), **shown
            )
        else:
            head = texts("scored.old_won" if won else "scored.young_won", **shown)
        old = texts.join([named(texts, view, seat) for seat in line["old"]])
        value = {"base": line["base"], "factor": 2 ** line["counted"], "value": line["value"]}
        money = amounts(texts, all_named(texts, view), line["money"])
        return [
            head,
            texts("scored.sides" if len(line["old"]) > 1 else "scored.alone", old=old, eyes=line["old_eyes"]),
            texts("scored.value", amounts=money, **value),
        ]


def doubling_name(view: View, say: str) -> str:
    """What the doubling `double n` is called at this table."""
    number = say.removeprefix("double ")
    names = view.doubling_names
    return names[int(number) - 1] if number.isdecimal() and 0 < int(number) <= len(names) else clean(say, 32)


def secret_fits(ended: Happening, before: View | None) -> bool:
    """Whether the secret of a deal is the one that was promised before it; true where we saw no promise."""
    number = ended["deal"] if ended["event"] == "deal_annulled" else ended["line"]["deal"]
    if before is None or before.play is None or before.play["deal"] != number:
        return True
    try:
        secret = bytes.fromhex(ended["secret"])
    except ValueError:
        return False
    return hashlib.sha256(secret).hexdigest() == str(before.play["commitment"]).lower()
