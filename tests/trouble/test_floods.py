"""Floods from one address: the limits answer, and those who sit at a table play on."""

import asyncio
import collections

import pytest

from protocol.errors import CloseCode
from server.endpoint.limits import ConnectionLimits
from server.endpoint.settings import Limits
from tests.e2e.conftest import StartServer
from tests.servers import OPEN_LIMITS, ServerProcess
from tests.trouble.crowd import Bare, greeted
from tests.trouble.players import Steady, all_play, check_once, four, in_play, over, seated
from tests.trouble.stores import written

BY_DEFAULT = {
    name: str(getattr(limits, field))
    for limits in (Limits(), ConnectionLimits())
    for name in OPEN_LIMITS
    if hasattr(limits, field := name.removeprefix("KOP_LIMIT_").lower())
}
"""All limits as they are set by default."""


@pytest.fixture
def server(start_server: StartServer) -> ServerProcess:
    """A server with the limits that are set by default."""
    return start_server(BY_DEFAULT)


@pytest.fixture
async def party(server: ServerProcess) -> tuple[list[Steady], str]:
    """Four who play there, and their table."""
    players = four(server)
    table = await seated(players)
    await all_play(players, table, in_play)
    return players, table


async def check_they_play_on(server: ServerProcess, party: tuple[list[Steady], str]) -> None:
    """The four play their match to its end; nothing of theirs is refused or lost."""
    players, table = party
    await all_play(players, table, over)
    assert [player.connections for player in players] == [1] * 4
    assert not [one for player in players for one in player.wire.heard if one["type"] == "error"]
    check_once(written(server.folder / "data")[table], players)
    for player in players:
        await player.close()


async def test_connections_without_end(server: ServerProcess, party: tuple[list[Steady], str]) -> None:
    """Those over the limit of an address get 429; when some have gone, others get in."""
    most = ConnectionLimits().per_address
    crowd = [await Bare().connect(server) for _ in range(most + 50)]
    statuses = collections.Counter(one.status for one in crowd)
    await check_they_play_on(server, party)
    assert statuses == {101: most - 4, 429: 54}
    for one in crowd:
        one.drop()
    assert (await greeted_at_last(server)).status == 101


async def greeted_at_last(server: ServerProcess) -> Bare:
    """A connection, as soon as there is room for one; it is hung up again."""
    async with asyncio.timeout(20):
        while True:
            bare = await Bare().connect(server)
            if bare.status == 101:
                bare.drop()
                return bare
            bare.drop()


async def test_sockets_that_say_nothing(server: ServerProcess, party: tuple[list[Steady], str]) -> None:
    """Half-finished requests take no room from anybody: beyond their number they are dropped, and soon all are."""
    playing = asyncio.get_running_loop().create_task(check_they_play_on(server, party))
    crowd = [
        await asyncio.open_connection("127.0.0.1", server.port)
        for _ in range(ConnectionLimits().visitors_per_address + 20)
    ]
    for _, writer in crowd:
        writer.write(b"GET /ws HTTP/1.1\r\n")
    ends = await asyncio.wait_for(asyncio.gather(*(ended(reader) for reader, _ in crowd)), 30)
    await playing
    assert all(ends)
    for _, writer in crowd:
        writer.close()
    assert (await greeted_at_last(server)).status == 101


async def ended(reader: asyncio.StreamReader) -> bool:
    """Waits until the server has hung up."""
    try:
        while await reader.read(1024):
            pass
    except ConnectionError:
        return True
    return True


async def test_hellos_without_end(server: ServerProcess, party: tuple[list[Steady], str]) -> None:
    """New players over the limit are told `too_many`; known ones, and those at play, are served."""
    playing = asyncio.get_running_loop().create_task(check_they_play_on(server, party))
    codes: collections.Counter[str] = collections.Counter()
    most = int(10 * Limits().players_per_second)
    for number in range(most + 200):
        bare = await Bare().connect(server)
        await bare.say({"type": "hello", "protocol": 1, "instance": "flooding", "name": f"F{number}"})
        answer = await bare.answer()
        codes[answer.get("code", answer["type"])] += 1
        bare.drop()
    await playing
    assert codes["too_many"] > 0
    assert codes["welcome"] + codes["too_many"] == most + 200
    player = party[0][0]
    await player.come()  # with his token
    await player.close()


async def test_tables_and_messages_without_end(server: ServerProcess, party: tuple[list[Steady], str]) -> None:
    """Ten players open tables as fast as they can: each has his 30, and who only goes on asking is closed with 4002."""
    playing = asyncio.get_running_loop().create_task(check_they_play_on(server, party))
    crowd = [await greeted(server, f"Flood {number}") for number in range(10)]

    async def create(bare: Bare) -> int:
        number = 1
        while await bare.say({"type": "create", "id": (number := number + 1)}) and number < 3_000:
            pass
        return await bare.close_code()

    codes = await asyncio.gather(*(create(bare) for bare in crowd))
    await playing
    assert set(codes) <= {CloseCode.FLOOD, 1006}  # a peer that is still writing may lose the last word to a reset
    with server.store() as store:
        tables = sum(1 for _ in store.scan_iter("kop:{*}:log"))
    assert 1 < tables <= 1 + 10 * Limits().tables_per_player_hour
    for bare in crowd:
        bare.drop()
