"""Between two cards of the beam of `zopf_beam`: the most promising states are kept, and the waste is turned over.

Compiled where Numba is installed; a module of its own, since compiled functions call only those of their module.
"""

from array import array

from server.games.compiled import compiled

VALUES = 16384
FIELDS = 19


def room(states: int) -> "array[int]":
    """Room for so many states, and their number."""
    return array("q", bytes(8 * (1 + FIELDS * states)))


@compiled
def copy(source: "array[int]", origin: int, target: "array[int]", goal: int) -> None:
    """Copies a state."""
    for field in range(19):
        target[goal + field] = source[origin + field]


@compiled
def select(children: "array[int]", beam: "array[int]", width: int, counts: "array[int]") -> None:
    """Keeps the most promising children as the new beam."""
    for value in range(len(counts)):
        counts[value] = 0
    for number in range(children[0]):
        counts[min(children[1 + 19 * number + 17], len(counts) - 1)] += 1
    least, kept = len(counts) - 1, counts[len(counts) - 1]
    while least > 0 and kept + counts[least - 1] <= width:
        least -= 1
        kept += counts[least]
    beam[0] = 0
    spare = width - kept
    for number in range(children[0]):
        value = min(children[1 + 19 * number + 17], len(counts) - 1)
        if value >= least or (value == least - 1 and spare > 0):
            if value < least:
                spare -= 1
            copy(children, 1 + 19 * number, beam, 1 + 19 * beam[0])
            beam[0] += 1


@compiled
def redeal(beam: "array[int]", log: "array[int]") -> None:
    """Turns the waste over in every state; those without a waste are given up."""
    kept = 0
    for number in range(beam[0]):
        at = 1 + 19 * number
        if beam[at + 18] < 0:
            continue
        beam[at + 18] = -1
        if log[0] + 1 < len(log):
            log[0] += 1
            log[log[0]] = beam[at + 16] << 6 | 33
            beam[at + 16] = log[0]
        copy(beam, at, beam, 1 + 19 * kept)
        kept += 1
    beam[0] = kept
