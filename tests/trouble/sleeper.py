"""A client process to be stopped: says hello with a token, says so on its output, and waits.

Arguments: the server's websocket address, the token.
"""

import asyncio
import sys

from tests.wire import Wire


async def main(url: str, token: str) -> None:
    """Prints the number of tables it was led back to."""
    wire = Wire(url, "")
    wire.token = token
    welcome = await wire.open()
    print(len(welcome["tables"]), flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
