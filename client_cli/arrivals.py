"""Each happening about seats, people, pauses and what is agreed as one short sentence; those of the game: `narrate`."""

from collections.abc import Callable
from typing import Any

from client_cli.catalogue import Catalogue
from client_cli.clean import clean
from client_cli.company_text import span
from client_cli.names import by, marked, named
from client_cli.rules_text import in_short
from client_cli.view import View

Happening = dict[str, Any]
Told = Callable[[Happening, View, View | None], list[str]]


class People:
    """`told` has for each happening what makes its sentences, from the view after it and the one before."""

    def __init__(self, texts: Catalogue) -> None:
        self._texts = texts
        self._away: set[tuple[str, int]] = set()
        self.told: dict[str, Told] = {
            "seated": self._seated,
            "seat_left": lambda h, v, b: [self._gone(h, b, "seat_left")],
            "seat_removed": lambda h, v, b: [self._gone(h, b, "seat_removed")],
            "owner_changed": self._owner_changed,
            "ready": lambda h, v, b: [by(texts, v, h["seat"], "ready")],
            "match_started": lambda h, v, b: [texts("happened.match_started", match=h["match"])],
            "options_changed": lambda h, v, b: [texts("happened.options_changed", terms=in_short(texts, h["options"]))],
            "absent": self._absent,
            "stand_in": lambda h, v, b: [by(texts, v, h["seat"], "stand_in")],
            "returned": lambda h, v, b: [by(texts, v, h["seat"], "returned")],
            "voted": self._voted,
            "paused": lambda h, v, b: [self._perhaps_by(v, h, "paused")],
            "resumed": lambda h, v, b: [self._perhaps_by(v, h, "resumed")],
            "table_closed": lambda h, v, b: [texts("happened.table_closed", reason=clean(h["reason"], 200))],
            "time_given": lambda h, v, b: [texts("happened.time_given", time=span(texts, -(-h["millis"] // 1000)))],
            "acted_for": lambda h, v, b: [by(texts, v, h["seat"], f"acted_for_{h['by']}")],
        }

    def presence(self, view: View, before: View | None) -> list[str]:
        """Who has gone since the view before, or has come back after that was told."""
        if before is None or len(before.names) != len(view.names):
            return []
        lines = []
        for seat, name in enumerate(view.names):
            place = (view.table, seat)
            if name is None or seat == view.seat or before.public["seats"][seat] != view.public["seats"][seat]:
                self._away.discard(place)
            elif view.here(seat) and place in self._away:
                self._away.discard(place)
                lines += [] if self._told_back(view, seat) else [by(self._texts, view, seat, "back")]
            elif before.here(seat) and not view.here(seat):
                self._away.add(place)
                lines.append(by(self._texts, view, seat, "away"))
        return lines

    @staticmethod
    def _told_back(view: View, seat: int) -> bool:
        return any(one["event"] == "returned" and one["seat"] == seat for one in view.message["happened"])

    def _seated(self, happening: Happening, view: View, before: View | None) -> list[str]:
        name, bot = marked(self._texts, happening["name"], bot=bool(happening["bot"])), happening["bot"]
        shown = {"name": name, "seat": happening["seat"] + 1}
        if bot in ("easy", "medium", "hard"):
            return [self._texts("happened.seated_bot", strength=self._texts(f"strength.{bot}"), **shown)]
        return [self._texts("happened.seated", **shown)]

    def _gone(self, happening: Happening, before: View | None, key: str) -> str:
        seat = int(happening["seat"])
        bot = before is not None and before.bot(seat) is not None
        name = marked(self._texts, happening["name"], bot=bot)
        return self._texts(f"happened.{key}", name=name, seat=seat + 1)

    def _owner_changed(self, happening: Happening, view: View, before: View | None) -> list[str]:
        for seat, sitter in enumerate(view.public["seats"]):
            if sitter is not None and sitter["player"] == happening["player"]:
                return [by(self._texts, view, seat, "owner_changed")]
        return []

    def _absent(self, happening: Happening, view: View, before: View | None) -> list[str]:
        seat = int(happening["seat"])
        if view.names[seat] is None:
            return [self._texts("happened.absent_empty", seat=seat + 1)]
        return [by(self._texts, view, seat, "absent")]

    def _voted(self, happening: Happening, view: View, before: View | None) -> list[str]:
        choice = self._texts(f"vote.{happening['choice']}")
        about = named(self._texts, view, happening["absent"])
        return [by(self._texts, view, happening["seat"], "voted", about=about, choice=choice)]

    def _perhaps_by(self, view: View, happening: Happening, key: str) -> str:
        """What a seat or the director did, or what came about because nobody, or somebody again, was there."""
        seat = happening["seat"]
        if seat is not None:
            return by(self._texts, view, seat, key)
        return self._texts(f"happened.{key}_director" if happening.get("director") else f"happened.{key}_nobody")
