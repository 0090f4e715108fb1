"""How the store signs on: user, password, database, and TLS, with a real Valkey behind."""

import asyncio
import contextlib
import ssl
import subprocess
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from redis.asyncio import Redis

from server.store.embedded import EmbeddedValkey
from server.store.port import Appended, Entry, Lifetime, StoreAway, TableId
from server.store.redis_store import RedisStore
from tests.store.clusters import free_ports
from tests.store.conftest import SETTINGS

TABLE = TableId("table")


async def stores(url: str) -> None:
    store = await RedisStore.open(url, SETTINGS)
    assert await store.append(TABLE, 1, b"body", Lifetime.MATCH) is Appended.STORED
    assert list(await store.read(TABLE, 0)) == [Entry(1, b"body")]
    await store.close()


@pytest.fixture
async def port(own_valkey: EmbeddedValkey) -> int:
    """The TCP port of a Valkey with a password, and a user Ola with another."""
    [port] = free_ports(1)
    admin: Any = Redis.from_url(own_valkey.url)
    async with admin as raw:
        await raw.execute_command("CONFIG SET", "bind", "127.0.0.1")
        await raw.execute_command("CONFIG SET", "port", port)
        await raw.execute_command("ACL", "SETUSER", "ola", "on", ">zażółć/@:", "~*", "&*", "+@all")
        await raw.execute_command("CONFIG SET", "requirepass", "secret")
    return port


@pytest.mark.parametrize("who", [":secret@", "default:secret@", "ola:za%C5%BC%C3%B3%C5%82%C4%87%2F%40%3A@"])
async def test_user_password_and_database_are_those_of_the_url(port: int, who: str) -> None:
    """What the URL says is where the store is: another database does not have the log."""
    await stores(f"redis://{who}127.0.0.1:{port}/3?client_name=kop")
    other = await RedisStore.open(f"redis://{who}127.0.0.1:{port}", SETTINGS)
    assert not await other.read(TABLE, 0)
    await other.close()


@pytest.mark.parametrize("who", ["", ":wrong@", "ola:secret@"])
async def test_who_may_not_sign_on_has_no_store(port: int, who: str) -> None:
    """StoreAway, with the store's own reason, which holds no password."""
    with pytest.raises(StoreAway, match=r"NOAUTH|WRONGPASS") as refused:
        await RedisStore.open(f"redis://{who}127.0.0.1:{port}", SETTINGS)
    assert "secret" not in str(refused.value)


async def test_a_database_that_is_not_there(port: int) -> None:
    """An index out of range is said."""
    with pytest.raises(StoreAway, match="out of range"):
        await RedisStore.open(f"redis://:secret@127.0.0.1:{port}/99", SETTINGS)


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A certificate for localhost, and its key."""
    folder = tmp_path_factory.mktemp("tls")
    certificate, key = folder / "certificate.pem", folder / "key.pem"
    command = (
        "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost"
    )
    files = ["-keyout", str(key), "-out", str(certificate)]
    subprocess.run([*command.split(), *files], check=True, capture_output=True)
    return certificate, key


@pytest.fixture
async def tls_port(valkey: EmbeddedValkey, certificate: tuple[Path, Path]) -> AsyncIterator[int]:
    """The port of something that speaks TLS in front of the shared Valkey."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*certificate)

    async def pump(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while data := await source.read(65_536):
                target.write(data)
        target.close()

    async def forward(client_in: asyncio.StreamReader, client_out: asyncio.StreamWriter) -> None:
        server_in, server_out = await asyncio.open_unix_connection(valkey.url.removeprefix("unix://"))
        await asyncio.gather(pump(client_in, server_out), pump(server_in, client_out))

    server = await asyncio.start_server(forward, "127.0.0.1", 0, ssl=context)
    yield server.sockets[0].getsockname()[1]
    server.close()


async def test_a_store_behind_tls(tls_port: int, certificate: tuple[Path, Path]) -> None:
    """`rediss://` encrypts, and trusts whom the URL says."""
    await stores(f"rediss://localhost:{tls_port}/5?ssl_ca_certs={certificate[0]}")


async def test_a_stranger_behind_tls_is_no_store(tls_port: int) -> None:
    """A certificate that nobody vouches for ends the attempt."""
    with pytest.raises(StoreAway, match="certificate"):
        await RedisStore.open(f"rediss://localhost:{tls_port}", SETTINGS)
