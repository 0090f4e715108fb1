"""JSON Schema and AsyncAPI of the wire contract, as plain data. `protocol.document` writes them.

What a client sends is closed: unknown fields are refused. What the server sends is open, since a
client ignores what it does not know; so its schemas do not forbid further fields.
"""

from typing import Any, Final, get_args

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from protocol.client import FromClient
from protocol.codec import Encoding
from protocol.kop import KopHappening
from protocol.kop_options import KopOptions
from protocol.patience import PatienceHappening
from protocol.patience_options import PATIENCE_OPTIONS
from protocol.record import KopRecord, PatienceRecord
from protocol.server import FromServer, TableHappening
from protocol.table_options import TableOptions
from protocol.tournament_server import TournamentHappening

Schema = dict[str, Any]
PROTOCOL_VERSION: Final = 1


def members(union: Any) -> list[type[BaseModel]]:
    """The models of a discriminated union, in the order in which they are written."""
    return list(get_args(get_args(union)[0]))


def word(model: type[BaseModel]) -> str:
    """What a message's `type` or a happening's `event` says."""
    field = model.model_fields.get("type") or model.model_fields["event"]
    return str(get_args(field.annotation)[0])


CLIENT_MESSAGES: Final = members(FromClient)
SERVER_MESSAGES: Final = members(FromServer)
TABLE_HAPPENINGS: Final = members(TableHappening)
TOURNAMENT_HAPPENINGS: Final = members(TournamentHappening)
KOP_HAPPENINGS: Final = members(KopHappening)
PATIENCE_HAPPENINGS: Final = members(PatienceHappening)


def definitions(ref_template: str) -> dict[str, Schema]:
    """The schema of every message and of every part of one, by the model's name."""
    sent = _definitions(
        [*CLIENT_MESSAGES, TableOptions, KopOptions, *PATIENCE_OPTIONS.values()], "validation", ref_template
    )
    received = _definitions(SERVER_MESSAGES, "serialization", ref_template)
    for schema in received.values():
        schema.pop("additionalProperties", None)
    return dict(sorted((sent | received).items()))


def _definitions(models: list[type[BaseModel]], mode: Any, ref_template: str) -> dict[str, Schema]:
    _, schema = models_json_schema([(model, mode) for model in models], ref_template=ref_template)
    found: dict[str, Schema] = schema["$defs"]
    return {name: _untitled(part) for name, part in found.items()}


def _untitled(node: Any) -> Any:
    """The node without the titles that pydantic makes of field names: they say nothing new."""
    if isinstance(node, list):
        return [_untitled(item) for item in node]
    if isinstance(node, dict):
        return {
            key: {name: _untitled(part) for name, part in value.items()} if key == "properties" else _untitled(value)
            for key, value in node.items()
            if key != "title" or not isinstance(value, str)
        }
    return node


def json_schema() -> Schema:
    """One schema file: `FromClient` and `FromServer` say which messages go which way."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Kop online, protocol {PROTOCOL_VERSION}",
        "$defs": definitions("#/$defs/{model}")
        | {
            name: {
                "description": description,
                "oneOf": [{"$ref": f"#/$defs/{model.__name__}"} for model in models],
            }
            for name, description, models in (
                ("FromClient", "What a client may send.", CLIENT_MESSAGES),
                ("FromServer", "What the server sends.", SERVER_MESSAGES),
            )
        },
    }


def record_schema() -> Schema:
    """The schema file of a record, as `kop record export` writes it."""
    models: list[type[BaseModel]] = [KopRecord, PatienceRecord]
    defined = _definitions(models, "validation", "#/$defs/{model}")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Kop online, record of a deal, format 1",
        "oneOf": [{"$ref": f"#/$defs/{model.__name__}"} for model in models],
        "$defs": dict(sorted(defined.items())),
    }


def asyncapi() -> Schema:
    """An AsyncAPI 3.0 document, seen from the server: it receives what clients send."""
    messages = [*CLIENT_MESSAGES, *SERVER_MESSAGES]
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "Kop online",
            "version": str(PROTOCOL_VERSION),
            "description": (
                "Tables for Kop over one websocket. Every frame is one message; `type` tells which. "
                "Both subprotocols carry the same messages: one as MessagePack in binary frames, one as "
                "JSON in text frames. README.md beside this file explains the dialogue."
            ),
            "license": {"name": "MIT"},
        },
        "defaultContentType": "application/json",
        "channels": {"ws": _channel(messages)},
        "operations": {
            "fromClient": _operation("receive", "What a client may send.", CLIENT_MESSAGES),
            "fromServer": _operation("send", "What the server sends.", SERVER_MESSAGES),
        },
        "components": {
            "messages": {word(message): _message(message) for message in messages},
            "schemas": definitions("#/components/schemas/{model}"),
        },
    }


def _channel(messages: list[type[BaseModel]]) -> Schema:
    subprotocol = {"type": "string", "enum": [encoding.value for encoding in Encoding]}
    return {
        "address": "/ws",
        "messages": {word(message): {"$ref": f"#/components/messages/{word(message)}"} for message in messages},
        "bindings": {
            "ws": {
                "method": "GET",
                "headers": {
                    "type": "object",
                    "required": ["Sec-WebSocket-Protocol"],
                    "properties": {"Sec-WebSocket-Protocol": subprotocol},
                },
                "bindingVersion": "0.1.0",
            }
        },
    }


def _operation(action: str, summary: str, models: list[type[BaseModel]]) -> Schema:
    return {
        "action": action,
        "channel": {"$ref": "#/channels/ws"},
        "summary": summary,
        "messages": [{"$ref": f"#/channels/ws/messages/{word(model)}"} for model in models],
    }


def _message(model: type[BaseModel]) -> Schema:
    return {
        "name": word(model),
        "title": word(model),
        "summary": " ".join((model.__doc__ or "").split()),
        "payload": {"$ref": f"#/components/schemas/{model.__name__}"},
    }
