"""What the client keeps on this machine: name, language, settings, and one secret token per server.

One file per profile, readable by its owner only and replaced atomically, in `KOP_HOME`, else
`XDG_CONFIG_HOME/kop`, else `~/.config/kop`.
"""

import json
import os
import re
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

_PROFILE: Final = re.compile(r"[A-Za-z0-9_-]{1,32}")


class BadProfile(ValueError):
    """A profile's name has 1 to 32 letters, digits, hyphens or underscores."""


@dataclass(slots=True)
class Saved:
    """The contents of a profile."""

    name: str | None = None
    language: str | None = None
    server: str | None = None
    tokens: dict[str, str] = field(default_factory=dict)
    auto: dict[str, bool] = field(default_factory=dict)
    four_colour: bool = False


def folder(environ: Mapping[str, str]) -> Path:
    """Where profiles are kept."""
    if own := environ.get("KOP_HOME"):
        return Path(own)
    if xdg := environ.get("XDG_CONFIG_HOME"):
        return Path(xdg) / "kop"
    return Path.home() / ".config" / "kop"


class Profile:
    """One player's file on this machine. `load` reads it; `change` writes it back at once."""

    def __init__(self, where: Path, name: str = "default") -> None:
        if not _PROFILE.fullmatch(name):
            raise BadProfile(name)
        self.path = where / f"{name}.json"

    def load(self) -> Saved:
        """What is saved; an absent or damaged file counts as empty."""
        try:
            plain = json.loads(self.path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return Saved()
        return _saved(plain) if isinstance(plain, dict) else Saved()

    def change(self, **values: Any) -> None:
        """Saves fields anew; the others stay as another process may have written them meanwhile."""
        saved = self.load()
        for key, value in values.items():
            setattr(saved, key, value)
        self._write(saved)

    def keep_token(self, server: str, token: str | None) -> None:
        """Keeps the secret of a server, or forgets it."""
        tokens = self.load().tokens
        if token is None:
            tokens.pop(server, None)
        else:
            tokens[server] = token
        self.change(tokens=tokens)

    def _write(self, saved: Saved) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        plain = {name: getattr(saved, name) for name in Saved.__slots__}
        handle, temporary = tempfile.mkstemp(dir=self.path.parent, prefix=".kop-")  # made with mode 0600
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                json.dump(plain, file, ensure_ascii=False, indent=1)
            os.replace(temporary, self.path)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise


def _saved(plain: dict[str, Any]) -> Saved:
    def word(key: str) -> str | None:
        value = plain.get(key)
        return value if isinstance(value, str) else None

    def table(key: str, kind: type) -> dict[str, Any]:
        value = plain.get(key)
        entries = value.items() if isinstance(value, dict) else ()
        return {str(name): entry for name, entry in entries if isinstance(entry, kind)}

    return Saved(
        name=word("name"),
        language=word("language"),
        server=word("server"),
        tokens=table("tokens", str),
        auto=table("auto", bool),
        four_colour=plain.get("four_colour") is True,
    )
