"""The file in which a client keeps its own notes of every deal's shuffle: `kop record verify` needs them.

One file for each server and profile in the client's home, readable by its owner only: a line of JSON
for each note, appended and flushed to the disk before anything that depends on it is sent. It holds
the newest deals only. What a line means: docs/fair-deal.md.
"""

import hashlib
import json
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from client_cli.witness import Kept, Key, Note, add, gather, key_of

if sys.platform != "win32":
    import fcntl

MOST_DEALS: Final = 2_000
_SPARE: Final = 200
_LONGEST_LINE: Final = 8_192


class KeptFile:
    """The notes about one server. `deals` is what they say; programs that run at once share the file."""

    def __init__(self, home: Path, profile: str, server: str, most: int = MOST_DEALS) -> None:
        """The notes of this profile about the server at this base address; an absent file counts as empty."""
        name = hashlib.sha256(server.encode()).hexdigest()[:16]
        self.path = home / f"{profile}-deals-{name}.jsonl"
        self._most = most
        self.deals: dict[Key, Kept] = gather(self._read())

    def append(self, notes: Sequence[Note]) -> None:
        """Keeps notes for good; they are on the disk when this returns.

        Raises:
            OSError: the file cannot be written; then nothing may be said that depends on the notes.
        """
        if not notes:
            return
        self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with self._locked():
            _write(self.path, "".join(_line(note) for note in notes))
            for note in notes:
                add(self.deals, note)
            if len(self.deals) > self._most + min(_SPARE, self._most):
                self._forget_oldest()

    def _read(self) -> Iterator[Note]:
        """The notes in the file; a line that a crash has cut off, or that is no note, is passed over."""
        try:
            with self.path.open("rb") as file:
                for line in file:
                    note = _parsed(line)
                    if note is not None:
                        yield note
        except OSError:
            return

    def _forget_oldest(self) -> None:
        """Writes the file anew with the newest deals: another program's notes too."""
        deals = gather(self._read())
        newest = dict(list(deals.items())[-self._most :])
        tables = {key[0] for key in newest}
        handle, temporary = tempfile.mkstemp(dir=self.path.parent, prefix=".kop-")  # made with mode 0600
        try:
            with os.fdopen(handle, "w", encoding="ascii") as file:
                for note in self._read():
                    if key_of(note) in newest or (note["note"] == "rolled_back" and note.get("table") in tables):
                        file.write(_line(note))
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, self.path)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise
        self.deals = newest

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """One program at a time writes; without locks, on Windows, only one program may run."""
        if sys.platform == "win32":
            yield
            return
        with open(os.open(self.path.with_suffix(".lock"), os.O_RDWR | os.O_CREAT, 0o600), "rb") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield


def _line(note: Note) -> str:
    return json.dumps(note, separators=(",", ":")) + "\n"


def _parsed(line: bytes) -> Note | None:
    if len(line) > _LONGEST_LINE:
        return None
    try:
        note = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return note if isinstance(note, dict) and isinstance(note.get("note"), str) else None


def _write(path: Path, text: str) -> None:
    """Appends whole lines; after a line that a crash has cut off a new one is begun."""
    with open(os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600), "r+b", buffering=0) as file:
        end = file.seek(0, os.SEEK_END)
        torn = b""
        if end:
            file.seek(end - 1)
            torn = b"" if file.read(1) == b"\n" else b"\n"
        whole = torn + text.encode("ascii")
        while whole:
            whole = whole[file.write(whole) :]
        os.fsync(file.fileno())
