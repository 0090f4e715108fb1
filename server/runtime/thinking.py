"""A bounded pool of processes that think for bots and solvers; nobody else waits for them.

Each worker process sits in a `pebble` pool of its own, so what breaks one breaks no other. Workers
are spawned, never forked: they have no socket of the server's. They run at lower priority, and end
when the server does, however it ends.

The jobs come from this program alone: what is pickled here is never a player's.
"""

import asyncio
import contextlib
import ctypes
import importlib
import logging
import multiprocessing
import os
import pickle
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Final, TypeVar, TypeVarTuple

from pebble import ProcessPool

from server.figures import FIGURES
from server.runtime.tasks import Tasks
from server.traces import kind, trace

T = TypeVar("T")
Ts = TypeVarTuple("Ts")

log = logging.getLogger(__name__)

NICENESS: Final = 10
START_SECONDS: Final = 60.0
"""What a worker may take to start, with its preload, beside the seconds of its first job."""
PR_SET_PDEATHSIG: Final = 1


class NotThought(Exception):
    """No answer came of a job; the message says why. Do without it."""


class Busy(NotThought):
    """The job was not taken: its owner has one already, or too many wait."""


class TooLong(NotThought):
    """The job took longer than it may, and its process was killed."""


class Failed(NotThought):
    """The job raised, or its process died, or the pool was closed."""


class ThinkingPool:
    """Up to `workers` processes, started when they are first needed; call `close` at the end."""

    def __init__(self, workers: int, *, waiting: int = 64, preload: str | None = None) -> None:
        """A pool where so many jobs may wait; each process imports the module `preload` when it starts."""
        self._workers = tuple(_Worker(preload) for _ in range(workers))
        self._most = workers + waiting
        self._idle: asyncio.LifoQueue[_Worker] = asyncio.LifoQueue()  # who worked last is warm
        for worker in self._workers:
            self._idle.put_nowait(worker)
        self._limits: dict[str, asyncio.Timeout] = {}
        self._tasks = Tasks()
        # A worker ends with the thread that started it, so these threads live as long as the pool.
        self._threads = ThreadPoolExecutor(workers, "thinking")
        self._closed = False

    async def think(self, job: Callable[..., T], *args: object, who: str, seconds: float) -> T:
        """What a top-level function makes of its arguments, in a process; the time in the queue does not count.

        Cancelling the call stops the job.

        Raises:
            Busy: `who` has a job already, or too many jobs wait.
            TooLong: it took longer than `seconds`.
            Failed: it raised (the log has the error), its process died, or the pool is closed.
        """
        with _counted():
            return await self._thought(job, *args, who=who, seconds=seconds)

    async def _thought(self, job: Callable[..., T], *args: object, who: str, seconds: float) -> T:
        request = pickle.dumps((job, args))
        self._admit(who)
        try:
            async with asyncio.timeout(None) as self._limits[who]:
                reply = await self._reply(request, who, seconds)
        except TimeoutError:
            raise self._closing() if self._closed else TooLong(f"no answer for {who} in {seconds} s") from None
        finally:
            del self._limits[who]
        if isinstance(reply, str):
            log.error("thinking for %s failed\n%s", who, reply)
            raise Failed(reply.rstrip().rpartition("\n")[2])
        answer: T = pickle.loads(reply)  # noqa: S301  our own worker's
        return answer

    async def close(self) -> None:
        """Kills what still thinks, which fails, and ends every process; there is no thinking after it."""
        self._closed = True
        for limit in self._limits.values():
            if not limit.expired():
                limit.reschedule(asyncio.get_running_loop().time())
        await self._tasks.close()
        await asyncio.gather(*(asyncio.to_thread(worker.end) for worker in self._workers))
        self._threads.shutdown(wait=False)

    def _admit(self, who: str) -> None:
        if self._closed:
            raise self._closing()
        if who in self._limits:
            raise Busy(f"{who} has a job already")
        if len(self._limits) >= self._most:
            raise Busy(f"{self._most} jobs are here already")

    @staticmethod
    def _closing() -> Failed:
        return Failed("the pool is closed")

    async def _reply(self, request: bytes, who: str, seconds: float) -> bytes | str:
        """The reply of the next free worker; it is the pool's again when its job is over or killed."""
        worker = await self._idle.get()
        try:
            if self._closed:
                raise self._closing()
            latest = asyncio.get_running_loop().time() + START_SECONDS + seconds
            self._limits[who].reschedule(latest)
            reply = await self._ask(worker, request, seconds)
        except asyncio.CancelledError:
            self._tasks.start(self._stop(worker))
            raise
        except BaseException:
            self._idle.put_nowait(worker)
            raise
        self._idle.put_nowait(worker)
        return reply

    async def _ask(self, worker: "_Worker", request: bytes, seconds: float) -> bytes | str:
        """Asks a worker; once more if it turns out to have died while it was idle."""
        for attempt in (1, 2):
            try:
                return await asyncio.wrap_future(await self._in_thread(worker.ask, request, seconds))
            except TimeoutError:
                raise
            except (OSError, RuntimeError) as fault:  # pebble's: what a job raises comes as a text
                if isinstance(fault, OSError) or attempt == 2:
                    log.warning("a thinking process died: %s", kind(fault))
                    raise Failed("the process died") from fault
        raise AssertionError

    async def _stop(self, worker: "_Worker") -> None:
        await self._in_thread(worker.stop)
        self._idle.put_nowait(worker)

    async def _in_thread(self, work: Callable[[*Ts], T], *args: *Ts) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._threads, work, *args)


