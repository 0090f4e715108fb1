"""`kop-server play` and `kop-server demo`: a server process and clients beside it, each a program of its own."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from server.configuration import Configuration

_PORT: Final = "play.port"
NO_METRICS: Final = {"KOP_METRICS_PORT": "0"}


def play(configuration: Configuration, *, lan: bool, name: str | None, lang: str | None, bots: int) -> int:
    """A server, a table, bots, and you in a seat; a table that was not played to its end goes on."""
    host = "0.0.0.0" if lan else configuration.host  # noqa: S104
    folder = configuration.data_dir
    folder.mkdir(parents=True, exist_ok=True)
    wanted = configuration.port or _port_before(folder, host)
    log = folder / "server.log"
    serve = ["serve", "--host", host, "--port", str(wanted), "--data-dir", str(folder)]
    with log.open("ab") as errors, server_process(serve, {**os.environ, **NO_METRICS}, errors.fileno(), log) as port:
        (folder / _PORT).write_text(f"{port}\n")
        client = ["create", "--own-server", "--server", f"http://127.0.0.1:{port}", "--bots", str(bots)]
        for address in _reachable_addresses() if lan else ():
            client += ["--reachable-as", f"http://{address}:{port}"]
        for option, value in (("--name", name), ("--lang", lang)):
            client += [option, value] if value else []
        return subprocess.call(kop_command(client))


def _port_before(folder: Path, host: str) -> int:
    """The port of the last time, if it is free, so that links and what the client knows by the address stay good."""
    with contextlib.suppress(OSError, ValueError, OverflowError):
        port = int((folder / _PORT).read_text())
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        socket.create_server((host, port), family=family).close()
        return port
    return 0


def demo() -> int:
    """Four bots play a match of 16 deals over real sockets; prints the deals and the score sheet."""
    with tempfile.TemporaryDirectory(prefix="kop-demo-") as folder:
        environment = {**os.environ, **NO_METRICS, "KOP_HOME": folder}
        with server_process(["serve", "--port", "0", "--data-dir", f"{folder}/data"], environment, None, None) as port:
            print(f"A server listens on port {port}; four bots sit down.", flush=True)  # noqa: T201
            client = ["bot", "new", "--server", f"http://127.0.0.1:{port}", "--count", "4", "--deals", "16"]
            return subprocess.call(kop_command([*client, "--delay", "0", "--until-over", "--sheet"]), env=environment)


@contextlib.contextmanager
def server_process(
    arguments: Sequence[str], environment: Mapping[str, str], errors: int | None, log: Path | None
) -> Iterator[int]:
    """A server process that listens on the port it yields, and is ended with the block, also by a closed terminal.

    Raises:
        OSError: it did not start; its last word stands in the text, or on the standard error.
    """
    for number in (signal.SIGHUP, signal.SIGTERM):
        signal.signal(number, _leave)
    command = [sys.executable, "-m", "server.main", *arguments]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=errors, text=True, env=environment, start_new_session=True
    )
    try:
        line = process.stdout.readline() if process.stdout is not None else ""
        if not line:
            process.wait()
            raise OSError("the server did not start" if log is None else f"the server did not start: {_last_word(log)}")
        yield int(line.rsplit(":", 1)[1].strip("/\n"))
    finally:
        process.terminate()
        process.wait()


def _leave(number: int, frame: object) -> None:
    """A closed terminal or a kill ends the program as a whole, the server with it."""
    raise SystemExit(128 + number)


def _last_word(log: Path) -> str:
    """The last line of a server's log, and where the log is."""
    lines = log.read_text(errors="replace").strip().splitlines()
    return f"{lines[-1] if lines else 'no message'} (see {log})"


def kop_command(arguments: Sequence[str]) -> list[str]:
    """The command line of the terminal client, in this installation."""
    return [sys.executable, "-m", "client_cli.main", *arguments]


def _reachable_addresses() -> list[str]:
    """The addresses under which others in the network may reach this machine."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # sends nothing: asks only which address would be used
            return [probe.getsockname()[0]]
        except OSError:
            return []
