"""The status line below the prompt, and what may be typed there now."""

from client_cli.cards import Face, faces
from client_cli.catalogue import Catalogue
from client_cli.company import left, resumes_in, votable
from client_cli.company_text import clock, clocks, span
from client_cli.explain import Guide
from client_cli.view import Need, View, need_of

_LOOKS = ("help", "table", "hand", "sheet", "evening", "tricks", "rules", "how", "link", "tables", "phrases", "talk")
_ALWAYS = (*_LOOKS, "auto", "explain", "say", "mute", "leave", "quit")
_ENTER = {"ask": "ask", "go on": "go", "pass": "pass", "ready": "ready", "rematch": "rematch"}


class Status:
    """Tells in a line how things stand, from the newest view."""

    def __init__(self, texts: Catalogue, face: Face, guide: Guide) -> None:
        self._texts = texts
        self._face = face
        self._guide = guide

    def line(self, view: View | None, now: int, *, up: bool) -> str:
        """The deal, what is wanted of the player or who is waited for, and the time there is."""
        texts = self._texts
        if not up:
            return texts("toolbar.lost")
        if view is None:
            return texts("toolbar.no_table")
        facts = [texts("toolbar.deal", deal=view.play["deal"])] if view.play else []
        if view.pause:
            return " · ".join([*facts, self._paused(view, now)])
        facts += self._wanted(view) or ([] if facts else [texts(f"stage.{view.stage}")])
        facts += [texts("toolbar.vote")] if votable(view) else []
        seconds = view.seconds(now)
        facts += [texts("time.seconds", count=seconds)] if seconds is not None else []
        return " · ".join(fact for fact in (*facts, self._clock(view, now)) if fact)

    def suggestions(self, view: View | None) -> list[str]:
        """Cards, calls and commands, for completion."""
        typed = [self._face(card) for card in view.playable] if view else []
        typed += self._guide.calls(view) if view else []
        typed = [word.removesuffix(" (k)") for word in typed]
        for action in view.actions if view else []:
            meaning = _ENTER.get(action)
            typed += self._texts.words[meaning][:1] if meaning else []
        shown = [*_ALWAYS]
        if view is not None and view.pause:
            shown.append("resume")
        if view is not None and view.owns:
            shown += ["bot", "remove", "pause", "set", "start"]
        return typed + [self._texts.words[word][0] for word in shown]

    def _wanted(self, view: View) -> list[str]:
        texts = self._texts
        match need_of(view):
            case Need.READY:
                return [texts("toolbar.rematch" if "rematch" in view.actions else "toolbar.ready")]
            case Need.ASK:
                return [texts("toolbar.ask")]
            case Need.TURN:
                return [texts("toolbar.turn_ask" if "ask" in view.actions else "toolbar.turn")]
            case Need.ANSWER | Need.LATE:
                return [texts("toolbar.answer")]
            case Need.CARD:
                return [texts("toolbar.card", cards=faces(self._face, view.playable))]
            case Need.CALL | Need.NOTHING:
                return self._guide.waiting(view)[:1]

    def _paused(self, view: View, now: int) -> str:
        wait = resumes_in(view, now)
        if wait == 0:
            return self._texts("toolbar.resume")
        return self._texts("toolbar.paused") if wait is None else self._texts(
            "toolbar.resume_later", time=span(self._texts, wait)
        )  # fmt: skip

    def _clock(self, view: View, now: int) -> str:
        """The player's own clock while it runs, else those of the others."""
        own = None if view.seat is None else left(view, view.seat, now)
        return clock(self._texts, own) if own else clocks(view, self._texts, now)
