"""The data directory of the embedded store, and who owns it.

Two locks tell apart what a process id cannot: `owner.lock` is held by the server process alone,
`valkey.lock` also by the Valkey that it started. Who gets the first but not the second has found an
orphan: a Valkey whose server process was killed. It is asked to shut down and waited for; started
on, it would write to the same files and remove the new one's socket.
"""

import contextlib
import fcntl
import json
import os
import shutil
import signal
import socket
import tempfile
import time
from pathlib import Path
from typing import Any

_LONGEST_SOCKET_PATH = 103
_ORPHAN_PATIENCE_S = 10.0
_POLL_S = 0.01


class DataDirectoryInUse(Exception):
    """Another live server, or a Valkey that cannot be ended, holds the data directory."""


class DataDirectory:
    """A data directory that this process owns from `acquire` to `release`."""

    def __init__(self, path: Path) -> None:
        self.path = path.resolve()
        self.log = self.path / "valkey.log"
        self._owner = -1
        self._child = -1
        self._socket_folder: Path | None = None

    def acquire(self) -> None:
        """Takes the directory, ending an orphan that it finds; blocks for up to 20 s while it does.

        Raises:
            DataDirectoryInUse
        """
        self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
        try:
            self._owner = _open(self.path / "owner.lock")
            if not _lock(self._owner):
                raise DataDirectoryInUse(f"data directory is in use by pid {_noted(self._owner).get('pid', '?')}")
            self._child = _open(self.path / "valkey.lock")
            if not _lock(self._child):
                self._end_orphan(_noted(self._child))
            _note(self._owner, pid=os.getpid())
        except BaseException:
            self.release()
            raise

    def release(self) -> None:
        """Lets others have the directory. A Valkey that still runs keeps its own lock."""
        for descriptor in (self._child, self._owner):
            if descriptor >= 0:
                os.close(descriptor)
        self._child = self._owner = -1
        if self._socket_folder is not None:
            shutil.rmtree(self._socket_folder, ignore_errors=True)
            self._socket_folder = None

    @property
    def child_lock(self) -> int:
        """The descriptor that the Valkey has to inherit."""
        return self._child

    def make_socket_path(self) -> Path:
        """A path for the socket that is short enough, if need be in a temporary folder of its own."""
        inside = self.path / "valkey.sock"
        if len(os.fsencode(inside)) <= _LONGEST_SOCKET_PATH:
            return inside
        folder = Path(tempfile.mkdtemp(prefix="kop-"))
        if len(os.fsencode(folder)) > _LONGEST_SOCKET_PATH - 20:
            folder.rmdir()
            folder = Path(tempfile.mkdtemp(prefix="kop-", dir="/tmp"))
        self._socket_folder = folder
        return folder / "valkey.sock"

    def note_child(self, pid: int | None, socket_path: Path) -> None:
        """Writes down whom a later start has to end, should this process be killed."""
        _note(self._child, pid=pid, socket=str(socket_path))

    def _end_orphan(self, noted: dict[str, Any]) -> None:
        socket_path = noted.get("socket")
        if isinstance(socket_path, str):
            _ask_to_shut_down(socket_path)
        if not _lock_soon(self._child):
            pid = noted.get("pid")
            if not isinstance(pid, int):
                raise DataDirectoryInUse("data directory is in use by a Valkey that does not answer")
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)  # it writes and syncs before it answers, so nothing told is lost
            if not _lock_soon(self._child):
                raise DataDirectoryInUse(f"data directory is in use by pid {pid}, a Valkey that cannot be ended")
        if isinstance(socket_path, str):
            _clear_socket_folder(Path(socket_path), self.path)


def _open(path: Path) -> int:
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)


def _lock(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _lock_soon(descriptor: int) -> bool:
    deadline = time.monotonic() + _ORPHAN_PATIENCE_S
    while not _lock(descriptor):
        if time.monotonic() > deadline:
            return False
        time.sleep(_POLL_S)
    return True


def _noted(descriptor: int) -> dict[str, Any]:
    try:
        noted = json.loads(os.pread(descriptor, 4096, 0))
    except ValueError:
        return {}
    return noted if isinstance(noted, dict) else {}


def _note(descriptor: int, **what: object) -> None:
    os.ftruncate(descriptor, 0)
    os.pwrite(descriptor, json.dumps(what).encode(), 0)


def _ask_to_shut_down(path: str) -> None:
    with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(_ORPHAN_PATIENCE_S)
        connection.connect(path)
        connection.sendall(b"SHUTDOWN NOSAVE\r\n")
        connection.recv(1)  # returns when it has ended


def _clear_socket_folder(path: Path, data: Path) -> None:
    """A temporary folder that `make_socket_path` made for the orphan."""
    if path.parent != data and path.parent.name.startswith("kop-"):
        shutil.rmtree(path.parent, ignore_errors=True)
