"""One visit of a player: from the opening until he leaves the terminal, with the connection kept up meanwhile."""

import asyncio

from client_cli.console import Console
from client_cli.keyboard import Keyboard
from client_cli.opening import Opening, begin
from client_cli.own_server import farewell
from client_cli.session import Session

_LAST_WAIT = 10.0


async def visit(session: Session, opening: Opening, console: Console) -> int:
    """Runs the visit and gives the exit code.

    Raises:
        ExceptionGroup: of `Refused` or `Unreachable`, where the connection cannot be made.
    """
    board = session.board
    console.attach(
        lambda: board.suggestions(session.view),
        lambda: _status(session),
    )
    session.resuming = opening.kind == "resume"
    session.reachable_as = opening.reachable_as
    async with asyncio.TaskGroup() as tasks:
        connection = tasks.create_task(session.connection.run())
        code = await begin(session, opening)
        if code is None:
            if opening.own_server and opening.reachable_as:
                session.tell(board.say("own.friends"))
            await _stay(session, console, opening.line)
            told = ["link.bye_seat" if session.seated else "link.bye"]
            if opening.own_server:
                told = farewell(session)
            session.focus = None  # what follows of the table needs no words
            for text in told:
                session.tell(board.say(text))
        connection.cancel()
    return code or 0


def _status(session: Session) -> str:
    """The status line: the table's, else the tournament's."""
    up, following = session.connection.up, session.following
    if up and session.view is None and following.toolbar:
        return following.toolbar
    return session.board.toolbar(session.view, session.now, up=up)


async def _stay(session: Session, console: Console, line: str) -> None:
    async with asyncio.TaskGroup() as tasks:
        typing = tasks.create_task(_type(session, console, line))
        ended = tasks.create_task(session.ended.wait())
        await asyncio.wait({typing, ended}, return_when=asyncio.FIRST_COMPLETED)
        typing.cancel()
        ended.cancel()


async def _type(session: Session, console: Console, line: str) -> None:
    """Obeys `line`, if there is one, and line after line; at the end of the input waits for what is outstanding."""
    keyboard = Keyboard(session, pipe=not console.interactive)
    if line:
        await keyboard.obey(line)
    async for typed in console.typed():
        if not await keyboard.obey(typed):
            return
    if session.until_over:
        await session.ended.wait()
    await session.rest(_LAST_WAIT)
