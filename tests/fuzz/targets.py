"""What is fuzzed, each as a function of bytes that raises when a promise does not hold."""

from collections.abc import Callable
from typing import Final

from protocol.codec import BadMessage, Encoding, Undecodable, decode, pack
from tests.fuzz import bodies, doorstep, hall, strange
from tests.fuzz.script import Script

Target = Callable[[bytes], object]


def codec(data: bytes) -> None:
    """A frame of the client: the bytes as they stand, or what a script makes of a message."""
    way, rest = (data[0], data[1:]) if data else (0, b"")
    encoding = tuple(Encoding)[way & 1]
    frame = rest if way & 2 else strange.frame(Script(rest), encoding)
    message = refusal = None
    try:
        message = decode(frame, encoding)
    except (Undecodable, BadMessage) as fault:
        refusal = str(fault)
    if message is None:
        assert refusal is not None
        assert len(refusal) <= 400, "a refusal is short"
        assert strange.SECRET not in refusal, "a refusal says no value"
        return
    for other in Encoding:
        again = decode(pack(message.model_dump(), other), other)
        assert again == message, "what was read is said again in the same words"


def log(data: bytes) -> None:
    """What the store holds: the bytes as they stand in place of a body, or one that is nearly right."""
    script = Script(data)
    one = script.one_of(bodies.kept())
    one.read(bodies.nearly(one, script) if script.below(2) else script.take(4096))


def http(data: bytes) -> None:
    """The port: a request, and what comes after it."""
    doorstep.knock(data)


def session(data: bytes) -> None:
    """The conversation of several players with a hall."""
    hall.converse(data)


TARGETS: Final[dict[str, Target]] = {"codec": codec, "log": log, "http": http, "session": session}
