"""What is logged, and how: one JSON object a line, or lines for people where the standard error is a terminal.

Every module logs with the standard library's `logging`; the fields of a line are its `extra`, and only those in
`FIELDS` are written. No line holds a card, an action, a name, something said, a token, or a code that opens
something: messages and fields are ids, codes, versions and counts, and of an exception only its type and its
places are written (`server.traces`), since its words can hold a state.
"""

import asyncio
import logging
import os
import sys
from typing import Any, Final, TextIO

import structlog
from structlog.typing import EventDict, WrappedLogger

from server.traces import trace

FIELDS: Final = ("table", "version", "command", "kind", "code")
"""Table, its version, the command's id (player/instance#number), what kind of command, the code of a refusal."""

_OURS: Final = ("server", "__main__")
_ECHO: Final = ", with args beginning with"
"""With these words a Redis begins to repeat a command that it does not know, and with it what was to be stored."""

log = logging.getLogger(__name__)


def set_up(level: str, stream: TextIO | None = None) -> None:
    """Sends what is logged from a level on to a stream, or to the standard error.

    Of libraries only warnings and errors are written: what they say below may repeat what passes through them.
    """
    stream = stream or sys.stderr
    logging.raiseExceptions = False  # else a line that cannot be written is printed with all that was to be in it
    handler = logging.StreamHandler(stream)
    handler.setFormatter(formatter(for_people=stream.isatty()))
    logging.basicConfig(level=max(logging.WARNING, logging.getLevelName(level)), handlers=[handler])
    for name in _OURS:
        logging.getLogger(name).setLevel(level)


def formatter(*, for_people: bool) -> logging.Formatter:
    """One line for each record; for people in columns, and with the places of an exception below it."""
    chain: list[structlog.typing.Processor] = [
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True, key="timestamp"),
        structlog.stdlib.ExtraAdder(allow=FIELDS),
        _process,
        _without_words,
    ]
    last: list[structlog.typing.Processor] = [structlog.stdlib.ProcessorFormatter.remove_processors_meta]
    if for_people:
        last.append(structlog.dev.ConsoleRenderer(colors="NO_COLOR" not in os.environ))
    else:
        last.append(structlog.processors.JSONRenderer())
    return structlog.stdlib.ProcessorFormatter(foreign_pre_chain=chain, processors=last)


def watch(loop: asyncio.AbstractEventLoop) -> None:
    """Faults in the loop's callbacks are logged by our rule: the loop's own line repeats what they were called with."""
    loop.set_exception_handler(_loop_fault)


def _loop_fault(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    log.error("a callback of the event loop failed", exc_info=context.get("exception"))


def _process(logger: WrappedLogger, method: str, line: EventDict) -> EventDict:
    record: logging.LogRecord = line["_record"]
    line["process"] = record.process
    return line


def _without_words(logger: WrappedLogger, method: str, line: EventDict) -> EventDict:
    line["event"] = line["event"].partition(_ECHO)[0]
    line.pop("stack_info", None)
    fault = line.pop("exc_info", None)
    if fault and fault[1] is not None:
        line["exception"] = trace(fault[1])
    return line
