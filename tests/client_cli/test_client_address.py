"""Servers, links and codes as people give them."""

import pytest

from client_cli.address import BadAddress, Server, parse_server, parse_target


@pytest.mark.parametrize(
    ("given", "base", "websocket"),
    [
        ("localhost:5670", "http://localhost:5670", "ws://localhost:5670/ws"),
        ("http://kop.example:80/", "http://kop.example:80", "ws://kop.example:80/ws"),
        ("https://kop.example", "https://kop.example", "wss://kop.example/ws"),
        ("wss://kop.example/ws", "https://kop.example", "wss://kop.example/ws"),
        ("ws://[::1]:5670/ws", "http://[::1]:5670", "ws://[::1]:5670/ws"),
        ("kop://10.0.0.2:5670", "http://10.0.0.2:5670", "ws://10.0.0.2:5670/ws"),
        ("https://example.org/kop/", "https://example.org/kop", "wss://example.org/kop/ws"),
    ],
)
def test_a_server_is_found_at_its_websocket(given: str, base: str, websocket: str) -> None:
    """Any scheme that makes sense, or none."""
    server = parse_server(given)
    assert (server.base, server.websocket) == (base, websocket)


@pytest.mark.parametrize("given", ["", "ftp://x", "http://", "http://a:b", "http://u@h", "ho st", "http://x\x1b"])
def test_what_is_no_server_is_refused(given: str) -> None:
    """Nonsense, other schemes, user names and control characters."""
    with pytest.raises(BadAddress):
        parse_server(given)


@pytest.mark.parametrize(
    ("given", "base", "readings"),
    [
        ("https://kop.example/#7KQ2-MZX4", "https://kop.example", (("code", "7KQ2-MZX4"),)),
        ("kop://h:1/#ab%20cd", "http://h:1", (("code", "ab cd"),)),
        ("http://10.0.0.2:5670/#4m9xk2", "http://10.0.0.2:5670", (("table", "4m9xk2"), ("code", "4m9xk2"))),
        ("7KQ2-MZX4", None, (("code", "7KQ2-MZX4"),)),
        ("4m9xk2", None, (("table", "4m9xk2"), ("code", "4m9xk2"))),
    ],
)
def test_a_table_is_meant_by_link_code_or_id(
    given: str, base: str | None, readings: tuple[tuple[str, str], ...]
) -> None:
    """Small letters may be a table's id or a code that somebody typed that way."""
    target = parse_target(given)
    assert target.readings == readings
    assert (target.server.base if target.server else None) == base


@pytest.mark.parametrize("given", ["", "a/b", "http://h/", "http://h/#", "x" * 40, "ä"])
def test_what_means_no_table_is_refused(given: str) -> None:
    """A link without a code is none."""
    with pytest.raises(BadAddress):
        parse_target(given)


@pytest.mark.parametrize(
    ("base", "loopback"),
    [
        ("http://localhost:1", True),
        ("http://127.0.0.9", True),
        ("http://[::1]:5", True),
        ("http://10.0.0.1", False),
        ("https://kop.example", False),
    ],
)
def test_loopback_is_told_apart(base: str, loopback: bool) -> None:
    """A server on this machine is reached without a proxy."""
    assert Server(base).loopback is loopback


def test_a_link_can_be_followed() -> None:
    """What is shown for friends is understood again."""
    target = parse_target(Server("https://kop.example").link("7KQ2-MZX4-V93H"))
    assert target.server == Server("https://kop.example")
    assert target.readings == (("code", "7KQ2-MZX4-V93H"),)
