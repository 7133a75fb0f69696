"""Whatever is sent: a documented code, no traceback, nothing changed. The client checks that the code is documented."""

from __future__ import annotations

import json
import logging
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.test import AsyncClient
from rest_framework.exceptions import ValidationError

from games.doors.rest.inputs import read_query
from games.doors.wire import Input
from games.play.models import Game, Move
from games.players.models import Player
from tests.games.api import Api, refusal

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("clock")]

INVALID, MALFORMED = (400, "invalid_request"), (400, "malformed_request")
NO_TEXTS: list[Any] = [1, 1.5, True, None, [], {}, [[]], {"a": 1}, "", " ", "a\0b", "\ud800", "x" * 100, 10**400]
NO_NUMBERS: list[Any] = ["0", "", 0.0, 0.5, True, None, [], {}, -1, 2**31, 2**53, 10**400, 1e308]
NO_CHOICES: list[Any] = ["Daily", "weekly", "\udfff", "", 0, True, None, ["daily"], {"daily": 1}]


def post_json(api: Api, path: str, body: object) -> Any:
    """Send what the client's own encoder would not: any JSON there is, lone surrogates escaped."""
    return api.post_raw(path, json.dumps(body).encode())


@pytest.mark.parametrize("name", [*NO_TEXTS, "\n", "a\u202eb", "a\x1bb", "\u200b"], ids=ascii)
def test_a_display_name_is_a_printable_text(anyone: Api, name: object) -> None:
    response = post_json(anyone, "/api/guests/", {"display_name": name})
    assert refusal(response) == INVALID
    assert list(response.json()["fields"]) == ["display_name"]
    assert not Player.objects.exists()


@pytest.mark.parametrize("name", ["x" * 40, "Łódź 王 🂡", "O'Brien <b>"])
def test_a_display_name_may_be_in_any_script(anyone: Api, name: str) -> None:
    assert post_json(anyone, "/api/guests/", {"display_name": name}).json()["player"]["display_name"] == name


@pytest.mark.parametrize("is_bot", ["true", "yes", 1, 0, None, [], "\ud800"], ids=ascii)
def test_is_bot_is_true_or_false(anyone: Api, is_bot: object) -> None:
    assert refusal(post_json(anyone, "/api/guests/", {"is_bot": is_bot})) == INVALID


@pytest.mark.parametrize("kind", NO_CHOICES, ids=ascii)
def test_a_kind_of_game_is_one_of_two(as_alice: Api, kind: object) -> None:
    response = post_json(as_alice, "/api/games/", {"kind": kind, "rules": "standard"})
    assert refusal(response) == INVALID
    assert list(response.json()["fields"]) == ["kind"]


@pytest.mark.parametrize("rules", NO_TEXTS, ids=ascii)
def test_rules_are_a_short_text(as_alice: Api, rules: object) -> None:
    assert refusal(post_json(as_alice, "/api/games/", {"kind": "practice", "rules": rules})) == INVALID
    assert not Game.objects.exists()


@pytest.mark.parametrize("version", NO_NUMBERS, ids=str)
def test_a_version_is_a_number_that_a_version_can_be(as_alice: Api, alices_game: str, version: object) -> None:
    for path, body in (("actions", {"version": version, "action": "D"}), ("resign", {"version": version})):
        response = post_json(as_alice, f"/api/games/{alices_game}/{path}/", body)
        assert refusal(response) == INVALID
        assert list(response.json()["fields"]) == ["version"]
    assert Game.objects.get().started_at is None


@pytest.mark.parametrize("client_ms", ["0", 0.0, True, [], -1, 2**53], ids=str)
def test_client_ms_is_a_number_that_a_clock_can_show(as_alice: Api, alices_game: str, client_ms: object) -> None:
    body = {"version": 0, "action": "D", "client_ms": client_ms}
    assert refusal(post_json(as_alice, f"/api/games/{alices_game}/actions/", body)) == INVALID


@pytest.mark.parametrize("action", [*NO_TEXTS, "D" * 17], ids=ascii)
def test_an_action_is_a_short_text(as_alice: Api, alices_game: str, action: object) -> None:
    body = {"version": 0, "action": action}
    assert refusal(post_json(as_alice, f"/api/games/{alices_game}/actions/", body)) == INVALID
    assert not Move.objects.exists()


@pytest.mark.parametrize("body", [[], "text", 1, None, True, [{"version": 0, "action": "D"}]], ids=str)
def test_a_body_is_an_object(as_alice: Api, alices_game: str, body: object) -> None:
    for path in ("guests", "games", f"games/{alices_game}/actions", f"games/{alices_game}/restart", "tickets"):
        assert refusal(post_json(as_alice, f"/api/{path}/", body)) == INVALID


@pytest.mark.parametrize(
    "field", ["colour", "", "\ud800", "\0", "x" * 5000, "Action"], ids=lambda text: ascii(text)[:20]
)
def test_a_field_that_nobody_knows_is_refused(as_alice: Api, alices_game: str, field: str) -> None:
    bodies: dict[str, dict[str, object]] = {
        "guests": {},
        "tickets": {},
        "games": {"kind": "practice", "rules": "standard"},
        f"games/{alices_game}/actions": {"version": 0, "action": "D"},
        f"games/{alices_game}/resign": {"version": 0},
        f"games/{alices_game}/restart": {},
        "deals/000000000000/games": {},
    }
    for path, body in bodies.items():
        assert refusal(post_json(as_alice, f"/api/{path}/", {**body, field: 1})) == INVALID
    assert Game.objects.get().status == "playing"


