"""The AsyncAPI document as a page for people, in Markdown."""

import json
from collections.abc import Iterable, Iterator
from typing import Any

Json = dict[str, Any]

INTRODUCTION = (
    "Every message of both sides, with its fields and examples: the reference beside the "
    "[live protocol](live-protocol.md). For programs the same is an AsyncAPI 3 document, "
    "[asyncapi.json](/docs/asyncapi.json), from which types for your language can be generated."
)


def as_markdown(document: Json) -> str:
    """Return a page on an AsyncAPI document: each socket with its close codes, and each message with examples."""
    return "\n\n".join(_page(document))


def _page(document: Json) -> Iterator[str]:
    yield "# Socket messages"
    yield INTRODUCTION
    yield document["info"]["description"]
    seen: dict[str, str] = {}
    for channel in document["channels"].values():
        yield f"## {channel['address']}"
        yield channel["description"].partition("\n\n")[0]
        for name, parameter in channel.get("parameters", {}).items():
            yield f"`{name}`: {parameter['description']} Example: `{parameter['examples'][0]}`"
        references = [message["$ref"] for message in channel["messages"].values()]
        if others := dict.fromkeys(f"`{seen[reference]}`" for reference in references if reference in seen):
            yield f"Messages and close codes are those of {', then those of '.join(others)}."
            continue
        seen |= dict.fromkeys(references, channel["address"])
        codes = channel["x-close-codes"].items()
        yield "### Close codes"
        yield "The server closes this socket with one of these numbers."
        yield _table(
            ("closes with", "why", "what to do"), ((code, one["meaning"], one["advice"]) for code, one in codes)
        )
        yield from _messages(document, references)


def _messages(document: Json, references: list[str]) -> Iterator[str]:
    schemas, messages = document["components"]["schemas"], document["components"]["messages"]
    answers = {
        _name(one["messages"][0]["$ref"]): [_name(answer["$ref"]) for answer in one["reply"]["messages"]]
        for one in document["operations"].values()
        if "reply" in one
    }
    shown: list[str] = []
    for message in (messages[_name(reference)] for reference in references):
        is_clients = message["name"] in answers
        yield f"### `{message['name']}` from the {'client' if is_clients else 'server'}"
        yield message["summary"]
        if is_clients:
            yield f"Answers: {', '.join(f'`{name}`' for name in answers[message['name']])}."
        yield from _fields(_name(message["payload"]["$ref"]), schemas, shown)
        for example in message["examples"]:
            yield f"{example['name'].capitalize()}:" if len(message["examples"]) > 1 else "Example:"
            yield f"    {json.dumps(example['payload'])}"


def _fields(name: str, schemas: Json, shown: list[str]) -> Iterator[str]:
    """Yield the table of a type's fields, then the types inside it that were not shown before."""
    schema = schemas[name]
    if "properties" not in schema:
        yield _type(schema, schemas)
        return
    fields = schema["properties"].items()
    needed = schema.get("required", [])
    yield _table(
        ("field", "value"),
        ((f"`{field}`", _type(kind, schemas) + ("" if field in needed else "; optional")) for field, kind in fields),
    )
    for inner in _parts(schema["properties"]):
        if inner not in shown:
            shown.append(inner)
            yield f"**{schemas[inner]['title']}**: {schemas[inner]['description']}"
            yield from _fields(inner, schemas, shown)


def _type(schema: Json, schemas: Json) -> str:
    text = str(schema.get("type"))
    match schema:
        case {"$ref": reference}:
            text = f"**{schemas[_name(reference)]['title']}**"
        case {"enum": values}:
            text = " or ".join(f"`{json.dumps(value)}`" for value in values)
        case {"anyOf": kinds}:
            text = " or ".join(_type(kind, schemas) for kind in kinds)
        case {"type": "array", "items": items}:
            text = f"list of {_type(items, schemas)}"
        case {"type": "integer", "minimum": least, "maximum": most}:
            text = f"integer from {least} to {most}"
        case {"type": "string", "maxLength": most}:
            text = f"string, at most {most} characters"
    return text


def _parts(value: object) -> Iterator[str]:
    """Yield the names of the types that a schema refers to."""
    if isinstance(value, dict):
        if "$ref" in value:
            yield _name(value["$ref"])
        for inner in value.values():
            yield from _parts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _parts(inner)


def _name(reference: str) -> str:
    return reference.rpartition("/")[2]


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    return "\n".join(f"| {' | '.join(row)} |" for row in [head, ("---",) * len(head), *rows])
