"""Which address a connection counts for.

An IPv4 address counts as it is, an IPv6 address as its /64: that is what one customer is given. Behind
a proxy the address is read from `X-Forwarded-For`, from the right, and only as far as trusted proxies
wrote it: what stands left of the first stranger anybody can have made up.
"""

from collections.abc import Iterable, Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Final

Network = IPv4Network | IPv6Network

UNKNOWN: Final = "unknown"
"""The address of a peer that has none: a Unix socket, or one that has hung up already."""

MAX_HOPS: Final = 16


def networks(texts: Iterable[str]) -> tuple[Network, ...]:
    """The networks of a setting such as `10.0.0.0/8` or `::1`. Raises ValueError for anything else."""
    return tuple(ip_network(text.strip(), strict=False) for text in texts)


def peer_host(peername: object) -> str:
    """The host in a transport's `peername`, whatever the family of the socket."""
    if isinstance(peername, tuple) and peername and isinstance(peername[0], str):
        return peername[0]
    return UNKNOWN


def is_trusted(host: str, trusted: Sequence[Network]) -> bool:
    """Whether the host is one of the trusted proxies."""
    address = _parsed(host)
    return address is not None and any(address in network for network in trusted)


def client_address(host: str, forwarded: Sequence[str], trusted: Sequence[Network]) -> str:
    """The address that the limits count.

    `host` is the peer of the socket, `forwarded` the values of all `X-Forwarded-For` headers in order.
    A hop that is no address ends the walk: the last proxy before it is counted.
    """
    address = _parsed(host)
    if address is None:
        return UNKNOWN
    hops = ",".join(forwarded).rsplit(",", MAX_HOPS)[-MAX_HOPS:] if trusted and forwarded else []
    for hop in reversed(hops):
        if not any(address in network for network in trusted):
            break
        written = _parsed(_without_port(hop.strip()))
        if written is None:
            break
        address = written
    return _counted(address)


def _counted(address: IPv4Address | IPv6Address) -> str:
    if isinstance(address, IPv4Address):
        return str(address)
    return str(IPv6Network((int(address) >> 64 << 64, 64)))


def _parsed(text: str) -> IPv4Address | IPv6Address | None:
    """The address, an IPv4 one that is written as IPv6 (`::ffff:192.0.2.1`) as IPv4."""
    try:
        address = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
        return address.ipv4_mapped
    return address


def _without_port(hop: str) -> str:
    """Some proxies write `192.0.2.1:4711` or `[2001:db8::1]:4711`."""
    if hop.startswith("["):
        return hop[1:].partition("]")[0]
    if hop.count(":") == 1:
        return hop.partition(":")[0]
    return hop
