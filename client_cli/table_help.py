"""For `?`: what may be done now beyond the game itself: with people and bots, the pause, and talk."""

from client_cli.catalogue import Catalogue
from client_cli.company import other_people, resumes_in
from client_cli.company_text import away, may_change, may_vote, paused, resuming
from client_cli.view import View


def stand_still(view: View, texts: Catalogue, now: int) -> list[str]:
    """Why nothing can be done while the table is paused, and who may end that."""
    return [paused(view, texts, now), resuming(view, texts, now)] if view.pause else []


def people_away(view: View, texts: Catalogue) -> list[str]:
    """Who is away, what the table's rule does about it, and the vote on it."""
    lines = [told for seat in range(len(view.names)) if (told := away(view, texts, seat))]
    return lines + may_vote(view, texts) + may_change(view, texts)


def talk(view: View, texts: Catalogue) -> list[str]:
    """What may be said here, and how."""
    alone = view.seat is None and view.public["talk"] != "off"
    return [texts(f"help.talk_{view.public['talk']}"), *([texts("help.talk_watching")] if alone else [])]


def afterwards(view: View, texts: Catalogue) -> list[str]:
    """What can be looked at once there is something to look at."""
    return [texts("help.evening")] if view.public["match"] else []


def owners(view: View, texts: Catalogue, now: int) -> list[str]:
    """What the owner may do now; for others, when they may do it in his stead."""
    if not view.owns:
        return [texts("help.owner_away")] if view.owner_away else []
    commands = []
    if view.pause is not None and resumes_in(view, now) == 0:
        commands.append("resume")
    if view.stage == "seating":
        commands.append("set")
    if None in view.names:
        commands.append("bot")
    if view.stage == "between" and None not in view.names and view.pause is None:
        commands.append("start")
    if view.stage == "between" and view.play is not None and view.play["deals"] is None:
        commands.append("finish")
    if view.can_annul:
        commands.append("annul")
    if view.running and view.pause is None:
        commands.append("pause")
    if any(name is not None and seat != view.seat for seat, name in enumerate(view.names)):
        commands.append("remove")
    if other_people(view):
        commands.append("hand_over")
    return [texts("help.owner"), *(texts(f"help.owner_{command}") for command in commands)] if commands else []
