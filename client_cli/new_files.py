"""Files that the player wants written: always new ones, never over another."""

from pathlib import Path

from client_cli.catalogue import Catalogue
from client_cli.clean import clean


class NotWritten(Exception):
    """The file is there already, or cannot be written; the text says so in the player's language."""


def write_new(file: Path, text: str, texts: Catalogue) -> None:
    """Writes a text to a file that is not there yet.

    Raises:
        NotWritten
    """
    try:
        with file.expanduser().open("x", encoding="utf-8", newline="") as out:
            out.write(text)
    except FileExistsError:
        raise NotWritten(texts("record.exists", file=clean(file, 80))) from None
    except (OSError, RuntimeError, ValueError) as fault:
        why = getattr(fault, "strerror", None) or fault
        raise NotWritten(texts("record.not_written", file=clean(file, 80), why=clean(why, 80))) from None
