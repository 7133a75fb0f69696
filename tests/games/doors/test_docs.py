"""docs/rest-api.md, docs/leaderboards.md and docs/errors.md say what the code does."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import msgspec
import pytest
from django.apps import apps
from django.conf import settings
from django.test import Client, RequestFactory, override_settings
from pytest_django.live_server_helper import LiveServer

from games.doors.refusals import Declaration, Refusal, declared, refusals, sample_of
from games.doors.rest.errors import PROBLEM, body_for, body_of
from games.play import examples
from games.play.models import Game
from games.rules import IllegalMove, Record
from tests.games.api import openapi

pytestmark = pytest.mark.usefixtures("clock")

DOCS = Path(settings.BASE_DIR) / "docs"
PAGE = (DOCS / "rest-api.md").read_text()
ERRORS = (DOCS / "errors.md").read_text()
GO_WITHOUT_SAYING = {
    *("not_acceptable", "too_many_requests", "unavailable", "bad_credentials", "not_signed_in"),
    *("invalid_request", "malformed_request", "unsupported_media_type", "message_too_large", "forbidden"),
    *("not_found", "missing_scope"),
}


def documented_codes() -> dict[str, int]:
    _, *sections = re.split(r"^## (?=\d)", ERRORS, flags=re.MULTILINE)
    return {
        code: int(section[:3]) for section in sections for code in re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE)
    }


def documented_addresses() -> dict[str, tuple[str, set[str]]]:
    pages = PAGE + (DOCS / "leaderboards.md").read_text()
    rows = re.findall(r"^\| `([A-Z]+ /api/\S+)` \| (\w+) \| .* \|([^|]*)\|$", pages, re.MULTILINE)
    return {address: (who, set(re.findall(r"\w+", codes))) for address, who, codes in rows}


def blocks(language: str, page: str = PAGE) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)


def test_the_table_of_codes_is_the_table_of_codes() -> None:
    own = [kind for kind in refusals() if apps.get_containing_app_config(kind.__module__)]
    kinds: list[type[Refusal] | Declaration] = [*own, *declared.values()]
    expected = {kind.code: int(kind.status) for kind in kinds}
    assert documented_codes() == expected


def test_every_address_is_there_with_every_code_it_refuses_with() -> None:
    expected = {}
    for path, operations in openapi()["paths"].items():
        if path != "/api/schema/":
            for method, operation in operations.items():
                codes = codes_of(operation)
                # Only those who are signed in follow others, but everyone reads the same tables.
                narrows = "following" in {parameter["name"] for parameter in operation.get("parameters", ())}
                who = "players" if "not_signed_in" in codes and not narrows else "everyone"
                expected[f"{method.upper()} {path}"] = who, codes - GO_WITHOUT_SAYING
    assert documented_addresses() == expected


def codes_of(operation: dict[str, Any]) -> set[str]:
    contents = [body.get("content", {}) for body in operation["responses"].values()]
    bodies = [content["application/json"] for content in contents if "application/json" in content]
    shown = [example for body in bodies for example in body["examples"].values()]
    return {example["value"]["code"] for example in shown if "code" in example["value"]}


def test_the_page_names_codes_that_can_come_anywhere_and_stand_at_no_operation() -> None:
    named = re.findall(r"`(\w+)`", re.findall(r"but five that can come(.*?)\. Cards", PAGE, re.DOTALL)[0])
    operations = [one for operations in openapi()["paths"].values() for one in operations.values()]
    assert {*named} <= {*documented_codes()}.difference(*map(codes_of, operations))
    assert len(named) == 5


def test_what_leads_to_the_next_page_is_a_cursor_where_one_is_taken_and_else_an_address() -> None:
    pages = []
    for operations in openapi()["paths"].values():
        for operation in operations.values():
            answer = operation["responses"].get("200", {}).get("content", {}).get("application/json", {})
            kind = answer.get("schema", {}).get("$ref", "").rpartition("/")[2]
            following = openapi()["components"]["schemas"].get(kind, {}).get("properties", {}).get("next")
            if following is not None:
                takes_cursor = "cursor" in {parameter["name"] for parameter in operation.get("parameters", ())}
                pages.append(takes_cursor)
                assert takes_cursor != ("uri-reference" in json.dumps(following)), operation["operationId"]
    assert set(pages) == {True, False}


@pytest.mark.django_db(transaction=True)
def test_only_the_addresses_that_the_page_names_look_at_no_token(client: Client) -> None:
    named = re.findall(r"(/api/\S+?)`", re.findall(r"cookie; only(.*?)look at no token", PAGE, re.DOTALL)[0])
    for path, operations in openapi()["paths"].items():
        if path != "/api/schema/":
            assert all(bool(one.get("security")) != (path in named) for one in operations.values()), path
    for path in named:
        assert (
            client.post(path, "{}", "application/json", headers={"authorization": "Bearer nobody"}).status_code != 401
        )


def test_the_shapes_shown_are_real_answers() -> None:
    state, action, played = map(json.loads, blocks("json"))
    error, problem = map(json.loads, blocks("json", ERRORS))
    assert state == msgspec.to_builtins(examples.STATE)
    assert action == {"version": played["version"] - 1, "action": played["move"]}
    assert played == msgspec.to_builtins(examples.ACTION_TAKEN)
    assert error == body_of(sample_of(IllegalMove))
    accepts = RequestFactory().get("/", headers={"accept": PROBLEM, "host": "pyramid.example"}, secure=True)
    with override_settings(ALLOWED_HOSTS=["pyramid.example"]):
        assert problem == body_for(error, 409, accepts)[0]


@pytest.mark.django_db(transaction=True)
def test_the_game_in_nine_lines_of_shell_is_played(live_server: LiveServer) -> None:
    (script,) = blocks("sh")
    assert len(script.splitlines()) == 9
    script = script.replace("http://127.0.0.1:8000", live_server.url).replace("curl -s", "curl -sSf")
    shell = ["/bin/bash", "-euo", "pipefail", "-c", script]
    said = subprocess.run(shell, check=False, capture_output=True, text=True, timeout=180)
    assert (said.returncode, said.stderr) == (0, "")
    game = Game.objects.get()
    assert (game.player.display_name, game.status, game.moves) == ("Ada", "resigned", 2)
    record = Record.from_text(said.stdout[said.stdout.index("[Game") :])
    assert [timed.action.text for timed in record.actions] == ["D", "U"]
