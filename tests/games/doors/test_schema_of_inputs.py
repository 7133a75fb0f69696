"""Whatever fits the schema of a body or a query is read: the document is as strict as the server."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import jsonschema_rs
import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rest_framework.exceptions import ValidationError

from games.doors.rest.inputs import read, read_query
from games.doors.wire import Input
from tests.games.api import openapi

# Said in words: what no pattern can say about a name, and a rule about several parts of a query.
SAID_IN_WORDS = (
    "Use printable characters only",
    "Too many marks",
    "A name has at most",
    "A name has to be visible",
    "A cursor contains all",
    "push service",
    "not an address",
    "not the keys of a browser",
    "no such time zone",
    "no such kind",
)
TEXTS = st.sampled_from(
    ["alice", "Carol", "D", "standard", "main", "alice,bob", "a@b.example", "", " ", "\0", "a\0b", "\n"]
)
FORMATS = {"date": st.dates().map(str), "date-time": st.just("2026-03-01T12:00:00Z")}
ODD = st.text(st.characters(exclude_categories=["Cs", "Cn"]), max_size=140)


def inputs(kind: type[Input] = Input) -> Iterator[type[Input]]:
    for each in kind.__subclasses__():
        if not each.__module__.startswith("tests."):
            yield each
        yield from inputs(each)


def bodies() -> dict[str, dict[str, Any]]:
    schemas = openapi()["components"]["schemas"]
    return {kind.__name__: schemas[kind.__name__] for kind in inputs() if kind.__name__ in schemas}


def queries() -> dict[str, dict[str, Any]]:
    """Return the schema of each query; the document has it in parts, as parameters."""
    kinds = [kind for kind in inputs() if kind.__name__ not in bodies() and kind.__name__ != "RenameInput"]
    template = "#/components/schemas/{name}"
    made = {kind.__name__: msgspec.json.schema_components([kind], ref_template=template)[1] for kind in kinds}
    return {name: schemas[name] for name, schemas in made.items()}


def kind_of(name: str) -> type[Input]:
    return next(each for each in inputs() if each.__name__ == name)


def values(schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Return values of the right kind that need not fit."""
    if "$ref" in schema:
        return values(openapi()["components"]["schemas"][schema["$ref"].rpartition("/")[2]])
    if "anyOf" in schema:
        return st.one_of([values(each) for each in schema["anyOf"]])
    return st.sampled_from(schema["enum"]) if "enum" in schema else VALUES[schema["type"]](schema)


def objects(schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    fields = {name: values(each) for name, each in schema.get("properties", {}).items()}
    required = {name: fields.pop(name) for name in schema.get("required", ())}
    return st.fixed_dictionaries(required, optional=fields)


VALUES: dict[str, Callable[[dict[str, Any]], st.SearchStrategy[Any]]] = {
    "null": lambda _: st.none(),
    "boolean": lambda _: st.booleans(),
    "integer": lambda schema: st.integers(schema.get("minimum"), schema.get("maximum")),
    "string": lambda schema: FORMATS.get(schema.get("format", ""), TEXTS | ODD),
    "array": lambda schema: st.lists(values(schema["items"]), max_size=3),
    "object": objects,
}


def validator(schema: dict[str, Any]) -> Any:
    return jsonschema_rs.validator_for({**schema, "components": openapi()["components"]}, validate_formats=False)


def refused(ask: Any) -> list[str]:
    """Return what is wrong with an input, apart from what the document says in words."""
    try:
        ask()
    except ValidationError as error:
        mistakes = [f"{name}: {text}" for name, texts in dict(error.detail).items() for text in texts]  # type: ignore[arg-type]
        return [each for each in mistakes if not any(words in each for words in SAID_IN_WORDS)]
    return []


@pytest.mark.parametrize("name", bodies())
def test_a_body_that_fits_its_schema_is_read(name: str) -> None:
    schema = bodies()[name]
    kind, fits = kind_of(name), validator(schema)

    @settings(deadline=None, database=None)
    @given(objects(schema))
    def check(body: Any) -> None:
        assert not (fits.is_valid(body) and refused(lambda: read(kind, body)))

    check()


@pytest.mark.parametrize("name", queries())
def test_a_query_that_fits_its_schema_is_read(name: str) -> None:
    schema = queries()[name]
    kind, fits = kind_of(name), validator(schema)

    @settings(deadline=None, database=None)
    @given(objects(schema))
    def check(query: Any) -> None:
        texts = {name: value if isinstance(value, str) else json.dumps(value) for name, value in query.items()}
        assert not (fits.is_valid(query) and refused(lambda: read_query(kind, texts)))

    check()
