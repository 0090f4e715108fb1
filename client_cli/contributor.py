"""Plays the player's part in every shuffle by itself: chooses bytes, keeps them, opens them, notes what it sees.

A thin shell around `contribution` and the kept file; the session tells it what comes in and asks it
for the words to send.
"""

import secrets
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from client_cli.contribution import accepted, alarms, deal_of, observed, opening, ready, still_ready, withdrawn
from client_cli.kept import KeptFile
from client_cli.view import View
from client_cli.witness import Key, Note, goes_back

BYTES = 32


@dataclass(frozen=True, slots=True)
class Heard:
    """What follows from a view: an action to send at once, and alarms to tell the player (words of findings)."""

    action: str | None
    alarms: tuple[str, ...]


class Contributor:
    """One player's part at one server."""

    def __init__(self, file: KeptFile, entropy: Callable[[int], bytes] = secrets.token_bytes) -> None:
        """`entropy` gives fresh bytes of the operating system."""
        self.file = file
        self._entropy = entropy
        self._opened: tuple[Key, str] | None = None
        self._accepted: dict[str, int] = {}
        self._alarmed: set[tuple[Key, str]] = set()
        self._failed = False

    def ready(self, view: View, action: str) -> str:
        """The words to send instead of `ready` or `ready CUT`; the same ones where nothing can be committed to."""
        word, _, cut = action.partition(" ")
        if word != "ready" or not (cut == "" or (cut.isascii() and cut.isdigit() and 1 <= int(cut) <= 15)):
            return action
        part = ready(view, int(cut or 0), self._entropy(BYTES))
        if part is None or not self._keep(*part.notes):
            return action
        return part.action

    def heard(self, view: View, at: int) -> Heard:
        """Notes what a new view shows; `at`: the server's time in ms. The action answers this view's prompt."""
        self._keep(*observed(view, self.file.deals, at))
        key = deal_of(view)
        if key is None:
            return Heard(None, ())
        kept = self.file.deals.get(key)
        if kept is not None and not still_ready(view) and view.version >= self._accepted.get(view.table, 0):
            self._keep(withdrawn(kept))
        part = opening(view, kept)
        action = None
        if part is not None and self._opened != (key, part.action):
            self._keep(*part.notes)
            self._opened, action = (key, part.action), part.action
        return Heard(action, self._alarms(view, key))

    def accepted(self, table: str, action: str, version: int) -> None:
        """The server has taken this action; `version` is that of its reply."""
        for key, kept in reversed(list(self.file.deals.items())):
            note = accepted(action, kept) if key[0] == table else None
            if note is not None:
                self._accepted[table] = version
                self._keep(note)
                return

    def refused(self) -> None:
        """An opening was refused, or its fate is unknown: the next view may open again."""
        self._opened = None

    def left(self, table: str) -> None:
        """The player is at this table no longer, whether he left or was removed."""
        self._accepted.pop(table, None)
        self._keep(*(withdrawn(kept) for key, kept in list(self.file.deals.items())[-4:] if key[0] == table))

    def rolled_back(self, table: str) -> None:
        """The server says that its store came back older than what it told."""
        self._accepted.pop(table, None)
        self._opened = None
        if goes_back(self.file.deals, table):
            self._keep({"note": "rolled_back", "table": table})

    def _alarms(self, view: View, key: Key) -> tuple[str, ...]:
        """The alarms that were not told yet."""
        found = [word for word in alarms(view, self.file.deals) if (key, word) not in self._alarmed]
        if self._failed and (key, "not_kept") not in self._alarmed:
            found.append("not_kept")
        self._alarmed.update((key, word) for word in found)
        return tuple(found)

    def _keep(self, *notes: Note | None) -> bool:
        """Whether the notes are kept; a full disk must not keep anybody from playing."""
        self._failed = True
        with suppress(OSError):
            self.file.append([note for note in notes if note is not None])
            self._failed = False
        return not self._failed
