"""The list of tournaments and the pages that are lists: entrants, terms, decisions, the director's desk."""

from collections.abc import Mapping
from typing import Final

from client_cli.catalogue import Catalogue
from client_cli.clean import clean, clean_name, pad, width
from client_cli.company_text import span
from client_cli.options import OPTIONS, value_word
from client_cli.style import Line, dress
from client_cli.tournament.creation import TERMS
from client_cli.tournament.news import decision
from client_cli.tournament.words import in_time, seat_word, term_value
from client_cli.view import Message, grouped

_VALUE: Final = 18


class Pages:
    """Puts lists into words, in one language. Times of day are the local ones."""

    def __init__(self, texts: Catalogue) -> None:
        self._texts = texts

    def listing(self, tournaments: list[Message]) -> list[Line]:
        """The tournaments, each with the number by which it is meant."""
        texts = self._texts
        lines: list[Line] = []
        for number, one in enumerate(tournaments, start=1):
            shown = {"number": number, "name": clean(one["name"], 40), "stage": self.stage(one)}
            shown |= {"entrants": one["entrants"], "directors": self._directors(one["directors"])}
            entry = texts(f"tournament_entry.{one['admission']}" if one["open"] else "tournament_entry.closed")
            lines.append([("turn" if one["own"] else "", texts("tournament.listed", entry=entry, **shown))])
        if not lines:
            return [dress(texts("tournament.none")), dress(texts("tournament.create_how"), "dim")]
        return [*lines, dress(texts("tournament.listed_how"), "dim")]

    def _directors(self, directors: list[object]) -> str:
        return self._texts.join([clean_name(one) for one in directors])

    def stage(self, public: Message) -> str:
        """How far it is: `round 2 of 5`."""
        key = f"tournament_stage.{public['stage']}"
        return self._texts(key, round=public["round"], rounds=public["rounds"])

    def entrants(self, page: Message, title: str, own: int | None) -> list[Line]:
        """Who takes part, with the numbers by which a director means them."""
        texts = self._texts
        lines: list[Line] = [[("title", title)]]
        for one in page["entrants"]:
            notes = [clean(one["team"], 24)] if one["team"] else []
            notes += [texts(f"entrant_status.{one['status']}")] if one["status"] != "in" else []
            notes += [texts("tournament.guest")] if one["guest"] else []
            notes += [texts("tournament.program")] if one["program"] else []
            if one["from_round"] > 1:
                notes.append(texts("tournament.from_round", round=one["from_round"]))
            text = f"{one['entrant']:>4}  {clean_name(one['name'])}" + (f" ({', '.join(notes)})" if notes else "")
            style = "turn" if one["entrant"] == own else "dim" if one["status"] == "out" else ""
            lines.append([(style, text)])
        return lines if page["entrants"] else [*lines, dress(texts("tournament.nobody_entered"))]

    def terms(self, page: Message, title: str) -> list[Line]:
        """What is agreed, field by field, and the commitments to the draws."""
        texts, options = self._texts, page["options"]
        lines: list[Line] = [[("title", title)]]
        lines += [self._term(term_value(texts, name, options[name]), name) for name in TERMS if name in options]
        lines += [[], [("title", texts("tournament.at_tables"))]]
        at_tables = [name for name in OPTIONS if name in options and name not in TERMS]
        lines += [self._term(value_word(texts, options[name]), name) for name in at_tables]
        return [*lines, [], *self._commitments(page)]

    def _term(self, value: str, name: str) -> Line:
        cell = value if width(value) >= _VALUE else pad(value, _VALUE)
        return [("", f"  {cell} {self._texts(f'option_name.{name}')} ({name})")]

    def _commitments(self, page: Message) -> list[Line]:
        texts = self._texts
        lines: list[Line] = [[("title", texts("tournament.commitments"))]]
        secrets = page["secrets"]
        for number, commitment in enumerate(page["commitments"], start=1):
            lines.append([("", f"  {number:>2}  {clean(commitment, 64)}")])
            if number <= len(secrets):
                lines.append([("dim", f"      {clean(secrets[number - 1], 64)}")])
        brought = sum(bool(one) for one in page["contributions"].values())
        return [*lines, dress(texts("tournament.contributions", count=brought))]

    def decisions(self, page: Message, title: str) -> list[Line]:
        """What the directors have decided, with the numbers by which it is undone."""
        lines: list[Line] = [[("title", title)]]
        lines += [self.decided(one) for one in page["decisions"]]
        return lines if page["decisions"] else [*lines, dress(self._texts("tournament.no_decision"))]

    def decided(self, one: Message) -> Line:
        """A decision in the list."""
        undone = f" {self._texts('tournament.undone')}" if one["undone"] else ""
        return [("dim" if one["undone"] else "", f"{one['number']:>4}  {decision(self._texts, one)}{undone}")]

    # ---- the director's desk

    def desk(self, page: Message, title: str, seats: Mapping[int, list[str]], now: int) -> list[Line]:
        """Tables that block, who is away, who waits, codes. `seats`: the names at each table, as far as known."""
        texts = self._texts
        lines: list[Line] = [[("title", title)]]
        lines += [self._stand(one, seats.get(int(one["number"]), []), now) for one in page.get("tables", ())]
        for one in page["waiting"]:
            shown = {"number": one["entrant"], "name": clean_name(one["name"])}
            lines.append([("turn", texts("desk.waiting", **shown))])
        for one in page["invitations"]:
            key = "desk.invitation" if one["entrant"] is None else "desk.invitation_used"
            shown = {"name": clean_name(one["name"]), "code": grouped(one["code"]), "number": one["entrant"]}
            lines.append([("dim" if one["entrant"] else "", texts(key, **shown))])
        lines += [self.offer(one, now) for one in page["offers"] if one["until"] > now]
        return [*lines, dress(texts("desk.how"), "dim")]

    def offer(self, one: Message, now: int) -> Line:
        """The code with which a place moves to another device."""
        time = in_time(self._texts, int(one["until"]), now)
        return [("turn", self._texts("desk.offer", number=one["entrant"], code=grouped(one["code"]), time=time))]

    def invitation(self, one: Message) -> Line:
        """A personal invitation."""
        return [("turn", self._texts("desk.invitation", name=clean_name(one["name"]), code=grouped(one["code"])))]

    def _stand(self, one: Message, names: list[str], now: int) -> Line:
        """A table: how far it is, for whom it waits and since when, who is away."""
        texts, waits = self._texts, one["waiting_for"]
        if one["stage"] == "over":
            return [("dim", texts("desk.over", table=one["number"]))]
        notes = [texts("desk.paused")] if one["paused"] else []
        notes += [
            texts(
                "desk.waits",
                name=clean_name(who["name"]),
                seat=seat_word(texts, who["seat"]),
                time=self._since(who, now),
            )
            for who in waits
        ]
        away = [names[seat] if seat < len(names) else seat_word(texts, seat) for seat in one["absent"]]
        notes += [texts("desk.away", names=texts.join(away))] if away else []
        shown = {"table": one["number"], "deal": one["deal"], "deals": one["deals"]}
        style = "warn" if one["absent"] else "turn" if waits else ""
        key = "desk.table" if one["deal"] else "desk.table_new"
        return [(style, " ".join([texts(key, **shown), *notes]))]

    def _since(self, who: Message, now: int) -> str:
        """How long somebody has been waited for; `since` is a time of the server's, in ms."""
        return span(self._texts, max(0, now - int(who["since"] or now)) // 1000)
