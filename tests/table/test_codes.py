"""Every refusal of the core has a stable word that the wire contract explains."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import server
from protocol.errors import TEXTS, ErrorCode
from server.games.kop.play import refusal

SOURCES = sorted(Path(server.__path__[0]).rglob("*.py"))
TREES = {path: ast.parse(path.read_text(encoding="utf-8")) for path in SOURCES}
PURE = [path for path in SOURCES if {"games", "table", "tournament"} & set(path.parts)]


def violations(tree: ast.AST) -> Iterator[ast.expr]:
    """The first argument of each RuleViolation that is made."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "RuleViolation":
            yield node.args[0]


def texts(node: ast.AST) -> Iterator[str]:
    """The texts that stand in an expression."""
    for part in ast.walk(node):
        if isinstance(part, ast.Constant) and isinstance(part.value, str):
            yield part.value


def returned(path: str, function: str) -> set[str]:
    """The codes that a function of the games returns, which its caller raises."""
    tree = TREES[next(one for one in PURE if one.name == path)]
    [found] = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name == function]
    return {code for node in ast.walk(found) if isinstance(node, ast.Return) for code in texts(node)}


def forbidden(path: Path) -> set[str]:
    """The codes that functions return for what the rules forbid: a move of a patience, a call."""
    functions = [node for node in ast.walk(TREES[path]) if isinstance(node, ast.FunctionDef)]
    found = [one for one in functions if one.returns is not None and ast.unparse(one.returns) == "str | None"]
    returns = [node for one in found for node in ast.walk(one) if isinstance(node, ast.Return)]
    return {code for node in returns for code in chosen(node.value)}


def chosen(value: ast.expr | None) -> Iterator[str]:
    """The texts that an expression can be."""
    match value:
        case ast.Constant(value=str(text)):
            yield text
        case ast.IfExp(body=one, orelse=other):
            yield from (*chosen(one), *chosen(other))


PATIENCES = [path for path in PURE if path.name in ("zopf.py", "burgvoegtin.py", "carpet.py", "archway.py")]
MOVES = {code for path in PATIENCES if path.parent.name == "patience" for code in forbidden(path)}
CALLS = forbidden(next(path for path in PURE if path.name == "auction.py"))
DUTIES = returned("play.py", refusal.__name__)
WAITS = returned("decisions.py", "_why_not_yet")
RAISED = {code for tree in TREES.values() for argument in violations(tree) for code in texts(argument)}
CODES = RAISED | CALLS | DUTIES | WAITS | MOVES


def test_codes_are_found() -> None:
    """The search sees both a plain code and one that depends on a condition."""
    assert {"stale", "bad_option", "table_full", "seat_taken"} <= RAISED
    assert {"no_first_doubling", "already_asked", "wesele_too_late"} <= CALLS


@pytest.mark.parametrize("code", sorted(CODES))
def test_every_refusal_is_explained(code: str) -> None:
    """Each code of a RuleViolation in the server is a word of the wire contract, with a text."""
    assert TEXTS[ErrorCode(code)]


def test_only_duties_waits_and_calls_are_no_literals() -> None:
    """A code is written where it is raised; variables hold a duty, a wait, or what is forbidden."""
    variables = [
        argument.id for tree in TREES.values() for argument in violations(tree) if isinstance(argument, ast.Name)
    ]
    assert sorted(variables) == ["code", "duty", "forbidden", "wait"]
    assert {"does_not_fit", "stock_empty", "carpet_stays", "packet_first"} <= MOVES
    assert {"must_follow", "must_beat", "must_trump"} == DUTIES
    assert {"ask_first", "await_answers", "await_calls"} == WAITS


def test_no_word_of_the_table_or_the_rules_is_dead() -> None:
    """Each code in the groups of the command, the table, the options, calls and play is raised by the server."""
    first, pure_text = list(ErrorCode).index(ErrorCode.ID_REUSED), set()
    for tree in TREES.values():
        pure_text |= set(texts(tree)) | {
            node.attr.lower() for node in ast.walk(tree) if isinstance(node, ast.Attribute)
        }
    assert [code for code in list(ErrorCode)[first:] if code.value not in pure_text] == []
