"""What happens in a tournament, each happening as one short sentence; and how it stands, in short."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any, Final

from client_cli.catalogue import Catalogue
from client_cli.clean import clean, clean_name
from client_cli.style import Line, dress
from client_cli.tournament.points import big_points, small_points
from client_cli.tournament.words import in_time, seat_word
from client_cli.view import Message

LAST_MINUTES: Final = 300_000
"""So long before a round's time is over everybody is told, in ms."""
_TEXT: Final = 400
_UNDOABLE: Final = frozenset({"penalty", "corrected", "annulled", "paper"})
_LOUD: Final = frozenset({"penalty", "announced", "corrected", "annulled", "halted", "went_on", "ended"})


def local_time(at: object) -> str:
    """The local time of day of milliseconds since 1970."""
    if type(at) is not int or not 0 <= at < 2**42:
        return "?"
    return datetime.fromtimestamp(at / 1000).astimezone().strftime("%H:%M")


def decision(texts: Catalogue, one: Message) -> str:
    """A decision of a director's: when, who, what about whom, and why."""
    kind, text = str(one["kind"]), clean(one["text"], _TEXT)
    key = f"decided.{kind}"
    shown = {"name": clean_name(one["name"]), **{name: one[name] for name in ("round", "table", "undoes", "deal")}}
    if kind == "paper" and one["small"]:
        key = "decided.paper_result"
    what = texts(key, **shown, points=_points(one)) if key in texts else clean(kind, 24)
    if text:
        what = texts("decided.because", what=what, text=text.rstrip(" ."))
    return texts("decided.line", time=local_time(one["at"]), by=clean_name(one["by"]), what=what)


def _points(one: Message) -> str:
    """The points of a penalty, `-½` or `-½ / +5`; or the small points of a result, seat by seat."""
    small = [small_points(points) for points in one["small"]]
    if one["kind"] != "penalty":
        return " ".join(small)
    return big_points(one["big"]) + (f" / {small[0]}" if any(one["small"]) else "")


class Teller:
    """Tells what happened, to one reader. `names` are those at the tables of the newest round, as far as known."""

    def __init__(self, texts: Catalogue) -> None:
        self._texts = texts
        self._told: dict[str, Callable[[Message, Message | None], Line | None]] = {
            "entered": self._entered,
            "admitted": lambda one, own: self._about(one, own, "admitted"),
            "withdrawn": lambda one, own: self._about(one, own, "withdrawn"),
            "moved": lambda one, own: self._about(one, own, "moved"),
            "round_opened": lambda one, own: self._loud("round_opened", round=one["round"], tables=one["tables"]),
            "seat_given": self._seat_given,
            "decided": self._decided,
            "round_ended": lambda one, own: self._loud("round_ended", round=one["round"]),
            "ended": lambda one, own: self._loud(f"ended_{one['ending']}"),
        }

    def tell(self, one: Message, own: Message | None, names: Sequence[str]) -> list[Line]:
        """The sentences for one happening; one that is newer than this client is named.

        `own` is what concerns the reader, `names` who sits at the table that a result is of.
        """
        event = str(one["event"])
        if event == "result":
            return [self._result(one, own, names)]
        told = self._told.get(event)
        if told is None:
            return [dress(self._texts("happened.other", event=clean(event, 40)), "dim")]
        line = told(one, own)
        return [] if line is None else [line]

    def _loud(self, key: str, **values: Any) -> Line:
        return dress(self._texts(f"tournament_news.{key}", **values), "title")

    def _entered(self, one: Message, own: Message | None) -> Line | None:
        if own is not None and own["entrant"] == one["entrant"]:
            return None  # he has the answer to his own command
        directs = own is not None and bool(own["directs"])
        key = ("asks_director" if directs else "asks") if one["status"] == "waiting" else "entered"
        style = "turn" if key == "asks_director" else "dim"
        shown = {"name": clean_name(one["name"]), "number": one["entrant"]}
        return dress(self._texts(f"tournament_news.{key}", **shown), style)

    def _about(self, one: Message, own: Message | None, key: str) -> Line:
        if own is not None and own["entrant"] == one["entrant"]:
            return dress(self._texts(f"tournament_news.{key}_you"), "turn")
        return dress(self._texts(f"tournament_news.{key}", name=clean_name(one["name"])), "dim")

    def _seat_given(self, one: Message, own: Message | None) -> Line:
        shown = {"table": one["table"], "seat": seat_word(self._texts, one["seat"])}
        if one["name"] is None:
            return dress(self._texts("tournament_news.seat_to_bot", **shown))
        return dress(self._texts("tournament_news.seat_given", name=clean_name(one["name"]), **shown))

    def _result(self, one: Message, own: Message | None, names: Sequence[str]) -> Line:
        texts = self._texts
        mine = own is not None and own["number"] == one["table"]
        shown = {"round": one["round"], "table": one["table"]}
        if one["kind"] == "forfeit":
            return dress(texts("tournament_news.forfeit", **shown), "turn" if mine else "dim")
        if not one["small"]:  # all play the same cards, and not all have finished
            return dress(texts("tournament_news.finished", **shown), "title" if mine else "dim")
        people = [
            f"{names[seat] if seat < len(names) else seat + 1} {small_points(small)}"
            for seat, small in enumerate(one["small"])
        ]
        key = one["kind"] if one["kind"] in ("paper", "corrected") else "result"
        return dress(texts(f"tournament_news.{key}", people=", ".join(people), **shown), "title" if mine else "dim")

    def _decided(self, one: Message, own: Message | None) -> Line:
        text = clean(one["text"], _TEXT)
        by = clean_name(one["by"])
        if own is not None and own["entrant"] is not None and own["entrant"] == one["entrant"]:
            if one["kind"] == "called":
                said = text or self._texts("tournament.call")
                return dress(self._texts("tournament_news.called_you", by=by, text=said), "warn")
            return dress(decision(self._texts, one), "warn" if one["kind"] == "penalty" else "turn")
        if one["kind"] == "announced":
            return dress(self._texts("tournament_news.announced", by=by, text=text), "turn")
        told = decision(self._texts, one)
        if own is not None and own["directs"] and one["kind"] in _UNDOABLE:
            told = self._texts("decided.number", what=told, number=one["number"])
        return dress(told, "title" if one["kind"] in _LOUD else "dim")


