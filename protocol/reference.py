"""The readable pages of the wire contract, made from the models: `messages.md` and `errors.md`."""

import inspect
import json
from types import ModuleType
from typing import Any, Final

from pydantic import BaseModel

from protocol import kop, patience
from protocol.errors import CLOSE_TEXTS, TEXTS
from protocol.patience_options import PATIENCE_OPTIONS
from protocol.schemas import (
    CLIENT_MESSAGES,
    KOP_HAPPENINGS,
    PATIENCE_HAPPENINGS,
    SERVER_MESSAGES,
    TABLE_HAPPENINGS,
    TOURNAMENT_HAPPENINGS,
    Schema,
    definitions,
    word,
)

HAPPENINGS: Final = [*TABLE_HAPPENINGS, *KOP_HAPPENINGS, *PATIENCE_HAPPENINGS, *TOURNAMENT_HAPPENINGS]
HAPPENING_NAMES: Final = frozenset(model.__name__ for model in HAPPENINGS)
OPTIONS: Final = {
    "TableOptions": "Table",
    "KopOptions": "Kop",
    **{model.__name__: game.capitalize() for game, model in PATIENCE_OPTIONS.items()},
}
"""The models of options, and of whose they are."""
GENERATED: Final = "<!-- Generated from the models in protocol/ by `make docs`; do not edit. -->"


def messages_page() -> str:
    """Every message, every part of a view, every happening, every action."""
    schemas = definitions("{model}")
    elsewhere = {model.__name__ for model in [*CLIENT_MESSAGES, *SERVER_MESSAGES, *HAPPENINGS]}
    parts = [name for name in schemas if name not in elsewhere | {"ErrorCode", *OPTIONS}]
    sections = [
        GENERATED,
        "# Messages",
        "How they are used, and an example of a whole session: [README.md](README.md). Refusals: "
        "[errors.md](errors.md). A field marked *optional* may be absent. Numbers are whole numbers.",
        "## From the client",
        _contents(CLIENT_MESSAGES),
        *(_message(schemas, model, "") for model in CLIENT_MESSAGES),
        "## From the server",
        _contents(SERVER_MESSAGES),
        *(_message(schemas, model, "") for model in SERVER_MESSAGES),
        "## Parts",
        *(_section(name, schemas[name]) for name in parts),
        "## Happenings",
        "What stands in `happened` of a [`table`](#table) or [`tournament`](#tournament) message, in order. "
        "`event` tells which it is; "
        "ignore those that you do not know, the view is complete without them.",
        "### Of every table",
        *(_message(schemas, model, "happening ") for model in TABLE_HAPPENINGS),
        "### Of Kop",
        *(_message(schemas, model, "happening ") for model in KOP_HAPPENINGS),
        "### Of the patiences",
        "They end with Kop's `match_over`.",
        *(_message(schemas, model, "happening ") for model in PATIENCE_HAPPENINGS),
        "### Of tournaments",
        *(_message(schemas, model, "happening ") for model in TOURNAMENT_HAPPENINGS),
        "## Kop: actions",
        _actions(kop),
        "## Patience: actions",
        _actions(patience),
        *(f"## {whose}: options\n\n{_body(schemas[name])}" for name, whose in OPTIONS.items()),
    ]
    return "\n\n".join(sections) + "\n"


def errors_page() -> str:
    """Every error code and every close code."""
    errors = [f"| `{code.value}` | {text} |" for code, text in TEXTS.items()]
    closes = [f"| {code.value} | {code.name.lower()} | {text} |" for code, text in CLOSE_TEXTS.items()]
    return "\n".join(
        [
            GENERATED,
            "",
            "# Errors",
            "",
            "What to do about them: [README.md](README.md#errors-and-what-to-do).",
            "",
            "## Error codes",
            "",
            "A code never changes its meaning; new ones may come. The text is the English fallback.",
            "",
            "| code | text |",
            "|---|---|",
            *errors,
            "",
            "## Close codes",
            "",
            "| code | name | why |",
            "|---|---|---|",
            *closes,
            "",
        ]
    )


def _contents(models: list[type[BaseModel]]) -> str:
    return " · ".join(f"[`{word(model)}`](#{word(model)})" for model in models)


def _message(schemas: dict[str, Schema], model: type[BaseModel], prefix: str) -> str:
    depth = "####" if prefix else "###"
    return f"{depth} {prefix}`{word(model)}`\n\n{_body(schemas[model.__name__])}"


def _section(name: str, schema: Schema) -> str:
    return f"### {name}\n\n{_body(schema)}"


def _body(schema: Schema) -> str:
    text = inspect.cleandoc(schema.get("description", ""))
    required = schema.get("required", [])
    rows = []
    for name, field in schema["properties"].items():
        shown = f"`{name}`" if name in required else f"`{name}` (optional)"
        meaning = field.get("description", "")
        if "default" in field:
            meaning = f"{meaning} Default: `{json.dumps(field['default'])}`.".strip()
        rows.append(f"| {shown} | {words(field)} | {meaning} |")
    return "\n".join([text, "", "| field | type | meaning |", "|---|---|---|", *rows])


def words(schema: Schema) -> str:
    """A type and its bounds in words."""
    match schema:
        case {"$ref": str(name)}:
            return _link(name)
        case {"const": value}:
            return f"`{json.dumps(value)}`"
        case {"enum": list(values)}:
            return " or ".join(f"`{json.dumps(value)}`" for value in values)
        case {"anyOf": list(choices)} | {"oneOf": list(choices)}:
            return " or ".join(dict.fromkeys(words(choice) for choice in choices))
        case {"type": "string"}:
            return ", ".join(["text", *_bounds(schema, "Length", " characters"), *_pattern(schema)])
        case {"type": "integer"}:
            return ", ".join(["number", *_number_bounds(schema)])
        case {"type": "array"}:
            return _array(schema)
        case {"type": "object", "additionalProperties": dict(values)}:
            return f"map of text to {_item(values)}"
        case {"type": "object"}:
            return "map"
        case {"type": "boolean"}:
            return "true or false"
        case {"type": "null"}:
            return "null"
        case _:
            return "anything"


def _link(name: str) -> str:
    if name == "ErrorCode":
        return "[error code](errors.md)"
    if name in OPTIONS:
        return f"[options](#{OPTIONS[name].lower()}-options)"
    return "[happening](#happenings)" if name in HAPPENING_NAMES else f"[{name}](#{name.lower()})"


def _array(schema: Schema) -> str:
    items: list[Schema] = schema.get("prefixItems", [])
    return f"list of {len(items)}: {_item(items[0])}" if items else f"list of {_item(schema['items'])}"


def _item(schema: Schema) -> str:
    text = words(schema)
    return f"({text})" if " or " in text else text


def _bounds(schema: Schema, what: str, unit: str) -> list[str]:
    low, high = schema.get(f"min{what}", 0), schema.get(f"max{what}")
    if high is None:
        return [f"at least {low}{unit}"] if low else []
    return [f"{low} to {high}{unit}" if low else f"up to {high}{unit}"]


def _number_bounds(schema: Schema) -> list[str]:
    low, high = schema.get("minimum"), schema.get("maximum")
    found = [] if low is None and high is None else [f"{low} to {high}"]
    step: Any = schema.get("multipleOf")
    return found if step is None else [*found, f"a multiple of {step}"]


def _pattern(schema: Schema) -> list[str]:
    return [f"`{schema['pattern']}`"] if "pattern" in schema else []


def _actions(module: ModuleType) -> str:
    doc = inspect.cleandoc(module.__doc__ or "")
    return doc[doc.index("**Actions**") :]
