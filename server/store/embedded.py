"""The embedded store: a Valkey of our own in a data directory, supervised.

It listens on a unix socket only, syncs each group commit before it answers, and ends with us. When
it dies it is started again on the same socket, so whoever is connected needs nothing but patience.
"""

import asyncio
import contextlib
import ctypes
import logging
import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self
from urllib.parse import quote

from server.store.binary import find_server_program
from server.store.data_directory import DataDirectory

log = logging.getLogger(__name__)

_START_PATIENCE_S = 60.0
_STOP_PATIENCE_S = 20.0
_POLL_S = 0.005
_FIRST_PAUSE_S = 0.1
_LONGEST_PAUSE_S = 30.0
_STEADY_S = 60.0
"""A Valkey that lived this long is started again at once when it dies."""
_LARGE_LOG_BYTES = 1_000_000
_PR_SET_PDEATHSIG = 1


class EmbeddedFailed(Exception):
    """The Valkey did not start; the message holds the last line of its log."""


class EmbeddedValkey:
    """`async with EmbeddedValkey(folder) as valkey: await RedisStore.open(valkey.url)`.

    `ends_with_us=False` leaves an orphan behind when this process is killed, as systems other than
    Linux do; the next start takes over from it either way.
    """

    def __init__(self, data_dir: Path | str, *, ends_with_us: bool = True) -> None:
        self._directory = DataDirectory(Path(data_dir))
        self._ends_with_us = ends_with_us
        self._socket = Path()
        self._program = Path()
        self._process: asyncio.subprocess.Process | None = None
        self._supervision: asyncio.Task[None] | None = None
        self._deaths = 0
        self._trouble: str | None = None

    @property
    def url(self) -> str:
        """The address for `RedisStore.open`; it stays the same over restarts of the Valkey."""
        return f"unix://{quote(str(self._socket))}"

    @property
    def pid(self) -> int | None:
        """The process id of the Valkey; None while there is none."""
        return self._process.pid if self._process is not None and self._process.returncode is None else None

    @property
    def deaths(self) -> int:
        """How often the Valkey died since `start`."""
        return self._deaths

    def warnings(self) -> tuple[str, ...]:
        """What keeps the Valkey from running, for `Health`; empty while it runs."""
        return () if self._trouble is None else (self._trouble,)

    async def start(self) -> None:
        """Returns when the Valkey answers; call `stop` at the end.

        Raises:
            NoServerProgram: there is no Valkey to run.
            DataDirectoryInUse: another server runs on this directory.
            EmbeddedFailed: the Valkey ended, or did not answer in time.
        """
        self._program = find_server_program()
        await asyncio.to_thread(self._directory.acquire)
        try:
            self._socket = self._directory.make_socket_path()
            process = await self._launch()
        except BaseException:
            await self.stop()
            raise
        self._supervision = asyncio.get_running_loop().create_task(self._supervise(process))
        self._supervision.add_done_callback(self._supervision_ended)

    async def stop(self) -> None:
        """Ends the Valkey, which keeps everything it was told, and lets go of the directory."""
        if self._supervision is not None:
            self._supervision.cancel()
            await asyncio.gather(self._supervision, return_exceptions=True)  # `_supervision_ended` has logged it
            self._supervision = None
        await self._end_process()
        self._directory.release()

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        await self.stop()

    async def _supervise(self, process: asyncio.subprocess.Process) -> None:
        pause = _FIRST_PAUSE_S
        while True:
            started = time.monotonic()
            code = await process.wait()
            self._deaths += 1
            if time.monotonic() - started > _STEADY_S:
                pause = _FIRST_PAUSE_S
            self._note_trouble(f"it ended ({_reason(code)})", pause)
            await asyncio.sleep(pause)
            process, pause = await self._relaunch(min(pause * 2, _LONGEST_PAUSE_S))

    async def _relaunch(self, pause: float) -> tuple[asyncio.subprocess.Process, float]:
        """Starts the Valkey until it answers; also returns how long to wait after its next death."""
        while True:
            try:
                process = await self._launch()
            except (EmbeddedFailed, OSError) as failure:
                await self._end_process()
                self._note_trouble(str(failure), pause)
                await asyncio.sleep(pause)
                pause = min(pause * 2, _LONGEST_PAUSE_S)
            else:
                self._trouble = None
                log.info("the embedded Valkey runs again, pid %s", self.pid)
                return process, pause

    def _supervision_ended(self, task: asyncio.Task[None]) -> None:
        if not task.cancelled() and (bug := task.exception()) is not None:
            log.critical("the supervision of the embedded Valkey has stopped", exc_info=bug)
            self._trouble = "The embedded Valkey is no longer supervised after an error of ours; restart the server."

    def _note_trouble(self, what: str, pause: float) -> None:
        self._trouble = f"The embedded Valkey does not run: {what}; next try within {pause:.1f} s. {self._last_words()}"
        log.error("%s", self._trouble)

    async def _launch(self) -> asyncio.subprocess.Process:
        self._directory.note_child(None, self._socket)
        output = _open_log(self._directory.log)
        try:
            self._process = await asyncio.create_subprocess_exec(
                self._program,
                *_options(self._directory.path, self._socket),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                pass_fds=(self._directory.child_lock,),
                start_new_session=True,  # else Ctrl-C would end it before we have drained
                preexec_fn=_end_with_parent() if self._ends_with_us else None,
            )
        finally:
            os.close(output)
        self._directory.note_child(self._process.pid, self._socket)
        await self._wait_until_it_answers(self._process)
        return self._process

    async def _wait_until_it_answers(self, process: asyncio.subprocess.Process) -> None:
        deadline = time.monotonic() + _START_PATIENCE_S
        while process.returncode is None:
            answer = await _ping(self._socket)
            if answer.startswith(b"+PONG"):
                return
            if answer.startswith(b"-LOADING"):
                deadline = time.monotonic() + _START_PATIENCE_S
            if time.monotonic() > deadline:
                raise EmbeddedFailed(f"it did not answer within {_START_PATIENCE_S:g} s. {self._last_words()}")
            await asyncio.sleep(_POLL_S)
        raise EmbeddedFailed(f"it ended at once ({_reason(process.returncode)}). {self._last_words()}")

    async def _end_process(self) -> None:
        process = self._process
        if process is None or process.returncode is not None:
            return
        for order in (process.terminate, process.kill):
            with contextlib.suppress(ProcessLookupError):
                order()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_STOP_PATIENCE_S):
                    await process.wait()
                    return

    def _last_words(self) -> str:
        with contextlib.suppress(OSError):
            lines = self._directory.log.read_text(errors="replace").strip().splitlines()
            if lines:
                return f"The last line of {self._directory.log}: {lines[-1]}"
        return f"See {self._directory.log}."


