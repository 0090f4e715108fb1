"""Where a server is and which table is meant, from what a person gives: an address, a link, a code.

A link is `http(s)://host:port/#CODE` or `kop://host:port/#CODE`, with a public table's id instead of a
code; the websocket is at `/ws` there.
"""

import ipaddress
import re
from dataclasses import dataclass
from typing import Final
from urllib.parse import unquote, urlsplit

DEFAULT_SERVER: Final = "http://127.0.0.1:5670"

_SCHEMES: Final = {"http": "http", "ws": "http", "kop": "http", "https": "https", "wss": "https", "kops": "https"}
_CODE: Final = re.compile(r"[A-Za-z0-9 -]{1,32}")
_TABLE: Final = re.compile(r"[a-z0-9]{1,32}")


class BadAddress(ValueError):
    """This is neither an address, nor a link, nor a code."""


@dataclass(frozen=True, slots=True)
class Server:
    """A server's base address, `http://host:port` or `https://host:port`, with its path if it has one."""

    base: str

    @property
    def websocket(self) -> str:
        """The address of its websocket."""
        return "ws" + self.base.removeprefix("http") + "/ws"

    @property
    def loopback(self) -> bool:
        """Whether it runs on this machine, where no proxy is asked."""
        host = urlsplit(self.base).hostname or ""
        try:
            return ipaddress.ip_address(host).is_loopback
        except ValueError:
            return host == "localhost" or host.endswith(".localhost")

    def link(self, code: str) -> str:
        """What to send to friends so that they find the table of this code or id."""
        return f"{self.base}/#{code.replace(' ', '-')}"


@dataclass(frozen=True, slots=True)
class Target:
    """Which table is meant: the ways in which the text can be read, the likelier first."""

    server: Server | None
    readings: tuple[tuple[str, str], ...]


def parse_server(text: str) -> Server:
    """The server at `host:port` or at an address with a scheme.

    Raises:
        BadAddress: it is no such thing.
    """
    whole = text if "://" in text else f"http://{text}"
    try:
        parts = urlsplit(whole)
        host, port = parts.hostname, parts.port
    except ValueError as fault:
        raise BadAddress(text) from fault
    scheme = _SCHEMES.get(parts.scheme)
    if scheme is None or not host or parts.username is not None or re.search(r"[\s\x00-\x1f]", whole):
        raise BadAddress(text)
    shown = f"[{host}]" if ":" in host else host
    path = parts.path.rstrip("/").removesuffix("/ws")
    return Server(f"{scheme}://{shown}" + (f":{port}" if port is not None else "") + path)


def parse_target(text: str) -> Target:
    """The table meant by a link, a code or a table's id.

    Raises:
        BadAddress: it is none of these.
    """
    if "://" in text:
        base, _, fragment = text.partition("#")
        return Target(parse_server(base), _readings(unquote(fragment)))
    return Target(None, _readings(text.strip().removeprefix("#")))


def _readings(bare: str) -> tuple[tuple[str, str], ...]:
    if not _CODE.fullmatch(bare):
        raise BadAddress(bare)
    if _TABLE.fullmatch(bare):
        return ("table", bare), ("code", bare)
    return (("code", bare),)
