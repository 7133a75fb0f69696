"""Whatever is sent: a documented code, no traceback, nothing changed. The client checks that the code is documented."""

from __future__ import annotations

import json
import logging
from itertools import product
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


def require_refused(api: Api, path: str, field: str, values: list[Any], **others: object) -> None:
    """Fail unless each of the values is refused, and it alone."""
    for value in values:
        response = post_json(api, path, {**others, field: value})
        assert refusal(response) == INVALID, ascii(value)
        assert list(response.json()["fields"]) == [field], ascii(value)


def test_a_display_name_is_a_printable_text(anyone: Api) -> None:
    require_refused(anyone, "/api/guests/", "display_name", [*NO_TEXTS, "\n", "a\u202eb", "a\x1bb", "\u200b"])
    assert not Player.objects.exists()


def test_a_display_name_may_be_in_any_script(anyone: Api) -> None:
    for name in ("x" * 40, "Łódź 王 🂡", "O'Brien <b>"):
        assert post_json(anyone, "/api/guests/", {"display_name": name}).json()["player"]["display_name"] == name


def test_is_bot_is_true_or_false(anyone: Api) -> None:
    require_refused(anyone, "/api/guests/", "is_bot", ["true", "yes", 1, 0, None, [], "\ud800"])


def test_kind_and_rules_of_a_game_are_a_choice_of_two_and_a_short_text(as_alice: Api) -> None:
    require_refused(as_alice, "/api/games/", "kind", NO_CHOICES, rules="standard")
    require_refused(as_alice, "/api/games/", "rules", NO_TEXTS, kind="practice")
    assert not Game.objects.exists()


def test_a_version_is_a_number_that_a_version_can_be(as_alice: Api, alices_game: str) -> None:
    require_refused(as_alice, f"/api/games/{alices_game}/actions/", "version", NO_NUMBERS, action="D")
    require_refused(as_alice, f"/api/games/{alices_game}/resign/", "version", NO_NUMBERS)
    assert Game.objects.get().started_at is None


def test_an_action_is_a_short_text_with_a_number_that_a_clock_can_show(as_alice: Api, alices_game: str) -> None:
    path = f"/api/games/{alices_game}/actions/"
    require_refused(as_alice, path, "client_ms", ["0", 0.0, True, [], -1, 2**53], version=0, action="D")
    require_refused(as_alice, path, "action", [*NO_TEXTS, "D" * 17], version=0)
    assert not Move.objects.exists()


def test_a_body_is_an_object(as_alice: Api, alices_game: str) -> None:
    bodies: list[Any] = [[], "text", 1, None, True, [{"version": 0, "action": "D"}]]
    for path in ("guests", "games", f"games/{alices_game}/actions", f"games/{alices_game}/restart", "tickets"):
        for body in bodies:
            assert refusal(post_json(as_alice, f"/api/{path}/", body)) == INVALID, body


def test_a_field_that_nobody_knows_is_refused(as_alice: Api, alices_game: str) -> None:
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
        for field in ("colour", "", "\ud800", "\0", "x" * 5000, "Action"):
            assert refusal(post_json(as_alice, f"/api/{path}/", {**body, field: 1})) == INVALID, ascii(field)[:20]
    assert Game.objects.get().status == "playing"


def test_a_field_that_is_needed_is_missed_by_name(as_alice: Api, alices_game: str) -> None:
    for missing, body in {"version": {"action": "D"}, "action": {"version": 0}}.items():
        answer = as_alice.post(f"/api/games/{alices_game}/actions/", body)
        assert answer.json()["fields"] == {missing: ["This field is required."]}


def test_what_is_no_json_is_refused(as_alice: Api) -> None:
    for body in (
        b"{",
        b"\xff",
        b'{"kind": NaN}',
        b'{"kind": "daily", "kind": "practice"}',
        b"{'kind': 1}",
        b"\xef\xbb\xbf{}",
        '{"kind": "daily"}'.encode("utf-16"),
        b"[" * 60_000,
        b'{"a":' * 10_000,
        b'{"version": ' + b"9" * 5000 + b"}",
    ):
        assert refusal(as_alice.post_raw("/api/games/", body)) == MALFORMED, body[:16]
    assert refusal(as_alice.post_raw("/api/games/", b"")) == INVALID


