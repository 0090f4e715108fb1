"""Valid messages of every type of the client's union, found in the union itself: a new type is covered at once."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, get_args

from protocol.client import ClientMessage, FromClient
from tests.fuzz.script import Script

Known = Mapping[str, Sequence[Any]]
"""Values by the name of a field: tables, prompts and actions that are real."""
Plain = dict[str, Any]

PATTERNS: Final = {
    "^[a-z0-9]+$": ("abcdefgh", "0123456789abcdef", "tableofnobody", "z" * 32),
    "^[0-9a-f]{64}$": ("0" * 64, "0123456789abcdef" * 4, "f" * 64),
    "^-?[0-9]{1,5}(/[1-9][0-9]?)?$": ("0", "-1/2", "3", "11/3", "-99999/99"),
    "^[0-9]{4}-[0-9]{2}-[0-9]{2}$": ("2026-11-30", "1970-01-01", "9999-12-31", "0000-00-00", "2026-02-30"),
}
"""Texts for each pattern of the contract; `test_codec` fails when one is missing."""
_TEXTS: Final = ("a", "kop", "7KQ2-MZX4-V93H", "Ada Łoś", "0", "ready", "17", "x y z", "€😀", "a-1-1")


def types() -> tuple[type[ClientMessage], ...]:
    """Every message that a client may send."""
    union, _ = get_args(FromClient)
    return get_args(union)


NAMES: Final = tuple(str(one.model_fields["type"].annotation.__args__[0]) for one in types())  # type: ignore[union-attr]
"""The values of `type`, in the order of the types."""


@lru_cache
def schema(kind: type[ClientMessage]) -> Plain:
    """The JSON Schema of a message, with its parts in their places."""
    whole = kind.model_json_schema()
    parts: Plain = whole.pop("$defs", {})
    found: Plain = _in_place(whole, parts)
    return found


def _in_place(node: Any, parts: Plain) -> Any:
    if isinstance(node, list):
        return [_in_place(one, parts) for one in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        return _in_place(parts[node["$ref"].rpartition("/")[2]], parts)
    return {key: _in_place(value, parts) for key, value in node.items() if key != "discriminator"}


def valid(kind: type[ClientMessage], script: Script, known: Known | None = None) -> Plain:
    """A message of this type that the contract allows; fields that may be absent sometimes are."""
    return _object(schema(kind), script, known or {})


def _object(plan: Plain, script: Script, known: Known) -> Plain:
    required = plan.get("required", ())
    found: Plain = {}
    for name, field in plan["properties"].items():
        if name in required or script.below(2):
            found[name] = _value(name, field, script, known)
    return found


def _value(name: str, field: Plain, script: Script, known: Known) -> Any:
    if "const" in field:
        return field["const"]
    usual = known.get(name, ())
    if usual and script.below(8):
        return script.one_of(usual)
    return of_schema(field, script, known)


def of_schema(field: Plain, script: Script, known: Known | None = None) -> Any:
    """A value that this part of a JSON Schema allows."""
    if "enum" in field:
        return script.one_of(field["enum"])
    for choices in ("anyOf", "oneOf"):
        if choices in field:
            return of_schema(script.one_of(field[choices]), script, known)
    match field["type"]:
        case "null":
            return None
        case "boolean":
            return bool(script.below(2))
        case "integer":
            least, most = field.get("minimum", -(2**53)), field.get("maximum", 2**53)
            return script.one_of((least, most, least + script.below(min(256, most - least + 1))))
        case "string":
            return _text(field, script)
        case "array":
            length = field["minItems"] + script.below(field["maxItems"] - field["minItems"] + 1)
            return [of_schema(field["items"], script, known) for _ in range(length)]
        case "object" if "properties" in field:
            return _object(field, script, known or {})
        case "object":
            names = [script.one_of(_TEXTS)[: field["propertyNames"]["maxLength"]] for _ in range(script.below(4))]
            return {one: of_schema(field["additionalProperties"], script) for one in names}
        case other:
            raise NotImplementedError(f"no example for {other}: {field}")


def _text(field: Plain, script: Script) -> str:
    if "pattern" in field:
        texts = PATTERNS[field["pattern"]]
    else:
        most = field["maxLength"]
        texts = (*_TEXTS, "ż" * most, "x" * field.get("minLength", 0))
    fits = [one[: field.get("maxLength", len(one))] for one in texts]
    return script.one_of([one for one in fits if len(one) >= field.get("minLength", 0)])
