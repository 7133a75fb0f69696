"""Answers are described as narrowly as the server makes them, so that generated clients get useful types."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.games.api import openapi
from tests.live_contract import document

NARROWING = {
    "string": {"enum", "pattern", "format", "maxLength"},
    "integer": {"enum", "minimum"},
    "number": {"minimum"},
}
# The names of the fields that anything of their type may be in, by the reason.
UNBOUNDED = {
    "a sentence or a title for people": {"meaning", "message", "fields", "reason", "text", "title", "words"},
    "the notation of a whole game": {"record"},
    "below 0 too": {"change", "cost", "course", "effect", "puzzle_rating", "rating"},
}


def values(schema: Any, name: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each single value in a schema, with the name of the field that it is in."""
    if "type" in schema and schema["type"] in NARROWING:
        yield name, schema
    for field, part in schema.get("properties", {}).items():
        yield from values(part, field)
    parts = *schema.get("anyOf", ()), schema.get("items"), schema.get("additionalProperties")
    for part in parts:
        if isinstance(part, dict):
            yield from values(part, name)


@pytest.mark.parametrize("schemas", [openapi()["components"]["schemas"], document()["components"]["schemas"]])
def test_every_value_that_the_server_sends_has_a_form_or_a_reason_for_having_none(schemas: dict[str, Any]) -> None:
    sent = {name: schema for name, schema in schemas.items() if not name.endswith("Input")}
    found = [value for name in sent for value in values(sent[name], name)]
    loose = {field for field, value in found if NARROWING[value["type"]].isdisjoint(value)}
    assert loose <= set.union(*UNBOUNDED.values())
