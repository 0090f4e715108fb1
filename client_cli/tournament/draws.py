"""The bytes that this client has added to the draws of tournaments, and what those had committed to before.

Both are kept so that it can check the draws.

One file for each server and profile in the client's home, readable by its owner only: a line of JSON for each entry,
on the disk before the entry is sent.
"""

import hashlib
import json
import os
import secrets
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

BYTES: Final = 32
_LONGEST_LINE: Final = 4_096


class Draws:
    """What is kept about the draws at one server."""

    def __init__(
        self, home: Path, profile: str, server: str, entropy: Callable[[int], bytes] = secrets.token_bytes
    ) -> None:
        """Of this profile at the server at this base address; `entropy` gives bytes of the operating system."""
        name = hashlib.sha256(server.encode()).hexdigest()[:16]
        self._path = home / f"{profile}-draws-{name}.jsonl"
        self._entropy = entropy

    def fresh(self, tournament: str) -> str:
        """Fresh bytes for an entry, in hex; they are kept when this returns.

        Raises:
            OSError: they cannot be kept; then nothing is to be added.
        """
        contribution = self._entropy(BYTES).hex()
        self._append({"tournament": tournament, "contribution": contribution})
        return contribution

    def note(self, tournament: str, commitments: Sequence[str]) -> None:
        """Keeps what the tournament had committed to when the player entered it first.

        Raises:
            OSError: it cannot be kept.
        """
        if self.commitments(tournament) is None:
            self._append({"tournament": tournament, "commitments": list(commitments)})

    def of(self, tournament: str) -> list[str]:
        """What was added to a tournament's draws, one for each time the player has entered; the newest last."""
        return [str(note["contribution"]) for note in self._notes(tournament) if "contribution" in note]

    def commitments(self, tournament: str) -> list[str] | None:
        """What was noted of a tournament's commitments; None: nothing."""
        for note in self._notes(tournament):
            if isinstance(noted := note.get("commitments"), list):
                return [str(one) for one in noted]
        return None

    def _append(self, note: dict[str, object]) -> None:
        line = b"\n" + json.dumps(note).encode("ascii") + b"\n"  # after a line that a crash has cut off
        self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with open(os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), "wb", buffering=0) as file:
            file.write(line)
            os.fsync(file.fileno())

    def _notes(self, tournament: str) -> list[dict[str, object]]:
        found = []
        try:
            lines = self._path.read_text(encoding="ascii", errors="replace").splitlines()
        except OSError:
            return []
        for line in lines:
            try:
                note = json.loads(line[:_LONGEST_LINE])
            except ValueError:
                continue  # an empty line, or one that a crash has cut off
            if isinstance(note, dict) and note.get("tournament") == tournament:
                found.append(note)
        return found
