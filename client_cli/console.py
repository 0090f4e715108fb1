"""Where lines go to and come from: a plain one for pipes and screen readers, one with a prompt for terminals."""

import asyncio
import codecs
import os
import sys
import threading
import unicodedata
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import suppress
from typing import Final, Protocol, TextIO

from client_cli.style import Line, Look, can_show, plain

_FOLDS: Final = {
    "ł": "l", "Ł": "L", "ß": "ss", "×": "x", "·": "-", "“": '"', "”": '"', "„": '"', "’": "'", "–": "-", "…": "...",
    "♣": "C", "♠": "S", "♥": "H", "♦": "D", "▶": ">", "▮": "#", "❞": '"', "→": "->",
}  # fmt: skip


class Console(Protocol):
    """What a session needs of a terminal."""

    look: Look
    interactive: bool
    """A person sits there, who must not wait for the server before he can type on."""

    def attach(self, suggestions: Callable[[], list[str]], toolbar: Callable[[], str]) -> None:
        """What may be typed now, for completion, and the status line."""

    def show(self, lines: list[Line]) -> None:
        """Prints lines."""

    def typed(self) -> AsyncIterator[str]:
        """The lines that are typed, until the end of the input."""


class PlainConsole:
    """Lines of text on standard output, lines of text from standard input; no cursor tricks."""

    def __init__(self, output: TextIO | None = None) -> None:
        self._output = output or sys.stdout
        encoding = self._output.encoding
        self.look = Look(unicode=can_show(encoding, "♣♠♥♦"))
        self.interactive = sys.stdin.isatty()
        if hasattr(self._output, "reconfigure"):
            codecs.register_error("kop.fold", _fold)
            self._output.reconfigure(errors="kop.fold", line_buffering=True)

    def attach(self, suggestions: Callable[[], list[str]], toolbar: Callable[[], str]) -> None:
        """A pipe has neither completion nor a status line."""

    def show(self, lines: list[Line]) -> None:
        """Prints the text of lines; styles mean nothing here."""
        self._output.write("".join(plain(line) + "\n" for line in lines))
        self._output.flush()

    async def typed(self) -> AsyncIterator[str]:
        """The lines of standard input, read by a thread so that files and pipes work alike."""
        lines: asyncio.Queue[str | None] = asyncio.Queue()
        loop = asyncio.get_running_loop()

        def read() -> None:
            with suppress(RuntimeError):  # the loop has ended meanwhile
                for line in _Lines(sys.stdin.fileno()):
                    loop.call_soon_threadsafe(lines.put_nowait, line)
                loop.call_soon_threadsafe(lines.put_nowait, None)

        threading.Thread(target=read, daemon=True, name="stdin").start()
        while (line := await lines.get()) is not None:
            yield line


class _Lines:
    """Lines straight from a descriptor: no buffer whose lock a thread would hold when the program ends."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._rest = b""

    def __iter__(self) -> "_Lines":
        return self

    def __next__(self) -> str:
        while b"\n" not in self._rest:
            try:
                piece = os.read(self._descriptor, 65536)
            except OSError:
                piece = b""
            if not piece:
                last, self._rest = self._rest, b""
                if last:
                    return last.decode(errors="replace")
                raise StopIteration
            self._rest += piece
        line, _, self._rest = self._rest.partition(b"\n")
        return line.decode(errors="replace")


def _fold(fault: UnicodeError) -> tuple[str, int]:
    """For an output that cannot show a character: one that it can, near enough to be read."""
    if not isinstance(fault, UnicodeEncodeError):
        raise fault
    shown = []
    for char in fault.object[fault.start : fault.end]:
        bare = _FOLDS.get(char) or unicodedata.normalize("NFKD", char).encode("ascii", "ignore").decode()
        shown.append(bare or "?")
    return "".join(shown), fault.end


def can_draw(*, forced_plain: bool, environ: Mapping[str, str]) -> bool:
    """Whether standard output is a terminal on which pictures and tables make sense."""
    return not forced_plain and sys.stdout.isatty() and environ.get("TERM", "") not in ("", "dumb")


def choose_console(*, forced_plain: bool, four_colour: bool, environ: Mapping[str, str]) -> Console:
    """The console that fits: plain without two terminals, on a dumb one, or when asked for."""
    if not sys.stdin.isatty() or not can_draw(forced_plain=forced_plain, environ=environ):
        return PlainConsole()
    from client_cli.terminal import TerminalConsole  # costs 0.2 s, which a pipe does not pay

    return TerminalConsole(four_colour=four_colour, colour=not environ.get("NO_COLOR"))
