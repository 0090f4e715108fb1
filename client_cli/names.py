"""How the people and the bots at a table are called: a bot is always called one."""

from client_cli.catalogue import Catalogue
from client_cli.clean import clean_name
from client_cli.view import View


def marked(texts: Catalogue, name: object, *, bot: bool) -> str:
    """A name from the wire, fit for the terminal; a bot's with its mark."""
    return texts("name.bot", name=clean_name(name)) if bot else clean_name(name)


def named(texts: Catalogue, view: View, seat: int | None) -> str:
    """Who sits there, a bot with its mark; the number of an empty seat, a question mark for an impossible one."""
    name = view.name(seat)
    known = seat is not None and 0 <= seat < len(view.names) and view.names[seat] is not None
    return texts("name.bot", name=name) if known and seat is not None and view.bot(seat) else name


def named_inside(texts: Catalogue, view: View, seat: int) -> str:
    """The same for a place that has brackets around it."""
    return texts("name.bot_inside", name=view.name(seat)) if view.bot(seat) else view.name(seat)


def all_named(texts: Catalogue, view: View) -> list[str]:
    """All seats in order."""
    return [named(texts, view, seat) for seat in range(len(view.names))]


def by(texts: Catalogue, view: View, seat: int, key: str, **values: object) -> str:
    """What a seat did: `happened.KEY`, or `happened.KEY_you` where there is one and it is the reader's."""
    yours = f"happened.{key}_you"
    if seat == view.seat and yours in texts:
        return texts(yours, **values)
    name = named(texts, view, seat)
    return texts(f"happened.{key}", name=name, dealer=name, **values)
