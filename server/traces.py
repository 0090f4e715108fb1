"""What may be logged of an exception: its type and where it was raised, never its words.

The words of an exception can hold a state, a command or a token: `KeyError: 'QS'` tells a card.
"""

import traceback


def trace(fault: BaseException) -> str:
    """The traceback of an exception and of what led to it, oldest first, without messages, source lines and values."""
    parts: list[str] = []
    for number, one in enumerate(_chain(fault)):
        if number:
            parts.append("which led to")
        parts.append("Traceback (most recent call last):")
        frames = traceback.extract_tb(one.__traceback__)
        parts += [f"  File {frame.filename}, line {frame.lineno}, in {frame.name}" for frame in frames]
        parts.append(kind(one))
    return "\n".join(parts)


def kind(fault: BaseException) -> str:
    """The type of an exception, with its module."""
    return f"{type(fault).__module__}.{type(fault).__qualname__}"


def _chain(fault: BaseException) -> list[BaseException]:
    """The exception after its causes; each once, for a chain can lead back to its beginning."""
    chain: list[BaseException] = []
    one: BaseException | None = fault
    while one is not None and one not in chain:
        chain.append(one)
        one = one.__cause__ or (None if one.__suppress_context__ else one.__context__)
    return chain[::-1]