def standing(texts: Catalogue, public: Message, own: Message | None, now: int) -> list[Line]:
    """How a tournament stands, in a few lines. `now`: the server's time in ms."""
    key = f"tournament_stage.{public['stage']}"
    stage = texts(key, round=public["round"], rounds=public["rounds"])
    lines: list[Line] = [[("title", texts("tournament.standing", name=clean(public["name"], 48), stage=stage))]]
    entry = texts(f"tournament_entry.{public['admission']}" if public["open"] else "tournament_entry.closed")
    names = texts.join([clean_name(one["name"]) for one in public["directors"]])
    lines.append(dress(texts("tournament.facts", entrants=public["entrants"], entry=entry, directors=names)))
    if public["waiting"] and own is not None and own["directs"]:
        lines.append(dress(texts("tournament.wait_for_you", count=public["waiting"]), "turn"))
    if public["stage"] == "round":
        lines.append(dress(texts("tournament.tables", finished=public["finished"], tables=public["tables"])))
    lines += times(texts, public, now)
    return lines + of_reader(texts, public, own)


def times(texts: Catalogue, public: Message, now: int) -> list[Line]:
    """That everything stands still, when the next round opens, when the time of this one is over."""
    if public["halted"]:
        return [dress(texts("tournament.halted"), "warn")]
    lines: list[Line] = []
    if public["due"]:
        time = in_time(texts, int(public["due"]), now)
        lines.append(dress(texts("tournament.due", round=public["round"] + 1, time=time), "turn"))
    elif public["stage"] == "break":
        lines.append(dress(texts("tournament.due_director")))
    if public["deadline"]:
        lines.append(dress(texts("tournament.deadline", time=in_time(texts, int(public["deadline"]), now))))
    return lines


def of_reader(texts: Catalogue, public: Message, own: Message | None) -> list[Line]:
    """What concerns the reader: that he has entered, his table and seat, his bye, that he directs."""
    if own is None:
        return [dress(texts("tournament.enter_too"), "dim")] if public["open"] else []
    lines = [dress(texts("tournament.you_direct"), "dim")] if own["directs"] else []
    if own["entrant"] is None:
        return lines
    shown = {"number": own["entrant"], "round": public["round"], "table": own["number"]}
    if own["status"] != "in":
        return [*lines, dress(texts(f"tournament.you_{own['status']}", **shown), "turn")]
    if own["number"] is not None:
        key = "seated_paper" if own["table"] is None else "seated_finished" if own["finished"] else "seated"
        return [*lines, dress(texts(f"tournament.{key}", seat=seat_word(texts, own["seat"]), **shown), "turn")]
    if own["bye"]:
        return [*lines, dress(texts("tournament.bye", **shown), "turn")]
    if own["from_round"] is not None and own["from_round"] > public["round"] + (public["stage"] != "round"):
        return [*lines, dress(texts("tournament.you_in_from", **shown, from_round=own["from_round"]))]
    return [*lines, dress(texts("tournament.you_in", **shown))]
