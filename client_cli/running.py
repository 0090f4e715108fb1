"""Runs a visit or bots to the end and turns what ended them into a line and an exit code."""

import asyncio
import os
import sys
from collections.abc import Coroutine
from typing import Any

from client_cli.address import Server
from client_cli.board import Board
from client_cli.clean import clean
from client_cli.console import Console
from client_cli.presence import Busy, Refused, Unreachable, leaves

OK, FAILED, USAGE = 0, 1, 2


def run(work: Coroutine[Any, Any, int], server: Server, board: Board, console: Console) -> int:
    """The exit code of the work; a server that refuses or is not there is told, a closed output is not."""
    code = FAILED
    try:
        code = asyncio.run(work)
    except* Refused as refused:
        for fault in leaves(refused):
            if isinstance(fault, Refused):
                console.show(board.error(fault.error))
    except* Unreachable as gone:
        fault = leaves(gone)[0]
        key = "link.busy" if isinstance(fault, Busy) else "link.unreachable"
        console.show(board.say(key, "warn", server=server.base, why=clean(fault, 120)))
    except* BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # so that the flush at the end is silent
    return code