def _options(folder: Path, socket_path: Path) -> list[str]:
    options = {
        "dir": str(folder),
        "port": "0",
        "unixsocket": str(socket_path),
        "unixsocketperm": "700",
        "daemonize": "no",
        "appendonly": "yes",
        "appendfsync": "always",
        "save": "",
        "maxmemory-policy": "noeviction",
        "logfile": "",
    }
    return [word for name, value in options.items() for word in (f"--{name}", value)]


def _open_log(path: Path) -> int:
    with contextlib.suppress(FileNotFoundError):
        if path.stat().st_size > _LARGE_LOG_BYTES:
            path.replace(path.with_suffix(".log.1"))
    return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)


def _end_with_parent() -> Callable[[], None] | None:
    """What the child has to run first, so that the kernel ends it when we are killed; Linux only."""
    if sys.platform != "linux":
        return None
    prctl = ctypes.CDLL(None).prctl
    parent = os.getpid()

    def arm() -> None:
        prctl(_PR_SET_PDEATHSIG, int(signal.SIGTERM))
        if os.getppid() != parent:  # we died before it was armed
            os.kill(os.getpid(), signal.SIGTERM)

    return arm


async def _ping(path: Path) -> bytes:
    """What the server at a socket says to a PING; nothing if there is none that answers."""
    try:
        async with asyncio.timeout(1):
            reader, writer = await asyncio.open_unix_connection(path)
            try:
                writer.write(b"PING\r\n")
                return await reader.readline()
            finally:
                writer.close()
    except (OSError, TimeoutError):
        return b""


def _reason(code: int | None) -> str:
    if code is None or code >= 0:
        return f"exit code {code}"
    return signal.Signals(-code).name
