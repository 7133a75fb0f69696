from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from drf_spectacular import validation
from drf_spectacular.drainage import GENERATOR_STATS
from jsonschema_rs import Draft202012Validator

from games.doors.refusals import declared, refusals, sample_of
from tests.games.api import openapi, validator_of

pytestmark = pytest.mark.usefixtures("clock")

# The last two are answered before a request reaches any operation.
NOT_OVER_REST = {
    *("too_many_apps", "bad_address", "unknown_device", "too_many_devices"),  # on pages and at OAuth addresses
    *("bad_message", "unknown_daily", "address_too_long", "headers_too_large"),
    *("proof_failed", "issuers_busy", "identity_taken", "last_way_in", "too_many_identities"),  # of pages
}


def contents() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield every body, asked or answered, of every address that is ours."""
    for path, operations in openapi()["paths"].items():
        if not path.startswith(("/api/boards/", "/api/schema/")):
            for method, operation in operations.items():
                bodies = {**operation["responses"], "body": operation.get("requestBody", {})}
                for name, body in bodies.items():
                    if "application/json" in body.get("content", {}):
                        yield f"{method} {path} {name}", body["content"]["application/json"]


def test_the_document_is_complete_and_nothing_in_it_is_guessed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # A warning names its class; to look the line up as well takes a third of the time.
    monkeypatch.setattr(GENERATOR_STATS, "enable_trace_lineno", lambda: None)
    written = tmp_path / "openapi.json"
    call_command("spectacular", "--fail-on-warn", "--format", "openapi-json", "--file", str(written))
    # With `--validate`, this specification is read by a validator that takes three hundred times as long.
    specification = json.loads(Path(validation.__file__).with_name("openapi_3_1_schema.json").read_bytes())
    Draft202012Validator(specification).validate(json.loads(written.read_bytes()))


def test_every_body_has_examples_of_its_shape() -> None:
    for where, content in contents():
        assert content["examples"], where
        for example in content["examples"].values():
            validator_of(content["schema"]).validate(example["value"])


def test_every_refusal_is_documented_where_it_can_happen() -> None:
    shown = {example["value"].get("code") for _, content in contents() for example in content["examples"].values()}
    own = {kind.code for kind in refusals() if kind.__module__.startswith("games.")}
    assert own - NOT_OVER_REST <= shown


def test_every_example_of_a_refusal_is_of_its_kind() -> None:
    assert all(type(sample_of(kind)) is kind for kind in (*refusals(), *declared))


def test_every_operation_says_what_it_does_and_how_it_is_called() -> None:
    operations = [op for path in openapi()["paths"].values() for op in path.values()]
    names = [operation["operationId"] for operation in operations]
    assert len(names) == len(set(names))
    assert all(operation["summary"] and operation["description"] for operation in operations)


def test_no_length_is_said_of_a_number_in_an_address() -> None:
    for path, operations in openapi()["paths"].items():
        for operation in operations.values():
            for part in operation.get("parameters", ()):
                assert part["schema"].get("type") != "integer" or "minLength" not in part["schema"], path
