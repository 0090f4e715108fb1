"""What an operator can set: addresses, folders, and every limit, by arguments or environment."""

import dataclasses
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, TypeVar

from server.endpoint.address import Network, networks
from server.endpoint.limits import ConnectionLimits
from server.endpoint.settings import Limits
from server.store.link import check_url
from server.store.settings import StoreSettings

DEFAULT_HOST: Final = "127.0.0.1"
DEFAULT_PORT: Final = 5670
DEFAULT_METRICS_PORT: Final = 5671
LOG_LEVELS: Final = ("DEBUG", "INFO", "WARNING", "ERROR")
_SCHEMES: Final = ("redis://", "rediss://", "unix://")
PLAIN_NAMES: Final = frozenset(
    {
        "KOP_HOST",
        "KOP_PORT",
        "KOP_REDIS_URL",
        "KOP_DATA_DIR",
        "KOP_TRUSTED_PROXIES",
        "KOP_LOG",
        "KOP_METRICS_HOST",
        "KOP_METRICS_PORT",
    }
)
_CLIENTS_NAMES: Final = frozenset({"KOP_HOME", "KOP_SERVER"})
_Settings = TypeVar("_Settings")


class BadSetting(ValueError):
    """A setting that cannot be used; the text names it."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Configuration:
    """Everything a server is started with. `redis_url` None: the embedded Valkey in `data_dir`."""

    host: str = DEFAULT_HOST
    port: int = DEFAULT_PORT
    redis_url: str | None = None
    data_dir: Path
    limits: Limits
    store: StoreSettings
    trusted_proxies: tuple[Network, ...] = ()
    log_level: str = "WARNING"
    metrics_host: str = DEFAULT_HOST
    metrics_port: int = DEFAULT_METRICS_PORT
    """0: none."""


def from_environment(environment: Mapping[str, str]) -> Configuration:
    """The configuration that the environment sets; what it does not name takes its default.

    `KOP_LIMIT_<NAME>` sets a limit and `KOP_KEEP_<NAME>_MS` a time of the store.

    Raises:
        BadSetting: a value cannot be used, or there is no such setting.
    """
    _check_names(environment)
    sockets = _overridden(ConnectionLimits(), "KOP_LIMIT_{}", environment)
    return Configuration(
        host=environment.get("KOP_HOST", DEFAULT_HOST),
        port=port("KOP_PORT", environment.get("KOP_PORT", str(DEFAULT_PORT))),
        redis_url=_redis_url(environment.get("KOP_REDIS_URL")),
        data_dir=Path(environment.get("KOP_DATA_DIR") or default_data_dir(environment)),
        limits=_overridden(Limits(sockets=sockets), "KOP_LIMIT_{}", environment),
        store=_overridden(StoreSettings(), "KOP_KEEP_{}_MS", environment),
        trusted_proxies=_proxies(environment.get("KOP_TRUSTED_PROXIES", "")),
        log_level=_log_level(environment.get("KOP_LOG", "warning")),
        metrics_host=environment.get("KOP_METRICS_HOST", DEFAULT_HOST),
        metrics_port=port("KOP_METRICS_PORT", environment.get("KOP_METRICS_PORT", str(DEFAULT_METRICS_PORT))),
    )


def default_data_dir(environment: Mapping[str, str] = os.environ) -> Path:
    """Where the embedded Valkey keeps its files."""
    base = environment.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(base) / "kop-server"


def port(name: str, text: str) -> int:
    """A port of that name, 0 to 65535.

    Raises:
        BadSetting
    """
    if not text.isascii() or not text.isdigit() or len(text) > 5 or int(text) > 65_535:
        raise BadSetting(f"{name} must be a port, 0 to 65535, not {text!r}")
    return int(text)


def _check_names(environment: Mapping[str, str]) -> None:
    known = {*PLAIN_NAMES, *_CLIENTS_NAMES}
    known.update(_names(ConnectionLimits(), "KOP_LIMIT_{}"), _names(Limits(), "KOP_LIMIT_{}"))
    known.update(_names(StoreSettings(), "KOP_KEEP_{}_MS"))
    for name in environment:
        if name.startswith("KOP_") and name not in known:
            raise BadSetting(f"there is no setting {name}")


def _names(settings: Any, pattern: str) -> dict[str, str]:
    """The variables that set the numbers of some settings, and the fields they set."""
    fields = dataclasses.fields(settings)
    numbers = (one.name for one in fields if isinstance(getattr(settings, one.name), int | float))
    return {pattern.format(name.upper()): name for name in numbers}


def _overridden(settings: _Settings, pattern: str, environment: Mapping[str, str]) -> _Settings:
    changes = {
        field: _positive(name, environment[name], type(getattr(settings, field)))
        for name, field in _names(settings, pattern).items()
        if name in environment
    }
    return dataclasses.replace(settings, **changes)  # type: ignore[type-var]


def _positive(name: str, text: str, kind: type[Any]) -> Any:
    try:
        number = kind(text)
    except ValueError:
        number = 0
    if not 0 < number < float("inf"):
        raise BadSetting(f"{name} must be a number above 0, not {text!r}")
    return number


def _redis_url(text: str | None) -> str | None:
    if not text:
        return None
    if not text.startswith(_SCHEMES):
        raise BadSetting("KOP_REDIS_URL must begin with redis://, rediss:// or unix://")
    try:
        check_url(text)
    except ValueError as fault:
        raise BadSetting(f"KOP_REDIS_URL: {fault}") from None
    return text


def _proxies(text: str) -> tuple[Network, ...]:
    try:
        return networks(text.replace(",", " ").split())
    except ValueError as fault:
        raise BadSetting(f"KOP_TRUSTED_PROXIES: {fault}") from None


def _log_level(text: str) -> str:
    if text.upper() not in LOG_LEVELS:
        raise BadSetting(f"KOP_LOG must be debug, info, warning or error, not {text!r}")
    return text.upper()
