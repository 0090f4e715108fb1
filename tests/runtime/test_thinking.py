"""The pool of thinking processes, with real processes."""

import asyncio
import logging
import os
import signal
import socket
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import IO

import pytest

from server.figures import Figures
from server.runtime.thinking import NICENESS, Busy, Failed, ThinkingPool, TooLong
from tests.runtime import jobs
from tests.runtime.tables import until

LONG = 100.0
linux = pytest.mark.skipif(sys.platform != "linux", reason="asks the kernel of Linux")


@pytest.fixture
async def pool() -> AsyncIterator[ThinkingPool]:
    """Two workers; two more jobs may wait."""
    pool = ThinkingPool(2, waiting=2, preload="colorsys")
    yield pool
    await pool.close()


@pytest.fixture
def line(tmp_path: Path) -> str:
    """A named pipe."""
    os.mkfifo(tmp_path / "line")
    return str(tmp_path / "line")


async def started(line: str) -> tuple[int, IO[str]]:
    """The process of the job that holds the line, once it has begun, and the line to watch it by."""
    reader = await asyncio.to_thread(open, line)
    return int(await asyncio.to_thread(reader.readline)), reader


async def dead(reader: IO[str]) -> bool:
    """True, once the process that held the line has died."""
    with reader:
        return await asyncio.to_thread(reader.read) == ""


async def test_a_job_answers(pool: ThinkingPool) -> None:
    """A job's result comes back; its owner may ask again, and each gets his own answer."""
    assert await pool.think(jobs.add, 2, 3, who="Ola", seconds=LONG) == 5
    answers = await asyncio.gather(
        *(pool.think(jobs.add, number, 1, who=str(number), seconds=LONG) for number in range(4))
    )
    assert answers == [1, 2, 3, 4]


@linux
async def test_a_worker_stands_back() -> None:
    """A worker has the preload, a lower priority, no ear for Ctrl-C, and no socket of the server's."""
    pool = ThinkingPool(1, preload="colorsys")
    with socket.create_server(("127.0.0.1", 0)):
        pid, niceness, ignores_interrupts, preloaded, files = await pool.think(jobs.facts, who="Ola", seconds=LONG)
    await pool.close()
    assert pid != os.getpid()
    assert niceness == min(os.nice(0) + NICENESS, 19)
    assert ignores_interrupts
    assert preloaded
    assert not [file for file in files if file.startswith("socket:")]


@pytest.mark.parametrize("job", [jobs.busy, jobs.compiled])
async def test_a_job_that_takes_too_long_is_killed(
    pool: ThinkingPool, line: str, job: Callable[[str], None], figures: Figures
) -> None:
    """Its process is killed, also inside compiled code, its owner learns it, and the pool goes on."""
    thinking = asyncio.gather(pool.think(job, line, who="Ola", seconds=0.3), return_exceptions=True)
    _, reader = await started(line)
    assert await dead(reader)
    (refusal,) = await thinking
    assert isinstance(refusal, TooLong)
    assert (figures.thinking_jobs, figures.thinking_killed, figures.thinking_failed) == (1, 1, 0)
    assert figures.thinking_seconds > 0
    assert await pool.think(jobs.add, 2, 3, who="Ola", seconds=LONG) == 5


async def test_a_worker_that_is_killed_fails_only_its_job(pool: ThinkingPool, line: str, tmp_path: Path) -> None:
    """After `kill -9` of a worker its job has failed; the other's job and the pool go on."""
    os.mkfifo(tmp_path / "other")
    other = asyncio.gather(pool.think(jobs.listen, str(tmp_path / "other"), who="Jan", seconds=LONG))
    thinking = asyncio.gather(pool.think(jobs.busy, line, who="Ola", seconds=LONG), return_exceptions=True)
    pid, reader = await started(line)
    os.kill(pid, signal.SIGKILL)
    assert await dead(reader)
    (refusal,) = await thinking
    assert isinstance(refusal, Failed)
    await asyncio.to_thread((tmp_path / "other").write_text, "go on")
    assert (await other)[0] == "go on"
    assert await pool.think(jobs.add, 2, 3, who="Ola", seconds=LONG) == 5


async def test_an_idle_worker_that_is_killed_is_replaced() -> None:
    """A job that is given to a worker just killed is done by the next one."""
    pool = ThinkingPool(1)
    for _ in range(3):
        os.kill(await pool.think(os.getpid, who="Ola", seconds=LONG), signal.SIGKILL)
    assert await pool.think(jobs.add, 2, 3, who="Ola", seconds=LONG) == 5
    await pool.close()


