"""The clients say what the server's documents say."""

from __future__ import annotations

import inspect
import json
import re
from functools import cache
from typing import Any

import msgspec
import pytest
from pyramid_client import (
    answers,
    api,
    board_messages,
    clubs,
    cup_messages,
    cups,
    me_messages,
    messages,
    race_messages,
    run_messages,
)
from pyramid_client.rest import Call

from pyramid_server.client_types import documents, files
from tests.live_contract import Json, document, messages_of, resolve

CALLS = [
    function
    for module in (api, clubs, cups)
    for name, function in inspect.getmembers(module, inspect.isfunction)
    if function.__module__ == module.__name__ and not name.startswith("_")
]


@cache
def openapi() -> Json:
    return documents()[1]


def test_the_types_of_both_clients_are_current() -> None:
    for path, text in files(*documents()).items():
        assert path.read_text() == text, "run: .venv/bin/python manage.py client_types"


MODULES = {
    "game": messages,
    "board": board_messages,
    "race": race_messages,
    "cup": cup_messages,
    "run": run_messages,
    "me": me_messages,
}


def test_a_value_that_sockets_and_requests_both_give_is_one_class() -> None:
    shared = []
    for module in MODULES.values():
        for name, message in vars(module).items():
            answer = getattr(answers, name, None)
            if answer is message:
                shared.append(name)
            elif answer and isinstance(message, type):
                assert fields_of(answer) != fields_of(message), name
    assert {"State", "Row", "Racer", "CupSeat", "Run", "Notification"} <= set(shared)


def fields_of(message: Any) -> list[tuple[str, Any]]:
    return [(field.name, field.type) for field in msgspec.structs.fields(message)]


@pytest.mark.parametrize(("socket", "module"), MODULES.items())
def test_every_example_of_a_message_is_read_as_it_is(socket: str, module: Any) -> None:
    for name in messages_of(socket, "send"):
        for example in resolve(document()["channels"][socket]["messages"][name])["examples"]:
            read = msgspec.convert(example["payload"], getattr(module, name.title()))
            assert without_nulls(json.loads(msgspec.json.encode(read))) == without_nulls(example["payload"])


def without_nulls(value: Any) -> Any:
    if isinstance(value, list):
        return [without_nulls(item) for item in value]
    if isinstance(value, dict):
        return {name: without_nulls(item) for name, item in value.items() if item is not None}
    return value


def sample(parameter: inspect.Parameter) -> Any:
    if parameter.annotation.startswith("Iterable"):
        return ["alice", "bob"]
    return {"bool": True, "int": 5}.get(parameter.annotation.removesuffix(" | None"), "x")


def operation_of(call: Call[Any]) -> Json:
    """Return the operation of the OpenAPI document that answers a call; literal addresses come before patterns."""
    paths = sorted(openapi()["paths"], key=lambda path: path.count("{"))
    (path, *_) = [path for path in paths if re.fullmatch(re.sub(r"{\w+}", "[^/]+", path), f"/api{call.path}")]
    operation: Json = openapi()["paths"][path][call.method.lower()]
    return operation


@pytest.mark.parametrize(
    "function", CALLS, ids=lambda function: f"{function.__module__.rpartition('.')[2]}-{function.__name__}"
)
def test_every_request_is_one_that_the_server_offers_with_its_fields_and_its_answer(function: Any) -> None:
    parameters = inspect.signature(function).parameters
    call: Call[Any] = function(**{name: sample(parameter) for name, parameter in parameters.items()})
    operation = operation_of(call)
    offered = {parameter["name"] for parameter in operation.get("parameters", ()) if parameter["in"] == "query"}
    assert set(call.query) <= offered
    if call.body is not None:
        reference = operation["requestBody"]["content"]["application/json"]["schema"]["$ref"]
        fields = openapi()["components"]["schemas"][reference.rpartition("/")[2]].get("properties", {})
        assert set(call.body) <= set(fields)
    (answer, *_) = [operation["responses"][status] for status in ("200", "201") if status in operation["responses"]]
    name = answer["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
    assert call.answer is getattr(answers, name)
    for example in answer["content"]["application/json"].get("examples", {}).values():
        msgspec.convert(example["value"], call.answer)
