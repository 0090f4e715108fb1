"""A Valkey of the bench's own, which syncs each group of writes before it answers."""

import contextlib
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

from server.store.binary import find_server_program

START_PATIENCE = 60.0
_POLL = 0.005


@contextlib.contextmanager
def valkey(folder: Path) -> Iterator[str]:
    """The URL of a Valkey that keeps its files in the folder, and what is there already; it ends with the block."""
    folder.mkdir(parents=True, exist_ok=True)
    place = folder / "s"
    options = {
        "dir": str(folder),
        "port": "0",
        "unixsocket": str(place),
        "appendonly": "yes",
        "appendfsync": "always",
        "save": "",
        "maxmemory-policy": "noeviction",
    }
    words = [word for name, value in options.items() for word in (f"--{name}", value)]
    with (folder / "valkey.log").open("a") as log:
        process = subprocess.Popen([find_server_program(), *words], stdout=log, stderr=log, start_new_session=True)
    try:
        _wait(place, process)
        yield f"unix://{quote(str(place))}"
    finally:
        process.terminate()
        process.wait(60)


def _wait(place: Path, process: "subprocess.Popen[bytes]") -> None:
    """Returns when it answers that it has loaded everything."""
    deadline = time.monotonic() + START_PATIENCE
    while time.monotonic() < deadline and process.poll() is None:
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(START_PATIENCE)
            connection.connect(str(place))
            connection.sendall(b"PING\r\n")
            if connection.recv(64).startswith(b"+PONG"):
                return
        time.sleep(_POLL)
    raise RuntimeError("the Valkey of the bench did not start")
