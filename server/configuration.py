"""What an operator can set: addresses, folders, and every limit, by arguments or environment."""

import dataclasses
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, TypeVar

from server.endpoint.limits import ConnectionLimits
from server.endpoint.settings import Limits
from server.store.settings import StoreSettings

DEFAULT_HOST: Final = "127.0.0.1"
DEFAULT_PORT: Final = 5670
_Settings = TypeVar("_Settings")


class BadSetting(ValueError):
    """A setting of the environment that cannot be used; the text names it."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Configuration:
    """Everything a server is started with. `redis_url` None: the embedded Valkey in `data_dir`."""

    host: str = DEFAULT_HOST
    port: int = DEFAULT_PORT
    redis_url: str | None = None
    data_dir: Path
    limits: Limits
    store: StoreSettings
    trusted_proxies: tuple[str, ...] = ()


def from_environment(environment: Mapping[str, str]) -> Configuration:
    """The configuration that the environment sets; what it does not name takes its default.

    `KOP_LIMIT_<NAME>` sets a limit and `KOP_KEEP_<NAME>_MS` a lifetime of the store.

    Raises:
        BadSetting
    """
    sockets = _overridden(ConnectionLimits(), "KOP_LIMIT_{}", environment)
    return Configuration(
        host=environment.get("KOP_HOST", DEFAULT_HOST),
        port=_number("KOP_PORT", environment.get("KOP_PORT", str(DEFAULT_PORT)), int),
        redis_url=environment.get("KOP_REDIS_URL") or None,
        data_dir=Path(environment.get("KOP_DATA_DIR") or default_data_dir(environment)),
        limits=_overridden(Limits(sockets=sockets), "KOP_LIMIT_{}", environment),
        store=_overridden(StoreSettings(), "KOP_KEEP_{}_MS", environment),
        trusted_proxies=tuple(environment.get("KOP_TRUSTED_PROXIES", "").replace(",", " ").split()),
    )


def default_data_dir(environment: Mapping[str, str] = os.environ) -> Path:
    """Where the embedded Valkey keeps its files."""
    base = environment.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(base) / "kop-server"


def _overridden(settings: _Settings, pattern: str, environment: Mapping[str, str]) -> _Settings:
    changes: dict[str, Any] = {}
    for one in dataclasses.fields(settings):  # type: ignore[arg-type]
        name = pattern.format(one.name.upper())
        default = getattr(settings, one.name)
        if name in environment and isinstance(default, int | float):
            changes[one.name] = _number(name, environment[name], type(default))
    return dataclasses.replace(settings, **changes)  # type: ignore[type-var]


def _number(name: str, text: str, kind: type[Any]) -> Any:
    try:
        return kind(text)
    except ValueError:
        raise BadSetting(f"{name} must be a number, not {text!r}") from None
