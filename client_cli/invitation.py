"""What a player sends to friends: the join code of his table and links to it."""

from client_cli.address import Server
from client_cli.board import Board
from client_cli.style import Line
from client_cli.view import View


def invitation(board: Board, view: View, servers: tuple[Server, ...]) -> list[Line]:
    """The code of a private table and a link at each of these addresses, for one who sits there; else nothing."""
    if view.seat is None:
        return []
    lines = board.say("table.code", code=view.code) if view.code else []
    return lines + links(board, servers, view.code or view.table)


def links(board: Board, servers: tuple[Server, ...], meant: str) -> list[Line]:
    """A link at each of these addresses to the table of this code or id."""
    return [line for server in servers for line in board.say("table.link", link=server.link(meant))]
