"""Writes the generated pages of `docs/protocol`: `python -m protocol.document [--check]`.

With `--check` nothing is written; the exit status is 1 if a page is not what the models say.
"""

import json
import sys
from pathlib import Path
from typing import Final

from protocol.reference import errors_page, messages_page
from protocol.schemas import asyncapi, json_schema, record_schema

FOLDER: Final = Path(__file__).resolve().parent.parent / "docs" / "protocol"


def pages() -> dict[str, str]:
    """The name and the whole text of each generated page."""
    return {
        "asyncapi.json": _json(asyncapi()),
        "schema.json": _json(json_schema()),
        "record.schema.json": _json(record_schema()),
        "messages.md": messages_page(),
        "errors.md": errors_page(),
    }


def stale(folder: Path) -> list[Path]:
    """The pages in the folder that are missing or differ from what the models say."""
    return [
        folder / name
        for name, text in pages().items()
        if not (folder / name).is_file() or (folder / name).read_text(encoding="utf-8") != text
    ]


def main(arguments: list[str]) -> int:
    """Writes the pages, or checks them; returns the exit status."""
    if arguments == ["--check"]:
        found = stale(FOLDER)
        for path in found:
            print(f"docs/protocol/{path.name} is not fresh: run `make docs`")
        return int(bool(found))
    if arguments:
        print("usage: python -m protocol.document [--check]", file=sys.stderr)
        return 2
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, text in pages().items():
        (FOLDER / name).write_text(text, encoding="utf-8")
    return 0


def _json(plain: object) -> str:
    return json.dumps(plain, indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
