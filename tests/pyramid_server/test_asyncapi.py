"""docs/asyncapi.json agrees with the code, is consistent, and its examples match its schemas."""

from __future__ import annotations

import json
from collections.abc import Iterator
from io import StringIO
from typing import Any, get_args

import pytest
from django.core.management import call_command
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from games.cups import socket_wire as cup
from games.doors.sockets.close_codes import CloseCode
from games.notifications import wire as me
from games.play import wire as game
from games.puzzles import socket_wire as run
from games.races import socket_wire as race
from leaderboards.boards import socket_wire as board
from pyramid_server.socket_urls import websocket_urlpatterns
from tests.live_contract import DOCUMENT, Json, document, messages_of, resolve, validator

SIDES: list[tuple[str, str, object]] = [
    ("game", "receive", game.ClientMessage),
    ("game", "send", game.ServerMessage),
    ("board", "receive", board.Ping),
    ("board", "send", board.ServerMessage),
]
EXAMPLES: list[tuple[str, str, Json]] = [
    (socket, name, example["payload"])
    for socket, channel in document()["channels"].items()
    for name, reference in channel["messages"].items()
    for example in resolve(reference)["examples"]
]
CLIENT_EXAMPLES = [example for example in EXAMPLES if example[1] in messages_of(example[0], "receive")]
READERS = {
    "game": game.read,
    "daily": game.read,
    "entrant": game.read,
    "board": board.read,
    "club": board.read,
    "race": race.read,
    "racer": lambda frame: (game if json.loads(frame)["type"] in messages_of("game", "receive") else race).read(frame),
    "cup": cup.read,
    "run": run.read,
    "me": me.read,
}


def references_in(part: Any) -> Iterator[Json]:
    if isinstance(part, dict) and "$ref" in part:
        yield part
    elif isinstance(part, dict | list):
        for inner in part.values() if isinstance(part, dict) else part:
            yield from references_in(inner)


def test_the_document_is_current() -> None:
    printed = StringIO()
    call_command("asyncapi", stdout=printed)
    is_current = printed.getvalue() == DOCUMENT.read_text()
    assert is_current, "run: .venv/bin/python manage.py asyncapi > docs/asyncapi.json"


def test_the_document_has_the_parts_of_asyncapi_3() -> None:
    assert document()["asyncapi"] == "3.0.0"
    assert set(document()) == {
        "asyncapi", "info", "defaultContentType", "servers", "channels", "operations", "components",
    }  # fmt: skip
    assert {operation["action"] for operation in document()["operations"].values()} == {"send", "receive"}
    parts = {"action", "channel", "summary", "security", "messages", "reply", "x-scope", "x-scope-or"}
    assert all(set(operation) <= parts for operation in document()["operations"].values())
    for channel in document()["channels"].values():
        assert all(f"{{{name}}}" in channel["address"] for name in channel.get("parameters", {}))


def test_every_reference_leads_somewhere() -> None:
    references = list(references_in(document()))
    assert len(references) > 100
    for reference in references:
        assert resolve(reference), reference


def test_an_operation_speaks_only_of_messages_of_its_own_channel() -> None:
    for operation in document()["operations"].values():
        for part in (operation, operation.get("reply", operation)):
            for reference in part["messages"]:
                assert reference["$ref"].startswith(operation["channel"]["$ref"] + "/messages/")


def test_every_schema_is_a_json_schema_with_a_description() -> None:
    for schema in document()["components"]["schemas"].values():
        Draft202012Validator.check_schema(schema)
        assert schema["description"]


@pytest.mark.parametrize(("socket", "action", "union"), SIDES)
def test_every_message_of_each_side_is_in_an_operation(socket: str, action: str, union: object) -> None:
    kinds = get_args(union) or (union,)
    assert messages_of(socket, action) == {kind.__name__.lower() for kind in kinds}


def test_every_message_has_an_example() -> None:
    shown = {(socket, name) for socket, name, _ in EXAMPLES}
    assert shown == {
        (socket, name) for socket, channel in document()["channels"].items() for name in channel["messages"]
    }


@pytest.mark.parametrize(("socket", "name", "payload"), EXAMPLES)
def test_every_example_has_the_shape_of_its_message(socket: str, name: str, payload: Json) -> None:
    validator(socket, name).validate(payload)
    assert payload["type"] == name


@pytest.mark.parametrize(("socket", "name", "payload"), CLIENT_EXAMPLES)
def test_every_example_of_a_client_is_read(socket: str, name: str, payload: Json) -> None:
    message = READERS[socket](json.dumps(payload))
    assert (type(message).__name__.lower(), message.id) == (name, payload["id"])


def test_the_addresses_are_those_that_are_served() -> None:
    assert len(websocket_urlpatterns) == len(document()["channels"])
    for channel in document()["channels"].values():
        path = channel["address"].removeprefix("/")
        for name, parameter in channel.get("parameters", {}).items():
            path = path.replace(f"{{{name}}}", parameter["examples"][0])
        assert any(pattern.resolve(path) for pattern in websocket_urlpatterns), path


def test_a_game_and_own_news_need_one_of_three_keys_and_a_board_none() -> None:
    for name, operation in document()["operations"].items():
        keys = [reference["$ref"].rpartition("/")[2] for reference in operation.get("security", [])]
        assert keys == (
            ["token", "ticket", "session"]
            if name.startswith(("game", "daily", "entrant", "racer", "run", "me"))
            else []
        )


def test_close_codes_come_with_their_meaning_and_what_to_do() -> None:
    told = document()["channels"]["game"]["x-close-codes"]
    assert told == {str(code.value): {"meaning": code.meaning, "advice": code.advice} for code in CloseCode}
    assert document()["channels"]["board"]["x-close-codes"].items() <= told.items()
    for channel in document()["channels"].values():
        assert all(f"* {code}: " in channel["description"] for code in channel["x-close-codes"])


def test_optional_fields_are_left_out_of_examples_where_they_say_nothing() -> None:
    assert {"type": "play", "id": 1, "version": 0, "move": "Kd"} in [payload for _, _, payload in EXAMPLES]
