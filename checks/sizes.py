"""Keeps modules and functions small: `python -m checks.sizes`.

A module over 500 lines fails the checks. Modules over 300 lines and functions over 40 are listed,
to be talked about, with the median size.
"""

import ast
import statistics
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

MODULE_LIMIT: Final = 500
MODULE_TALK: Final = 300
FUNCTION_TALK: Final = 40


def modules() -> list[Path]:
    """The Python and JavaScript modules of this checkout, those not yet committed too."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "*.py", "*.js", "*.mjs"],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    return sorted(path for path in map(Path, set(listed.split("\0")) - {""}) if path.is_file())


def long_functions(path: Path) -> Iterator[str]:
    """One line for each function that has more than 40 lines, docstring and decorators left out."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.end_lineno is not None:
            first = node.body[1] if ast.get_docstring(node) is not None and len(node.body) > 1 else node.body[0]
            lines = node.end_lineno - first.lineno + 2
            if lines > FUNCTION_TALK:
                yield f"{path}:{node.lineno}: {node.name} has {lines} lines"


def report(paths: list[Path]) -> int:
    """Prints what is large among these modules; the exit status is 1 if one is over the limit."""
    sizes = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in paths}
    for path, lines in sorted(sizes.items(), key=lambda item: -item[1]):
        if lines > MODULE_TALK:
            print(f"{path}: {lines} lines{' - OVER THE LIMIT' if lines > MODULE_LIMIT else ''}")
    for path in paths:
        if path.suffix == ".py":
            for line in long_functions(path):
                print(line)
    filled = [lines for lines in sizes.values() if lines]
    print(f"{len(paths)} modules, median {statistics.median(filled):.0f} lines, limit {MODULE_LIMIT}")
    return int(any(lines > MODULE_LIMIT for lines in sizes.values()))


if __name__ == "__main__":
    sys.exit(report(modules()))
