"""What a player may do now, in words, and why: from the actions of the newest view, without rules."""

from typing import Final

from client_cli.cards import Face, faces
from client_cli.catalogue import Catalogue
from client_cli.clean import clean
from client_cli.company import left
from client_cli.company_text import clock
from client_cli.names import named
from client_cli.narrate import Teller, doubling_name
from client_cli.table_help import afterwards, owners, people_away, stand_still, talk
from client_cli.view import Need, View, need_of

_KNOWN: Final = frozenset({"ready", "rematch", "ask", "go", "pass", "wesele", "zolo", "double", "play"})


class Guide:
    """Says what is asked of the player (`invite`) and answers `?` (`help`)."""

    def __init__(self, texts: Catalogue, face: Face, teller: Teller) -> None:
        self._texts = texts
        self._face = face
        self._teller = teller

    def calls(self, view: View) -> list[str]:
        """The games and doublings that may be called, as they are typed."""
        calls: list[str] = []
        for action in view.actions:
            if action.startswith("double "):
                calls.append(doubling_name(view, action) + (" (k)" if action == "double 1" else ""))
            elif action.split()[0] in ("wesele", "zolo"):
                game, jack = self._teller.game(action)
                calls.append(f"{game} {jack}" if jack else game)
        return calls

    def invite(self, view: View, now: int) -> list[str]:
        """What the table wants from the player now; empty if nothing. `now`: the server's time in ms."""
        seconds = view.seconds(now)
        texts, need, calls = self._texts, need_of(view), ", ".join(self.calls(view))
        match need:
            case Need.NOTHING:
                alone = view.owns and view.stage == "seating" and None in view.names
                return [texts("need.seating")] if alone else []
            case Need.READY:
                return [self._ready(view)]
            case Need.ASK:
                lines = [texts("need.ask")]
            case Need.TURN:
                # the leader's first pass is his question
                lines = [texts("need.turn_ask" if "ask" in view.actions else "need.turn")]
            case Need.LATE:
                return [self._late(view, seconds)]
            case Need.ANSWER:
                leader = named(texts, view, view.play["turn"] if view.play else None)
                lines = [texts("need.answer", name=leader)]
                lines += [texts("need.answer_time", seconds=seconds)] if seconds is not None else []
            case Need.CARD:
                key = "need.play" if view.play and view.play["trick"] else "need.lead"
                lines = [texts(key, cards=faces(self._face, view.playable))]
            case Need.CALL:
                return [texts("need.call", calls=calls)] if calls and view.phase == "calls" else []
        return lines + ([texts("need.calls_too", calls=calls)] if calls else [])

    def help(self, view: View | None, now: int) -> list[str]:
        """Everything that may be done now and why, and who is waited for."""
        texts = self._texts
        if view is None:
            return [texts("help.no_table")]
        if view.seat is None:
            still = stand_still(view, texts, now) or self.waiting(view)
            return [texts("help.watching"), *still, *people_away(view, texts), *talk(view, texts), texts("help.look")]
        lines = stand_still(view, texts, now) or self._now(view) + self._time(view, now) + self.waiting(view)
        lines += [*people_away(view, texts), texts("help.look"), *afterwards(view, texts), *talk(view, texts)]
        return [*lines, texts("help.set"), texts("help.leave"), *owners(view, texts, now)]

    def _time(self, view: View, now: int) -> list[str]:
        """How long the player has for what is asked of him, where there are clocks."""
        time = None if view.seat is None else left(view, view.seat, now)
        return [self._texts("help.clock", clock=clock(self._texts, time))] if time else []

    def waiting(self, view: View) -> list[str]:
        """Who is waited for, if it is not this player."""
        texts, play = self._texts, view.play
        free = [str(seat + 1) for seat, name in enumerate(view.names) if name is None]
        if free:
            return [texts("help.waiting_seats", seats=", ".join(free))]
        if view.stage != "deal" or play is None:
            late = [
                named(texts, view, seat)
                for seat, ready in enumerate(view.public["ready"])
                if not ready and seat != view.seat
            ]
            return [texts("help.waiting_ready", names=texts.join(late))] if late and view.stage != "over" else []
        if play["opening"]:
            stand = play["opening"]
            late = [
                named(texts, view, seat)
                for seat, words in enumerate(stand["commitments"])
                if words and seat not in stand["opened"]
            ]
            return [texts("help.waiting_opening", names=texts.join(late))]
        if play["phase"] == "calls" and play["question"] and play["turn"] == view.seat:
            late = [named(texts, view, seat) for seat in range(4) if seat != view.seat and seat not in play["waved"]]
            return [texts("help.waiting_answers", names=texts.join(late))]
        if play["turn"] not in (None, view.seat) and need_of(view) in (Need.NOTHING, Need.CALL):
            return [texts("help.waiting", name=named(texts, view, play["turn"]))]
        return []

    def _late(self, view: View, seconds: int | None) -> str:
        """The short time in which the opening lead may still be doubled."""
        calls = ", ".join(self.calls(view))
        return self._texts("need.late" if calls else "need.late_wave", calls=calls, seconds=seconds or 0)

    def _ready(self, view: View) -> str:
        if "rematch" in view.actions:
            return self._texts("need.rematch")
        deal = view.play["deal"] if view.play else 1
        cuts = any(action.startswith("ready ") for action in view.actions)
        return self._texts("need.ready_cut" if cuts else "need.ready", deal=deal)

    def _now(self, view: View) -> list[str]:
        texts, actions, lines = self._texts, view.actions, []
        if "rematch" in actions:
            lines.append(texts("help.rematch"))
        elif need_of(view) is Need.READY:
            lines.append(texts("help.ready"))
        if "ask" in actions:
            lines.append(texts("help.ask_turn" if view.in_turn else "help.ask"))
        if "pass" in actions:
            lines.append(texts("help.pass"))
        if "go on" in actions:
            lines.append(texts("help.late" if need_of(view) is Need.LATE else "help.answer"))
        if view.playable:
            lines.append(texts("help.card", cards=faces(self._face, view.playable)))
            barred = [card for card in view.hand if card not in view.playable]
            lines += [texts("help.card_why", cards=faces(self._face, barred))] if barred else []
        calls = self.calls(view)
        doubles = [doubling_name(view, action) for action in actions if action.startswith("double ")]
        games = calls[: len(calls) - len(doubles)] if doubles else calls
        lines += [texts("help.call", games=", ".join(games))] if games else []
        lines += [texts("help.double", doubling=doubling) for doubling in doubles]
        others = [clean(action, 32) for action in actions if action.split()[0] not in _KNOWN]
        return lines + ([texts("help.others", actions=", ".join(others))] if others else [])
