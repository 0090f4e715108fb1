"""The server is the player's own and ends with the client, as with `kop-server play`: what is different then."""

from client_cli.session import Session
from client_cli.view import View


async def unfinished(session: Session) -> str | None:
    """The table where the player sits and whose match is not over, shown and in focus; None: there is none."""
    for membership in tuple(session.memberships):
        table = membership["table"]
        if membership["seat"] is not None:
            await session.tables.arrived(table, 0)
            view = session.tables.view(table)
            if view is not None and goes_on(view):
                session.tell(session.board.say("own.resumed"))
                session.look_at(table)
                return view.table
    return None


def goes_on(view: View) -> bool:
    """Whether the player has a seat there and the match is not over."""
    return view.seat is not None and view.stage != "over"


def farewell(session: Session) -> list[str]:
    """The texts to say at the end."""
    view = session.view
    if view is None or not goes_on(view):
        return ["link.bye"]
    friends = [
        seat for seat, name in enumerate(view.names)
        if name and seat != view.seat and view.bot(seat) is None and view.here(seat)
    ]  # fmt: skip
    return ["own.bye", *(["own.cut_off"] if friends or view.message["watchers"] else [])]