class _Worker:
    """One process at a time, in a pool of its own. Its methods block: they belong in a thread."""

    def __init__(self, preload: str | None) -> None:
        self._preload = preload
        self._pool: ProcessPool | None = None
        self._lock = threading.Lock()
        self._ended = False

    def ask(self, request: bytes, seconds: float) -> Future[bytes | str]:
        """Hands over a job, with a process started if there is none.

        Raises:
            OSError, RuntimeError: there is no process to be had.
        """
        with self._lock:
            if self._ended:
                raise RuntimeError("the worker has ended")
            if self._pool is None or not self._pool.active:
                self._drop()
                context = multiprocessing.get_context("spawn")
                self._pool = ProcessPool(1, 0, _begin, (os.getpid(), self._preload), context)
            return self._pool.schedule(_answer, (request,), timeout=seconds)

    def stop(self) -> None:
        """Kills the process; the next job gets another."""
        with self._lock:
            self._drop()

    def end(self) -> None:
        """Kills the process; there is none after it."""
        with self._lock:
            self._ended = True
            self._drop()

    def _drop(self) -> None:
        if self._pool is not None:
            self._pool.stop()  # type: ignore[no-untyped-call]
            self._pool.join()
            self._pool = None


@contextlib.contextmanager
def _counted() -> Iterator[None]:
    FIGURES.thinking_jobs += 1
    began = time.monotonic()
    try:
        yield
    except TooLong:
        FIGURES.thinking_killed += 1
        raise
    except NotThought:
        FIGURES.thinking_failed += 1
        raise
    finally:
        FIGURES.thinking_seconds += time.monotonic() - began


def _begin(server: int, preload: str | None) -> None:
    """In the worker, before its first job."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # kills compiled code too, which heeds no Python handler
    os.nice(NICENESS)
    threading.Thread(target=_end_with_server, name="server-watch", daemon=True).start()
    if sys.platform == "linux":  # the kernel needs no turn of the interpreter, which compiled code may hold
        ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != server:
        os._exit(1)
    if preload is not None:
        importlib.import_module(preload)


def _end_with_server() -> None:
    server = multiprocessing.parent_process()
    if server is not None:
        server.join()
        os.kill(os.getpid(), signal.SIGKILL)


def _answer(request: bytes) -> bytes | str:
    """In the worker: does a job. Bytes are its pickled result, a text is the trace of what it raised."""
    try:
        job: Callable[..., Any]
        job, args = pickle.loads(request)  # noqa: S301  the server's own
        return pickle.dumps(job(*args))
    except BaseException as fault:
        return trace(fault)
