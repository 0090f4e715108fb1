"""Where the coverage-guided fuzzer begins: each message in both encodings, honest evenings, and a bit of everything."""

import random
from collections.abc import Callable, Iterator, Sequence

from protocol.codec import Encoding, pack
from tests.fuzz import bodies, hall, messages
from tests.fuzz.script import Script

PLAY, PASS_TIME, SPEAK = 4, 6, 9
"""Steps of `hall.Evening.step`."""


class Recorded(Script):
    """Choices made by a policy of its own, noted as the bytes that choose the same."""

    def __init__(self, choose: Callable[[int], int], length: int) -> None:
        super().__init__(b"")
        self.data = bytearray()
        self._choose = choose
        self._length = length

    @property
    def over(self) -> bool:
        """Whether it is long enough."""
        return len(self.data) >= self._length

    def below(self, bound: int) -> int:
        """The policy's choice."""
        number = self._choose(bound) % bound
        size, room = 0, 1
        while room < bound:
            size, room = size + 1, room * 256
        self.data += number.to_bytes(size)
        return number


def of(target: str) -> Iterator[bytes]:
    """The seeds of a target."""
    rng = random.Random(target)
    match target:
        case "codec":
            for kind in messages.types():
                for way, encoding in enumerate(Encoding):
                    for script in (b"", b"\xff" * 64):
                        yield bytes((2 | way,)) + pack(messages.valid(kind, Script(script)), encoding)
        case "log":
            for number, one in enumerate(bodies.kept()):
                if len(one.body) <= 1024:
                    yield number.to_bytes(1 + (len(bodies.kept()) > 256)) + b"\0" + one.body
        case "session":
            yield from evenings()
    for _ in range(60):
        yield rng.randbytes(rng.randrange(8, 240))


def evenings() -> Iterator[bytes]:
    """Each message at some tables, and an honest evening at each kind of table."""
    for number in range(len(messages.types())):
        for game in (0, 3, 6):
            yield recorded(one_message(number, game), 60)
    for game in range(len(hall.OPTIONS)):
        yield recorded(honest(game), 240)


def recorded(choose: Callable[[int], int], length: int) -> bytes:
    """The script of an evening in which all choices are made so."""
    script = Recorded(choose, length)
    hall.converse_by(script)
    return bytes(script.data)


def honest(game: int) -> Callable[[int], int]:
    """One table, at which everybody plays quietly, while time goes by now and then."""
    return _policy(game, [PLAY] * 6 + [PASS_TIME])


def one_message(kind: int, game: int) -> Callable[[int], int]:
    """A table, a few moves, and then a message of some type from different players."""
    return _policy(game, [PLAY, SPEAK, SPEAK, SPEAK], kind)


def _policy(game: int, steps: Sequence[int], kind: int = 0) -> Callable[[int], int]:
    rng, turn, scenes = random.Random(f"{game}/{kind}"), iter(list(steps) * 1000), iter([1])

    def choose(bound: int) -> int:
        if bound == 3:  # first: how many tables; later: whether another player comes, and whether he plays quietly
            return next(scenes, 1)
        if bound == len(hall.OPTIONS):
            return game
        if bound == len(messages.types()):
            return kind
        if bound == 16:
            return next(turn)
        return rng.randrange(bound)

    return choose
