"""Requests that no client of ours makes, each of which was an error of the server on PostgreSQL once."""

from __future__ import annotations

import json
import stat
from pathlib import Path
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.test import Client

from games.keys.authentication import visitor_of
from games.players.models import Player
from pyramid_server.private_files import keep_private

pytestmark = pytest.mark.django_db


@pytest.fixture
def staff() -> Client:
    browser = Client(raise_request_exception=False)
    browser.force_login(Player.objects.create_superuser(username="staff", display_name="Staff"))
    return browser


@pytest.mark.parametrize("cookie", [r'"\000"', r'"a\000b"', "a\0b", r'"\377\000"'])
@pytest.mark.parametrize("name", ["sessionid", "csrftoken", "messages", "anything"])
def test_a_cookie_with_a_nul_is_refused(cookie: str, name: str) -> None:
    for path in ("/", "/api/me/", "/admin/"):
        response = Client(raise_request_exception=False).get(path, headers={"cookie": f"{name}={cookie}"})
        assert response.status_code == 400, path
    assert Client().get("/api/me/", headers={"cookie": f"{name}={cookie}"}).json()["code"] == "malformed_request"


@pytest.mark.parametrize(
    "address",
    [
        *("/%00", "/players/%00/", "/api/players/a%00b/statistics/", "/?q=%00", "/api/games/?before=%00"),
        *("/admin/games/player/%00/change/", "/admin/games/player/?q=%00", "/admin/games/game/?status__exact=%00"),
        *("/admin/games/player/?id=1%00", "/admin/login/?next=%00", "/admin/jsi18n/?%00=1"),
    ],
)
def test_an_address_with_a_nul_is_refused(staff: Client, address: str) -> None:
    assert staff.get(address).status_code == 400


@pytest.mark.parametrize("body", ["handle=a%00b&password=x", "handle=a\0b&password=x"])
@pytest.mark.parametrize("path", ["/account/sign-in/", "/admin/login/"])
def test_a_form_with_a_nul_is_refused(path: str, body: str) -> None:
    browser = Client(raise_request_exception=False)
    assert browser.post(path, body, content_type="application/x-www-form-urlencoded").status_code == 400


@pytest.mark.parametrize("key", [r'"\000"', "short", "x" * 5000, "ABCDEFGHIJ", r'"\101bcdefghijk"', "é" * 10])
def test_a_socket_with_a_made_up_session_is_nobodys(key: str) -> None:
    scope: dict[str, Any] = {"headers": [(b"cookie", f"sessionid={key}".encode())], "query_string": b""}
    assert async_to_sync(visitor_of)(scope).player is None


@pytest.mark.parametrize(
    "query", ["", "version=%0d%0aX:1", "version=2", "lang=%0d%0a", "lang=xx", "format=json", "page=%00a"]
)
def test_nothing_in_a_query_changes_the_schema(query: str) -> None:
    plain, asked = Client().get("/api/schema/"), Client(raise_request_exception=False).get(f"/api/schema/?{query}")
    if "%00" in query:
        assert asked.status_code == 400
        return
    assert asked.content == plain.content
    assert asked["Content-Type"] == "application/json"
    assert "X" not in asked


def test_the_schema_comes_as_the_kind_of_json_that_is_asked_for() -> None:
    for kind in ("application/json", "application/vnd.oai.openapi+json"):
        schema = Client().get("/api/schema/", headers={"accept": kind})
        assert schema["Content-Type"] == kind
        assert json.loads(schema.content)["openapi"] == "3.1.0"
    assert Client().get("/api/schema/", headers={"accept": "image/png"}).status_code == 406


@pytest.mark.parametrize("query", ["script=%0d%0aX:1", "version=%0d%0aX:1", "lang=%0d%0a", "script=1&x=<script>"])
def test_the_page_of_the_api_takes_any_query(query: str) -> None:
    response = Client(raise_request_exception=False).get(f"/api/docs/?{query}")
    assert response.status_code == 200
    assert b"<script>alert" not in response.content
    assert "X" not in response


@pytest.mark.parametrize("path", ["/api/docs/", "/api/schema/", "/api/me/", "/", "/admin/", "/health/live"])
@pytest.mark.parametrize("method", ["OPTIONS", "PUT", "DELETE", "TRACE", "POST"])
def test_no_method_is_an_error_of_the_server(path: str, method: str) -> None:
    assert Client(raise_request_exception=False).generic(method, path).status_code < 500


def test_an_sqlite_file_is_its_owners_alone(tmp_path: Path) -> None:
    database, log = tmp_path / "new.sqlite3", tmp_path / "new.sqlite3-wal"
    keep_private(database)
    assert stat.S_IMODE(database.stat().st_mode) == 0o600
    for file in (database, log):
        file.write_text("SQLite format 3 kept")
        file.chmod(0o644)
    keep_private(database)
    assert [stat.S_IMODE(file.stat().st_mode) for file in (database, log)] == [0o600, 0o600]
    assert database.read_text() == "SQLite format 3 kept"
    keep_private(tmp_path / "nowhere" / "new.sqlite3")
    assert not (tmp_path / "nowhere").exists()
    for too_long in (tmp_path / ("x" * 300), tmp_path / ("x" * 300) / "new.sqlite3"):
        keep_private(too_long)  # opening it explains


def test_a_file_that_is_no_database_keeps_its_mode_although_the_settings_name_it(tmp_path: Path) -> None:
    users = tmp_path / "passwd"
    users.write_text("root:x:0:0:root:/root:/bin/bash")
    users.chmod(0o644)
    keep_private(users)
    assert stat.S_IMODE(users.stat().st_mode) == 0o644
