"""The sockets' messages as docs/asyncapi.json announces them, for tests that believe nothing else."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

Json = dict[str, Any]

DOCUMENT = Path(__file__).parents[1] / "docs" / "asyncapi.json"


@cache
def document() -> Json:
    """Return the checked-in document."""
    content: Json = json.loads(DOCUMENT.read_text())
    return content


def resolve(reference: Json) -> Any:
    """Return what `{"$ref": "#/..."}` points to in the document."""
    place: Any = document()
    for name in reference["$ref"].removeprefix("#/").split("/"):
        place = place[name]
    return place


def messages_of(socket: str, action: str) -> set[str]:
    """Return the types of what the server receives on a socket ("receive"), or tells there ("send")."""
    told = [operation for operation in _operations_on(socket) if operation["action"] == action]
    if action == "send":
        told += [operation["reply"] for operation in _operations_on(socket) if "reply" in operation]
    return {name for operation in told for name in _message_names(operation)}


def answers_to(socket: str, question: str) -> set[str]:
    """Return the types that may answer a client's message."""
    return _message_names(document()["operations"][f"{socket}{question.title()}"]["reply"])


@cache
def validator(socket: str, message: str) -> Draft202012Validator:
    """Return a validator of a message that also refuses every field that the document does not declare."""
    payload = resolve(document()["channels"][socket]["messages"][message])["payload"]
    return Draft202012Validator({**payload, "components": {"schemas": _closed(document()["components"]["schemas"])}})


def require_documented(socket: str, message: Json) -> None:
    """Fail unless the document announces that the server tells this message, exactly so."""
    assert message["type"] in messages_of(socket, "send"), message
    validator(socket, message["type"]).validate(message)


def _operations_on(socket: str) -> list[Json]:
    channel = {"$ref": f"#/channels/{socket}"}
    return [operation for operation in document()["operations"].values() if operation["channel"] == channel]


def _message_names(operation: Json) -> set[str]:
    return {reference["$ref"].rpartition("/")[2] for reference in operation["messages"]}


def _closed(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_closed(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    closed = {name: _closed(value) for name, value in schema.items()}
    return {"additionalProperties": False, **closed} if isinstance(schema.get("properties"), dict) else closed
