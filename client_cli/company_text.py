"""In sentences: who is away and what becomes of his seat, the pause and who may end it, the clocks."""

from typing import Final

from client_cli.catalogue import Catalogue
from client_cli.company import Left, absence, left, own_vote, owner, resumes_in, votable
from client_cli.names import named
from client_cli.view import Message, View

TYPED: Final = {"wait": "vote_wait", "bot": "bot", "end": "vote_end"}
"""By choice: the meaning of the words for it."""


def span(texts: Catalogue, seconds: int) -> str:
    """A time in one unit: seconds up to two minutes, then minutes, then hours."""
    if seconds < 120:
        return texts("time.seconds", count=seconds)
    if seconds < 7200:
        return texts("time.minutes", count=seconds // 60)
    return texts("time.hours", count=seconds // 3600)


def paused(view: View, texts: Catalogue, now: int) -> str:
    """Who let the table stand still, and for how long it has; empty while it goes on."""
    pause = view.pause
    if pause is None:
        return ""
    time = span(texts, max(0, (now - int(pause["at"])) // 1000))
    if pause.get("director"):
        return texts("company.paused_director", time=time)
    if pause["seat"] is None:
        return texts("company.paused_nobody", time=time)
    return texts("company.paused", name=named(texts, view, pause["seat"]), time=time)


def resuming(view: View, texts: Catalogue, now: int) -> str:
    """Who may let a paused table go on, and when."""
    if view.pause is not None and view.pause.get("director"):
        return texts("company.resume_director")
    wait = resumes_in(view, now)
    if wait == 0:
        return texts("company.resume_you")
    name = named(texts, view, owner(view))
    if wait is None:
        return texts("company.resume_others", name=name)
    return texts("company.resume_later", name=name, time=span(texts, wait))


def away(view: View, texts: Catalogue, seat: int) -> str:
    """That nobody looks after a seat, and what is done about it; empty while somebody does."""
    one = absence(view, seat)
    if one is None:
        return ""
    if seat == view.seat:
        return texts("company.you_bot" if one["stand_in"] else "company.you_away")
    if view.names[seat] is None:
        key = "company.empty" if one["votes"] is None else "company.empty_vote"
        return texts(key, seat=seat + 1, votes=_votes(view, texts, one))
    name = named(texts, view, seat)
    if one["stand_in"]:
        return texts("company.away_bot", name=name)
    if one["votes"] is not None:
        return texts("company.away_vote", name=name, votes=_votes(view, texts, one))
    if view.public["on_absence"] == "clock":
        return texts("company.away_clock", name=name)
    return texts("company.away_wait", name=name)


def _votes(view: View, texts: Catalogue, one: Message) -> str:
    voted = [
        texts("company.vote", name=named(texts, view, vote["seat"]), choice=texts(f"vote.{vote['choice']}"))
        for vote in one["votes"] or ()
    ]
    return ", ".join(voted) or texts("company.no_votes")


def may_vote(view: View, texts: Catalogue) -> list[str]:
    """What the reader may do about those who are away; empty where he has no voice in it."""
    return [texts("company.may_vote", seat=one["seat"] + 1) for one in votable(view) if own_vote(view, one) is None]


def may_change(view: View, texts: Catalogue) -> list[str]:
    """What the reader has voted, and that he may vote otherwise as long as the vote is open."""
    return [
        texts("company.may_change", seat=one["seat"] + 1, choice=typed_choice(texts, chosen), others=others)
        for one in votable(view)
        if (chosen := own_vote(view, one)) and (others := _other_votes(view, texts, one, chosen))
    ]


def _other_votes(view: View, texts: Catalogue, one: Message, chosen: str) -> str:
    """The lines that change a vote, as they are typed; with the seat where several votes are open."""
    about = f" {one['seat'] + 1}" if len(votable(view)) > 1 else ""
    words = [typed_choice(texts, choice) for choice in TYPED if choice != chosen]
    return ", ".join(f"{texts.words['vote'][0]} {word}{about}" for word in words)


def typed_choice(texts: Catalogue, choice: str) -> str:
    """The word for a choice as it is typed."""
    return texts.words[TYPED[choice]][0] if choice in TYPED else choice


def clock(texts: Catalogue, time: Left) -> str:
    """What a clock shows: the seconds for the decision, and the bank if there is one."""
    return texts("company.clock_bank" if time.bank else "company.clock", seconds=time.seconds, bank=time.bank)


def clocks(view: View, texts: Catalogue, now: int) -> str:
    """All clocks that run, with names; empty if none does."""
    running = {seat: left(view, seat, now) for seat in range(len(view.names))}
    return ", ".join(
        texts("company.whose_clock", name=named(texts, view, seat), clock=clock(texts, time))
        for seat, time in running.items()
        if time is not None
    )


def standing(view: View, texts: Catalogue, now: int) -> list[str]:
    """All of this that there is to be said of a table."""
    lines = [paused(view, texts, now), resuming(view, texts, now)] if view.pause else []
    lines += [told for seat in range(len(view.names)) if (told := away(view, texts, seat))]
    running = clocks(view, texts, now)
    return lines + ([texts("company.clocks", clocks=running)] if running else [])
