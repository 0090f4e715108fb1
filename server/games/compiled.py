"""Compiles pure functions on whole numbers with Numba where it is installed; elsewhere the same code runs slower.

Importing this module imports Numba: only solvers and bots may, never what a server's main process needs.
"""

from array import array
from collections.abc import Callable
from importlib import import_module
from typing import Any, Final, TypeAlias, TypeVar

Ints: TypeAlias = "array[int]"
"""Whole numbers, in an array of type `q`."""

Floats: TypeAlias = "array[float]"
"""Numbers, in an array of type `d`."""

_Function = TypeVar("_Function", bound=Callable[..., Any])


def _numba() -> Any:
    try:
        return import_module("numba")
    except ImportError:  # a platform without wheels
        return None


_NUMBA: Final = _numba()
COMPILES: Final = _NUMBA is not None
"""Whether functions are compiled here."""


def compiled(function: _Function) -> _Function:
    """The function, compiled when it is first called; the machine code is kept for later processes.

    It may call other compiled functions of its own module, but not itself: kept code of recursive
    functions is faulty. Its arguments are numbers and arrays of type `q` and `d`.
    """
    if _NUMBA is None:
        return function
    try:
        kept: _Function = _NUMBA.njit(cache=True)(function)
    except RuntimeError:  # no folder can be written to: every process compiles for itself
        kept = _NUMBA.njit(function)
    return kept