def test_json_is_read_as_utf_8_whatever_charset_is_claimed(as_alice: Api) -> None:
    for charset in ("rot13", "zlib", "utf-16", "idna", "undefined", "nonsense"):
        kind = f"application/json; charset={charset}"
        body = b'{"kind": "practice", "rules": "standard"}'
        assert as_alice.post_raw("/api/games/", body, kind).status_code == 201, charset
        # Over ASGI, as the server runs: with WSGI, Django itself cannot read a query in some of these.
        address = "/api/daily/history/?before=2026-01-01"
        assert async_to_sync(AsyncClient().get)(address, headers={"content-type": kind}).status_code == 200, charset


def test_deep_nesting_is_refused_at_any_depth(as_alice: Api, alices_game: str) -> None:
    fields = ("display_name", "kind", "version", "action")
    for path, field, depth in product(("guests", "games", f"games/{alices_game}/actions"), fields, (100, 400, 900)):
        body = f'{{"{field}": {"[" * depth + "]" * depth}}}'.encode()
        assert as_alice.post_raw(f"/api/{path}/", body).status_code == 400, (path, field, depth)


def test_a_body_that_is_no_json_is_not_read(as_alice: Api) -> None:
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "a/" * 200):
        assert refusal(as_alice.post_raw("/api/games/", b"kind=daily", kind)) == (415, "unsupported_media_type"), kind


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


def test_a_query_is_read_as_strictly_as_a_body(as_alice: Api) -> None:
    for query in ("before=&before", "after=1", "before=" + "0" * 16, "before=x&before=2026-11-20"):
        assert refusal(as_alice.get(f"/api/games/?{query}")) == INVALID, query
        assert refusal(as_alice.get(f"/api/daily/history/?{query}")) == INVALID, query


def test_a_game_that_there_is_not_is_unknown(as_alice: Api) -> None:
    for game in ("0" * 12, "x", "A" * 200, "-"):
        for path in ("", "record/", "state/"):
            assert refusal(as_alice.get(f"/api/games/{game}/{path}")) == (404, "unknown_game"), game
        assert refusal(as_alice.act(game, 0, "D")) == (404, "unknown_game"), game


def test_an_address_that_there_is_not_answers_in_the_same_shape(anyone: Api) -> None:
    for path in ("", "games/a b/", "games/%ED%A0%80/", "rules/a/b/"):
        assert refusal(anyone.get(f"/api/{path}")) == (404, "not_found"), path


def test_other_methods_are_refused(as_alice: Api, alices_game: str) -> None:
    paths = ("guests/", "games/", f"games/{alices_game}/", f"games/{alices_game}/actions/")
    for method, path in product(("put", "patch", "delete", "options"), paths):
        assert refusal(getattr(as_alice, method)(f"/api/{path}")) == (405, "method_not_allowed"), (method, path)


def test_a_method_that_is_not_there_is_no_matter_of_signing_in(anyone: Api) -> None:
    for path in ("daily/", "boards/", "me/", "games/"):
        answer = anyone.delete(f"/api/{path}")
        assert refusal(answer) == (405, "method_not_allowed"), path
        assert "GET" in answer["Allow"], path


def test_an_answer_that_is_no_json_is_not_to_be_had(as_alice: Api) -> None:
    assert refusal(as_alice.get("/api/me/", HTTP_ACCEPT="image/png")) == (406, "not_acceptable")


def test_bad_input_leaves_no_traceback(as_alice: Api, alices_game: str, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        for body in (b"[" * 60_000, b"\xff", b"{}", b'{"version": 0, "action": "\\ud800"}'):
            as_alice.post_raw(f"/api/games/{alices_game}/actions/", body)
    assert not [record for record in caplog.records if record.exc_info or record.levelno >= logging.ERROR]
