"""Base types of the JSON objects on the wire, for REST and sockets alike."""

import json
from collections.abc import Callable, Iterable
from inspect import cleandoc
from typing import Annotated, Any, ClassVar, NamedTuple, TypeVar

import msgspec

from games.doors.refusals import BadMessage

M = TypeVar("M", bound=msgspec.Struct)
Number = Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)]
Milliseconds = Annotated[int, msgspec.Meta(ge=0, le=2**53 - 1)]
# The id of a row, or the number of an entry in a list; of the last one that a client has seen, 0 if it has seen none.
RowId = Annotated[int, msgspec.Meta(ge=1, le=2**62)]
LastId = Annotated[int, msgspec.Meta(ge=0, le=2**62)]
# A rank or a place, or a number in a row that begins with 1.
Ordinal = Annotated[int, msgspec.Meta(ge=1, le=2**31 - 1)]
# A stable word of the server, such as the code of an error or of a kind of notification.
Code = Annotated[str, msgspec.Meta(pattern="^[a-z][a-z0-9_-]*$", max_length=40)]
Sha256 = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$", max_length=64)]


def documented(**schema: Any) -> msgspec.Meta:
    """Return an annotation for the documents alone: what msgspec does not check, but something else does."""
    return msgspec.Meta(extra_json_schema=schema)


# An address on this server, such as that of the next page.
Address = Annotated[str, documented(format="uri-reference")]
Path = Annotated[str, documented(format="uri-reference", pattern="^/")]
# No text that clients send has NUL characters.
Readable = Annotated[str, documented(pattern=r"^[^\u0000]*$")]
# Over REST, surrounding spaces are stripped from these.
Stripped = Annotated[Readable, str.strip]
Text = Annotated[
    Stripped, msgspec.Meta(min_length=1), documented(pattern=r"^[^\u0000]*[^\s\u0000-\u001f\u0085][^\u0000]*$")
]


def schemas_of(types: Iterable[type[msgspec.Struct]], reference: str) -> dict[str, dict[str, Any]]:
    """Return the JSON schemas of types and of their parts, by name, with what generators of clients need."""
    _, schemas = msgspec.json.schema_components(types, ref_template=reference)
    for schema in schemas.values():
        schema["description"] = cleandoc(schema.get("description", ""))  # only some versions of Python strip it
        _complete(schema)
    return schemas


def _complete(schema: dict[str, Any], name: str = "") -> None:
    """Name the type of choices, and choices that may be null: generators would call them `unknown` and `Type0`."""
    if "enum" in schema:
        schema["type"] = "string"
        if name:
            schema["title"] = name
    for field, part in schema.get("properties", {}).items():
        for choice in part.get("anyOf", ()):
            _complete(choice, field)
        _complete(part)
    for part in (schema.get("items"), schema.get("additionalProperties")):
        if isinstance(part, dict):
            _complete(part)


class JsonObject(msgspec.Struct, frozen=True):
    """A JSON object that the server sends."""


class Check(NamedTuple):
    """Annotates a type with what it does not say itself: `mistake_in` returns what is wrong with a value, or None."""

    mistake_in: Callable[[Any], str | None]


class Input(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A JSON object or query string that clients send over REST; the documents show the `example`."""

    example: ClassVar[dict[str, object]] = {}

    def mistakes(self) -> dict[str, str]:
        """Return which fields do not fit the others, and why."""
        return {}

    @classmethod
    def document(cls, schema: dict[str, Any]) -> None:
        """Add to the JSON schema what is known only at runtime, or concerns several fields."""


class Message(msgspec.Struct, tag_field="type", tag=str.lower, frozen=True):
    """A JSON object whose `type` is the name of its class in lower case."""


class FromClient(Message, forbid_unknown_fields=True, kw_only=True, frozen=True):
    """A question or command; `id` is a number of the client's choice, repeated in the answer."""

    id: Number


class _Numbered(msgspec.Struct):
    id: Number | None = None


_number_decoder = msgspec.json.Decoder(_Numbered)
_encoder = msgspec.json.Encoder()


def read(decoder: msgspec.json.Decoder[M], frame: str) -> M:
    """Read a client's message. Raises `BadMessage`."""
    try:
        message = decoder.decode(frame)
    except (msgspec.DecodeError, RecursionError) as error:
        raise BadMessage(str(error)) from error
    if frame.count(":") != _members(message):  # cheaper than to look at the names themselves
        require_names_once(frame)
    return message


def _members(message: msgspec.Struct) -> int:
    """Return how many members the object of a message has, its type included, where none is null."""
    values = msgspec.structs.astuple(message)
    return 1 + len(values) - values.count(None)


def require_names_once(text: str) -> None:
    """Raise `BadMessage` if an object has a name twice: readers of JSON differ in which of the values they take."""
    try:
        json.loads(text, object_pairs_hook=unique)
    except ValueError as error:
        raise BadMessage(str(error)) from error


def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the members of a JSON object as a dictionary. Raises `ValueError` for a duplicate name."""
    values = dict(pairs)
    if len(values) != len(pairs):
        raise ValueError("duplicate name in an object")
    return values


def read_id(frame: str | None) -> int | None:
    """Return the `id` of a message, even of an invalid one if it can be read."""
    if frame is None:
        return None
    try:
        return _number_decoder.decode(frame).id
    except (msgspec.DecodeError, RecursionError):
        return None


def write(message: msgspec.Struct) -> str:
    """Return a message as the text of a frame."""
    return _encoder.encode(message).decode()
