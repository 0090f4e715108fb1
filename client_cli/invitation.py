"""What a player sends to friends: the join code of his table and links to it."""

from client_cli.session import Session
from client_cli.style import Line


def invitation(session: Session) -> list[Line]:
    """The code of a private table and links to the one in focus, for one who sits there; else nothing.

    Nobody can be asked to a table of a tournament.
    """
    view = session.view
    if view is None or view.seat is None or view.public.get("tournament") is not None:
        return []
    lines = session.board.say("table.code", code=view.code) if view.code else []
    return lines + links(session, view.code or view.table)


def links(session: Session, meant: str) -> list[Line]:
    """A link to the table of this code or id at each address of the server that others may reach."""
    servers = session.reachable_as or (session.connection.server,)
    return [line for server in servers for line in session.board.say("table.link", link=server.link(meant))]


def tournament_links(session: Session, tournament: str) -> list[Line]:
    """Where one enters a tournament, and where one looks at it, at each address that others may reach."""
    say, lines = session.board.say, list[Line]()
    for server in session.reachable_as or (session.connection.server,):
        lines += say("tournament.link", link=server.link(tournament))
        lines += say("tournament.link_page", link=f"{server.base}/tournament/{tournament}")
    return lines