@pytest.mark.parametrize(
    ("job", "kind", "words"),
    [
        (jobs.fail, "builtins.ValueError", "no such card"),
        (jobs.leave, "builtins.SystemExit", "enough"),
        (jobs.odd, "builtins.TypeError", "cannot pickle"),
    ],
)
async def test_a_job_that_raises_fails(
    pool: ThinkingPool, caplog: pytest.LogCaptureFixture, job: Callable[[], object], kind: str, words: str
) -> None:
    """The owner learns the kind of error, the log has it once with its place, its words are nowhere."""
    pid = await pool.think(os.getpid, who="Ola", seconds=LONG)
    with caplog.at_level(logging.INFO), pytest.raises(Failed) as refusal:
        await pool.think(job, who="Ola", seconds=LONG)
    assert str(refusal.value) == kind
    (record,) = caplog.records
    assert record.levelno == logging.ERROR
    assert "Ola" in record.getMessage()
    assert "Traceback" in record.getMessage()
    assert words not in record.getMessage()
    assert await pool.think(os.getpid, who="Ola", seconds=LONG) == pid


async def test_a_preload_that_is_not_there_fails_the_jobs(caplog: pytest.LogCaptureFixture) -> None:
    """A worker that cannot start fails each job; nothing hangs."""
    pool = ThinkingPool(1, preload="no_such_module_of_ours")
    for _ in range(2):
        with pytest.raises(Failed):
            await pool.think(jobs.add, 2, 3, who="Ola", seconds=LONG)
    await pool.close()
    assert len(caplog.records) == 2


async def test_one_job_for_each_owner(pool: ThinkingPool, line: str) -> None:
    """Who has a job gets no second one until it is over."""
    thinking = asyncio.gather(pool.think(jobs.listen, line, who="Ola", seconds=LONG))
    await asyncio.sleep(0)
    with pytest.raises(Busy):
        await pool.think(jobs.add, 2, 3, who="Ola", seconds=LONG)
    assert await pool.think(jobs.add, 2, 3, who="Jan", seconds=LONG) == 5
    await asyncio.to_thread(Path(line).write_text, "")
    assert (await thinking)[0] == ""
    assert await pool.think(jobs.add, 2, 3, who="Ola", seconds=LONG) == 5


async def test_only_so_many_jobs_wait(pool: ThinkingPool, figures: Figures) -> None:
    """With two at work and two in the queue a fifth is refused, and the four get their answers."""
    thinking = asyncio.gather(*(pool.think(jobs.add, number, 0, who=str(number), seconds=LONG) for number in range(4)))
    await asyncio.sleep(0)
    with pytest.raises(Busy):
        await pool.think(jobs.add, 4, 0, who="4", seconds=LONG)
    assert await thinking == [0, 1, 2, 3]
    assert (figures.thinking_jobs, figures.thinking_failed) == (5, 1)


async def test_a_job_is_killed_when_nobody_wants_its_answer(line: str) -> None:
    """Cancelling the call kills the process, and the worker's place is free again."""
    pool = ThinkingPool(1)
    thinking = asyncio.gather(pool.think(jobs.compiled, line, who="Ola", seconds=LONG))
    _, reader = await started(line)
    thinking.cancel()
    assert await dead(reader)
    assert await pool.think(jobs.add, 2, 3, who="Ola", seconds=LONG) == 5
    await pool.close()


async def test_the_loop_goes_on_meanwhile(pool: ThinkingPool, line: str) -> None:
    """While a worker starts, computes and is killed, no turn of the loop takes half a second."""
    loop = asyncio.get_running_loop()
    thinking = asyncio.gather(pool.think(jobs.compiled, line, who="Ola", seconds=0.2), return_exceptions=True)
    reading = asyncio.gather(started(line))
    longest, last = 0.0, loop.time()

    def over() -> bool:
        nonlocal longest, last
        longest, last = max(longest, loop.time() - last), loop.time()
        return thinking.done()

    await until(over)
    [(_, reader)] = await reading
    assert await dead(reader)
    assert longest < 0.5


async def test_close_leaves_no_process(line: str) -> None:
    """What still thinks or waits when the pool is closed fails at once, its process is dead; no job is taken after."""
    pool = ThinkingPool(1)
    thinking = asyncio.gather(
        pool.think(jobs.compiled, line, who="Ola", seconds=LONG),
        pool.think(jobs.add, 2, 3, who="Jan", seconds=LONG),
        return_exceptions=True,
    )
    pid, reader = await started(line)
    await pool.close()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    assert await dead(reader)
    assert all(isinstance(refusal, Failed) for refusal in await thinking)
    with pytest.raises(Failed):
        await pool.think(jobs.add, 2, 3, who="Ola", seconds=LONG)
    await pool.close()


@pytest.mark.parametrize("job", ["busy", pytest.param("compiled", marks=linux)])
async def test_workers_end_with_a_server_that_is_killed(line: str, job: str) -> None:
    """After `kill -9` of the server its workers end by themselves, also inside compiled code."""
    command = (sys.executable, "-m", "tests.runtime.jobs", job, line)
    server = await asyncio.create_subprocess_exec(*command, stderr=asyncio.subprocess.DEVNULL)
    _, reader = await started(line)
    server.kill()
    assert await server.wait() == -signal.SIGKILL
    assert await dead(reader)
