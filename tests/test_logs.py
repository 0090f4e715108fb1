"""A line of the log: what it has, and that the words of an exception and a stranger's text are not in it."""

import asyncio
import io
import json
import logging
import os
from collections.abc import Iterator
from typing import Any

import pytest

from server import logs
from server.games.kop.events import CardPlayed
from server.traces import trace

SECRET = "QS"


@pytest.fixture
def written() -> Iterator[io.StringIO]:
    """What is logged under `server.here`, as it is written where no terminal is."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(logs.formatter(for_people=False))
    logger = logging.getLogger("server.here")
    logger.addHandler(handler)
    logger.setLevel(logging.DEBUG)
    yield stream
    logger.removeHandler(handler)


def lines(stream: io.StringIO) -> list[dict[str, Any]]:
    """The written lines."""
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def fail() -> None:
    """Raises what names a card, because of what names one too."""
    try:
        os.environ[SECRET]
    except KeyError as fault:
        raise ValueError(f"no {SECRET} here") from fault


def test_a_line_has_its_fields_and_no_other(written: io.StringIO) -> None:
    """Level, logger, time and process, and of `extra` only what may be written."""
    extra = {"table": "abc", "version": 4, "command": "P/i#7", "kind": "Act", "code": "stale", "action": "play QS"}
    logging.getLogger("server.here").info("refused", extra=extra)
    (line,) = lines(written)
    assert line.pop("timestamp").endswith("Z")
    assert line.pop("process") > 0
    del extra["action"]
    assert line == {"event": "refused", "level": "info", "logger": "server.here", **extra}


def test_an_exception_is_its_type_and_its_places(written: io.StringIO) -> None:
    """Both exceptions of a chain, with file, line and function; no message, no source line, no value."""
    try:
        fail()
    except ValueError:
        logging.getLogger("server.here").exception("table %s frozen", "abc", extra={"table": "abc"})
    (line,) = lines(written)
    assert "Traceback" in line["exception"]
    assert "builtins.KeyError\nwhich led to\n" in line["exception"]
    assert line["exception"].endswith("builtins.ValueError")
    assert "test_logs.py, line " in line["exception"]
    assert ", in fail" in line["exception"]
    assert SECRET not in written.getvalue()


def test_a_chain_that_bites_its_tail_ends() -> None:
    """Each exception is told once."""
    first, second = ValueError(), TypeError()
    first.__context__, second.__context__ = second, first
    assert trace(first).count("Traceback") == 2


def test_what_a_store_repeats_of_a_command_is_cut(written: io.StringIO) -> None:
    """A Redis that does not know a command repeats how it began."""
    words = f"ERR unknown command 'XADD', with args beginning with: 'kop' '{SECRET}'"
    logging.getLogger("server.here").error("refused: %s", words)
    assert lines(written)[0]["event"] == "refused: ERR unknown command 'XADD'"


def test_for_people_it_is_no_json(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a terminal the level, the words and the fields stand in a line; NO_COLOR is heeded."""
    monkeypatch.setenv("NO_COLOR", "1")
    record = logging.makeLogRecord({"name": "server.here", "msg": "frozen", "levelno": 40, "levelname": "ERROR"})
    record.table = "abc"
    text = logs.formatter(for_people=True).format(record)
    assert "error" in text
    assert "frozen" in text
    assert "table=abc" in text
    assert "\x1b" not in text


async def test_a_fault_in_a_callback_does_not_tell_what_it_was_called_with(caplog: pytest.LogCaptureFixture) -> None:
    """The loop's own line would repeat the arguments."""
    loop = asyncio.get_running_loop()
    before = loop.get_exception_handler()
    logs.watch(loop)

    def callback(event: object) -> None:
        raise RuntimeError

    loop.call_soon(callback, CardPlayed(0, SECRET))  # type: ignore[arg-type]
    await asyncio.sleep(0)
    loop.set_exception_handler(before)
    (record,) = caplog.records
    assert record.getMessage() == "a callback of the event loop failed"
    assert record.exc_info is not None
