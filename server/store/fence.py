"""Ends the former connections at a server before new ones are used.

A command on a lost connection may still wait in a socket's buffer; were it to take effect later,
whoever asks on a new connection what became of it would be told the wrong thing.
"""

import re

from server.store.connection import Connection

_RUN_ID = re.compile(rb"run_id:(\w+)")


class Fence:
    """Notes the connections to all servers of a store; `admit` each new one before it is used."""

    def __init__(self) -> None:
        self._present: list[tuple[bytes, int]] = []
        self._former: list[tuple[bytes, int]] = []

    async def admit(self, connection: Connection) -> None:
        """Notes a new connection, by the run of its server and its number there, and ends the former ones there."""
        info, number = await connection.call(("INFO", "server"), ("CLIENT", "ID"))
        found = _RUN_ID.search(info) if isinstance(info, bytes) else None
        if found is None or not isinstance(number, int):  # a managed server that forbids it
            return
        run = found.group(1)
        for former in [one for one in self._former if one[0] == run]:
            await connection.call(("CLIENT", "KILL", "ID", former[1]))
            self._former.remove(former)
        self._present.append((run, number))

    def close(self) -> None:
        """All connections are former ones now."""
        self._former += self._present
        self._present.clear()

    def forget_former(self) -> None:
        """All servers that hold slots have been asked to end them."""
        self._former.clear()