@pytest.mark.parametrize("missing", ["version", "action"])
def test_a_field_that_is_needed_is_missed_by_name(as_alice: Api, alices_game: str, missing: str) -> None:
    body = {name: value for name, value in {"version": 0, "action": "D"}.items() if name != missing}
    assert as_alice.post(f"/api/games/{alices_game}/actions/", body).json()["fields"] == {
        missing: ["This field is required."]
    }


@pytest.mark.parametrize(
    "body",
    [
        b"{",
        b"",
        b"\xff",
        b'{"kind": NaN}',
        b'{"kind": "daily", "kind": "practice"}',
        b"{'kind': 1}",
        b"\xef\xbb\xbf{}",
        '{"kind": "daily"}'.encode("utf-16"),
        b"[" * 60_000,
        b'{"a":' * 10_000,
        b'{"version": ' + b"9" * 5000 + b"}",
    ],
    ids=lambda body: repr(body[:16]),
)
def test_what_is_no_json_is_refused(as_alice: Api, body: bytes) -> None:
    response = as_alice.post_raw("/api/games/", body)
    assert refusal(response) == (MALFORMED if body else INVALID)


@pytest.mark.parametrize("charset", ["rot13", "zlib", "utf-16", "idna", "undefined", "nonsense"])
def test_json_is_read_as_utf_8_whatever_charset_is_claimed(as_alice: Api, charset: str) -> None:
    kind = f"application/json; charset={charset}"
    body = b'{"kind": "practice", "rules": "standard"}'
    assert as_alice.post_raw("/api/games/", body, kind).status_code == 201
    # Over ASGI, as the server runs: with WSGI, Django itself cannot read a query in some of these.
    answer = async_to_sync(AsyncClient().get)("/api/daily/history/?before=2026-01-01", headers={"content-type": kind})
    assert answer.status_code == 200


@pytest.mark.parametrize("depth", [100, 400, 900])
@pytest.mark.parametrize("path", ["guests", "games", "games/{}/actions"])
def test_deep_nesting_is_refused_at_any_depth(as_alice: Api, alices_game: str, path: str, depth: int) -> None:
    deep = "[" * depth + "]" * depth
    for field in ("display_name", "kind", "version", "action"):
        body = f'{{"{field}": {deep}}}'.encode()
        response = as_alice.post_raw(f"/api/{path.format(alices_game)}/", body)
        assert response.status_code == 400


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "a/" * 200])
def test_a_body_that_is_no_json_is_not_read(as_alice: Api, kind: str) -> None:
    assert refusal(as_alice.post_raw("/api/games/", b"kind=daily", kind)) == (415, "unsupported_media_type")


def test_an_endless_body_is_not_read(as_alice: Api) -> None:
    response = post_json(as_alice, "/api/games/", {"kind": "practice", "rules": "x" * 70_000})
    assert refusal(response) == (413, "message_too_large")
    assert "at most 65536 bytes" in response.json()["message"]


class YesOrNo(Input, frozen=True):
    verified: bool


@pytest.mark.parametrize("text", ["1", "0", "True", "TRUE", "t", "yes", "on", ""])
def test_yes_or_no_in_a_query_is_true_or_false(text: str) -> None:
    with pytest.raises(ValidationError, match="Neither true nor false"):
        read_query(YesOrNo, {"verified": text})
    assert [read_query(YesOrNo, {"verified": word}).verified for word in ("true", "false")] == [True, False]


@pytest.mark.parametrize("query", ["before=&before", "after=1", "before=" + "0" * 16, "before=x&before=2026-11-20"])
def test_a_query_is_read_as_strictly_as_a_body(as_alice: Api, query: str) -> None:
    assert refusal(as_alice.get(f"/api/games/?{query}")) == INVALID
    assert refusal(as_alice.get(f"/api/daily/history/?{query}")) == INVALID


@pytest.mark.parametrize("game", ["0" * 12, "x", "A" * 200, "-"])
def test_a_game_that_there_is_not_is_unknown(as_alice: Api, game: str) -> None:
    for path in ("", "record/", "state/"):
        assert refusal(as_alice.get(f"/api/games/{game}/{path}")) == (404, "unknown_game")
    assert refusal(as_alice.act(game, 0, "D")) == (404, "unknown_game")


@pytest.mark.parametrize("path", ["", "games/a b/", "games/%ED%A0%80/", "rules/a/b/"])
def test_an_address_that_there_is_not_answers_in_the_same_shape(anyone: Api, path: str) -> None:
    assert refusal(anyone.get(f"/api/{path}")) == (404, "not_found")


@pytest.mark.parametrize("method", ["put", "patch", "delete", "options"])
def test_other_methods_are_refused(as_alice: Api, alices_game: str, method: str) -> None:
    for path in ("guests/", "games/", f"games/{alices_game}/", f"games/{alices_game}/actions/"):
        assert refusal(getattr(as_alice, method)(f"/api/{path}")) == (405, "method_not_allowed")


@pytest.mark.parametrize("path", ["daily/", "boards/", "me/", "games/"])
def test_a_method_that_is_not_there_is_no_matter_of_signing_in(anyone: Api, path: str) -> None:
    answer = anyone.delete(f"/api/{path}")
    assert refusal(answer) == (405, "method_not_allowed")
    assert "GET" in answer["Allow"]


def test_an_answer_that_is_no_json_is_not_to_be_had(as_alice: Api) -> None:
    assert refusal(as_alice.get("/api/me/", HTTP_ACCEPT="image/png")) == (406, "not_acceptable")


def test_bad_input_leaves_no_traceback(as_alice: Api, alices_game: str, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        for body in (b"[" * 60_000, b"\xff", b"{}", b'{"version": 0, "action": "\\ud800"}'):
            as_alice.post_raw(f"/api/games/{alices_game}/actions/", body)
    assert not [record for record in caplog.records if record.exc_info or record.levelno >= logging.ERROR]
