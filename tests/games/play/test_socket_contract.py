"""The socket of a game and docs/asyncapi.json say the same, in both directions."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.doors.refusals import BadMessage
from games.play import wire as messages
from games.players.models import Player
from tests.games.conftest import Connect, MakeGame
from tests.games.play.test_socket import DECK
from tests.games.sockets import Client
from tests.live_contract import Json, answers_to, messages_of, resolve, validator

pytestmark = pytest.mark.usefixtures("_no_deadline")

KINDS = sorted(messages_of("game", "receive"))
numbers = st.sampled_from([-1, 0, 1, 2**31 - 1, 2**31, 2**53 - 1, 2**53, 2**64]) | st.integers()
# 1.0 is a whole number to JSON Schema and not to the reader; the document says so in words.
fractions = st.floats(allow_nan=False, allow_infinity=False).filter(lambda number: not number.is_integer())
anything = st.recursive(
    st.none() | st.booleans() | numbers | fractions | st.text(max_size=20) | st.sampled_from(KINDS),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=4), inner, max_size=2),
    max_leaves=4,
)


def values_of(schema: Json) -> st.SearchStrategy[Any]:
    """Return a strategy for the values of a schema, of the few kinds that clients' messages are made of."""
    if "anyOf" in schema:
        return st.one_of([values_of(choice) for choice in schema["anyOf"]])
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    plain = {
        "integer": lambda: st.integers(schema["minimum"], schema["maximum"]),
        "string": lambda: st.text(max_size=schema["maxLength"]),
        "null": st.none,
    }
    return plain[schema["type"]]()


def messages_of_type(kind: str) -> st.SearchStrategy[Json]:
    schema = resolve({"$ref": f"#/components/schemas/Game{kind.title()}"})
    fields = {name: values_of(field) for name, field in schema["properties"].items()}
    needed = {name: fields.pop(name) for name in schema["required"]}
    return st.fixed_dictionaries(needed, optional=fields)


@st.composite
def damaged(draw: st.DrawFn) -> Json:
    """Draw a message with one field more, one less, or one of another value."""
    message: Json = draw(st.sampled_from(KINDS).flatmap(messages_of_type))
    name = draw(st.sampled_from([*message, "version", "move", "client_ms", "extra"]))
    if name in message and draw(st.booleans()):
        del message[name]
    else:
        message[name] = draw(anything)
    return message


def is_announced(message: Json) -> bool:
    return any(validator("game", kind).is_valid(message) for kind in KINDS)


def is_read(message: Json) -> bool:
    try:
        messages.read(json.dumps(message))
    except BadMessage:
        return False
    return True


@pytest.mark.parametrize("kind", KINDS)
def test_whatever_the_document_announces_is_read(kind: str) -> None:
    @given(messages_of_type(kind))
    def holds(message: Json) -> None:
        assert messages.read(json.dumps(message)).id == message["id"]

    holds()


@given(damaged())
def test_the_reader_refuses_what_the_document_refuses_and_nothing_else(message: Json) -> None:
    assert is_read(message) == is_announced(message)


def just_outside(schema: Json) -> list[int | str]:
    """Return the values next to the limits of a field."""
    limited = next((choice for choice in schema.get("anyOf", [schema]) if choice.get("type") != "null"), schema)
    outside: list[int | str] = ["x" * (limited["maxLength"] + 1)] if "maxLength" in limited else []
    return outside + ([limited["minimum"] - 1, limited["maximum"] + 1] if "minimum" in limited else [])


@pytest.mark.parametrize("kind", KINDS)
def test_the_reader_keeps_every_limit_that_the_document_announces(kind: str) -> None:
    message = resolve({"$ref": f"#/components/messages/Game{kind.title()}"})["examples"][0]["payload"]
    fields = resolve({"$ref": f"#/components/schemas/Game{kind.title()}"})["properties"]
    beyond = [{**message, name: value} for name, schema in fields.items() for value in just_outside(schema)]
    assert len(beyond) >= 2
    assert not any(is_read(damaged_message) for damaged_message in beyond)


@pytest.mark.django_db(transaction=True)
async def test_everything_told_in_a_whole_session_is_documented_and_every_message_occurs(
    connect: Connect, practice: MakeGame, alice: Player, bob: Player
) -> None:
    game = await practice(DECK)
    async with connect(game, alice) as phone, connect(game, alice) as laptop:
        await phone.receive()
        await laptop.receive()
        assert (await phone.receive())["type"] == "superseded"
        async with connect(game, bob) as watcher:
            await watcher.receive()
            await documented_answers(watcher, [("sync", {"version": 0}), ("undo", {"version": 0}), ("ping", {})])
            answered = await play_to_the_end(laptop)
            while (await watcher.receive())["type"] != "finished":
                pass
    heard = [*phone.heard, *laptop.heard, *watcher.heard]
    assert {"played", "finished"} <= {message["type"] for message in watcher.heard}
    assert {message["type"] for message in heard} == messages_of("game", "send") - {"placed"}  # of ranked games only
    assert answered == messages_of("game", "receive")


async def play_to_the_end(client: Client) -> set[str]:
    """Send every message there is; return their types."""
    await client.send("no message")
    assert (await client.receive())["id"] is None
    questions: list[tuple[str, Json]] = [
        ("play", {"version": 0, "move": "D"}),
        ("play", {"version": 1, "move": "4s9s"}),
        ("undo", {"version": 1}),
        ("redo", {"version": 2}),
        ("hint", {"version": 3}),
        ("sync", {"version": 0}),
        ("sync", {"version": 99}),
        ("ping", {}),
        ("resign", {"version": 4}),
        ("restart", {}),
        ("restart", {}),
    ]
    return await documented_answers(client, questions)


async def documented_answers(client: Client, questions: list[tuple[str, Json]]) -> set[str]:
    for kind, fields in questions:
        assert (await client.ask(kind, **fields))["type"] in answers_to("game", kind)
    return {kind for kind, _ in questions}
