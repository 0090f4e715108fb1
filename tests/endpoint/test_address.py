"""Which address a connection counts for."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.endpoint.address import UNKNOWN, client_address, is_trusted, networks, peer_host

PROXIES = networks(["10.0.0.0/8", "::1", "2001:db8:ffff::/48"])


@pytest.mark.parametrize(
    ("host", "counted"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::", "2001:db8:1:2::/64"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("fe80::1%eth0", "fe80::/64"),
        ("::1", "::/64"),
        ("", UNKNOWN),
        ("/run/kop.sock", UNKNOWN),
    ],
)
def test_an_address_counts_alone_or_as_its_64(host: str, counted: str) -> None:
    """IPv4 counts as it is, IPv6 as its /64, and what is no address as one unknown."""
    assert client_address(host, [], ()) == counted


@pytest.mark.parametrize(
    ("host", "forwarded", "counted"),
    [
        ("192.0.2.7", ["198.51.100.1"], "192.0.2.7"),  # a stranger's header counts for nothing
        ("10.0.0.1", [], "10.0.0.1"),
        ("10.0.0.1", ["198.51.100.1"], "198.51.100.1"),
        ("10.0.0.1", ["203.0.113.9, 198.51.100.1"], "198.51.100.1"),  # the left one is made up
        ("10.0.0.1", ["203.0.113.9", "198.51.100.1, 10.0.0.2"], "198.51.100.1"),
        ("10.0.0.1", ["198.51.100.1,10.0.0.2 , 10.0.0.3"], "198.51.100.1"),
        ("10.0.0.1", ["10.0.0.3, 10.0.0.2"], "10.0.0.3"),  # a player within the proxies' network
        ("10.0.0.1", ["198.51.100.1:4711"], "198.51.100.1"),
        ("10.0.0.1", ["[2001:db8:1::5]:4711"], "2001:db8:1::/64"),
        ("10.0.0.1", ["2001:db8:1::5"], "2001:db8:1::/64"),
        ("::1", ["2001:db8:ffff::2", "2001:db8:1::5, 2001:db8:ffff::1"], "2001:db8:1::/64"),
        ("::ffff:10.0.0.1", ["198.51.100.1"], "198.51.100.1"),
        ("10.0.0.1", ["unknown"], "10.0.0.1"),
        ("10.0.0.1", ["198.51.100.1, <script>, 10.0.0.2"], "10.0.0.2"),  # nothing left of garbage is believed
        ("10.0.0.1", [""], "10.0.0.1"),
        ("10.0.0.1", [",,,"], "10.0.0.1"),
        ("10.0.0.1", ["198.51.100.1, " + "10.0.0.2, " * 99 + "10.0.0.3"], "10.0.0.2"),  # a bounded walk
    ],
)
def test_a_proxy_is_believed_as_far_as_it_is_trusted(host: str, forwarded: list[str], counted: str) -> None:
    """The rightmost hop that is no trusted proxy is counted."""
    assert client_address(host, forwarded, PROXIES) == counted


@given(st.lists(st.text(max_size=40), max_size=4), st.sampled_from(["10.0.0.1", "192.0.2.7", "::1", "x"]))
def test_no_header_makes_it_fail(forwarded: list[str], host: str) -> None:
    """Whatever a header holds, there is an address."""
    assert client_address(host, forwarded, PROXIES)


@given(st.ip_addresses(v=6), st.integers(0, 2**64 - 1))
def test_a_customer_cannot_change_his_64(address: object, low: int) -> None:
    """All addresses of one /64 count as one."""
    base = int(address) >> 64 << 64  # type: ignore[call-overload]
    if base == 0:
        return  # the block of ::ffff:0:0/96, where the low bits are an IPv4 address
    text = f"{(base | low) >> 112:x}" + "".join(f":{(base | low) >> shift & 0xFFFF:x}" for shift in range(96, -1, -16))
    assert client_address(text, [], ()) == client_address(str(address), [], ())


def test_the_peer_of_any_family_has_a_host() -> None:
    """IPv4 and IPv6 sockets have tuples of different lengths, Unix sockets a path, dead ones nothing."""
    assert peer_host(("192.0.2.7", 4711)) == "192.0.2.7"
    assert peer_host(("2001:db8::1", 4711, 0, 0)) == "2001:db8::1"
    assert [peer_host(odd) for odd in ("", None, b"\0x", ())] == [UNKNOWN] * 4


def test_trust_is_in_networks() -> None:
    """A setting may name an address or a network, with host bits or without."""
    assert is_trusted("10.200.0.1", PROXIES)
    assert not is_trusted("11.0.0.1", PROXIES)
    assert not is_trusted(UNKNOWN, PROXIES)
    assert is_trusted("192.0.2.77", networks([" 192.0.2.1/24 "]))
    with pytest.raises(ValueError, match="does not appear"):
        networks(["proxy.example"])
