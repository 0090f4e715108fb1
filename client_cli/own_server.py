"""The server is the player's own and ends with the client, as with `kop-server play`: what is different then."""

from collections.abc import Iterable
from typing import Final

from client_cli.session import Session
from client_cli.view import View

_PATIENCE: Final = 5.0


async def unfinished(session: Session) -> str | None:
    """The table where the player sits and whose match is not over, shown and in focus; None: there is none."""
    for membership in tuple(session.memberships):
        table = membership["table"]
        if membership["seat"] is not None:
            await session.tables.arrived(table, 0)
            view = session.tables.view(table)
            if view is not None and goes_on(view):
                await _remove_bots(session, view)
                session.tell(session.board.say("own.resumed"))
                session.look_at(table)
                return view.table
    return None


def goes_on(view: View) -> bool:
    """Whether the player has a seat there and the match is not over."""
    return view.seat is not None and view.stage != "over"


async def _remove_bots(session: Session, view: View) -> None:
    """The bots of a client that was killed hold their seats, and will not come back."""
    for seat, name in enumerate(view.names if view.owns else []):
        if name in bot_names(3) and not view.here(seat):
            player = view.public["seats"][seat]["player"]
            await session.settle(session.ask("remove", {"table": view.table, "player": player}, quiet=True), _PATIENCE)


def bot_names(count: int, taken: Iterable[str | None] = ()) -> list[str]:
    """What the bots are called that a player brings along, other than those who sit there."""
    seated = set(taken)
    names = [name for number in range(1, count + 4) if (name := f"Bot {number}") not in seated]
    return names[:count]


def farewell(session: Session, bots: Iterable[str]) -> list[str]:
    """The texts to say at the end; `bots` are the names of those that go with the player."""
    view = session.view
    if view is None or not goes_on(view):
        return ["link.bye"]
    brought = set(bots)
    friends = [
        seat for seat, name in enumerate(view.names) if name and seat != view.seat and view.here(seat)
        and name not in brought
    ]  # fmt: skip
    return ["own.bye", *(["own.cut_off"] if friends or view.message["watchers"] else [])]
