from __future__ import annotations

import re
from contextlib import closing

import pytest
from channels.testing import WebsocketCommunicator
from django.test import Client
from pytest_django import Settings

from pyramid_server.asgi import application
from pyramid_server.origins import is_known

PAGES = ["/", "/api/docs/", "/api/schema/", "/admin/login/", "/nowhere", "/api/nowhere"]


@pytest.mark.django_db
@pytest.mark.parametrize("path", PAGES)
def test_every_answer_forbids_framing_sniffing_and_foreign_content(client: Client, path: str) -> None:
    answer = client.get(path)
    ours = "'self'" if path.startswith("/api") else "'none'"
    assert f"default-src {ours}" in answer["Content-Security-Policy"]
    assert "unsafe" not in answer["Content-Security-Policy"]
    assert answer["X-Frame-Options"] == "DENY"
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["Referrer-Policy"] == "same-origin"


@pytest.mark.django_db
def test_our_own_pages_may_load_nothing_inline_and_reach_only_our_own_socket(client: Client) -> None:
    policy = client.get("/")["Content-Security-Policy"]
    assert "connect-src 'self' ws://testserver;" in policy
    assert "connect-src 'self' wss://testserver;" in client.get("/", secure=True)["Content-Security-Policy"]
    assert "require-trusted-types-for 'script'" in policy
    assert "script-src 'self';" in policy
    assert "connect-src 'self';" in client.get("/", headers={"host": "mallory.example"})["Content-Security-Policy"]


@pytest.mark.parametrize("path", ["/api/docs/", "/admin/login/"])
@pytest.mark.django_db
def test_no_page_needs_what_the_content_policy_forbids(client: Client, path: str) -> None:
    page = client.get(path).text
    assert not re.search(r"<style|<script(?![^>]*\bsrc=)|\sstyle=|\son\w+=", page)
    assert not re.search(r"""(src|href)=["'](https?:)?//""", page)


@pytest.mark.django_db
def test_the_static_files_of_the_api_page_are_served_from_here(client: Client) -> None:
    for path in re.findall(r'(?:src|href)="([^"]+)"', client.get("/api/docs/").text):
        with closing(client.get(path)) as answer:
            assert answer.status_code == 200, path


@pytest.mark.parametrize(
    ("host", "origin", "known"),
    [
        ("localhost:8000", None, True),
        ("localhost:8000", "http://localhost:8000", True),
        ("localhost:8000", "https://localhost:8000", True),
        ("localhost:8000", "http://localhost:9000", False),
        ("localhost:8000", "http://mallory.example", False),
        ("localhost:8000", "http://localhost:8000.mallory.example", False),
        ("localhost:8000", "https://friend.example", True),
        ("localhost:8000", "http://friend.example", False),
        ("localhost:8000", "null", False),
        ("localhost:8000", "", False),
        ("mallory.example", "http://mallory.example", False),
        ("mallory.example", None, False),
        ("", "null", False),
    ],
)
def test_a_socket_is_opened_by_our_own_pages_by_friends_and_by_clients_that_are_no_browser(
    settings: Settings, host: str, origin: str | None, known: bool
) -> None:
    settings.CSRF_TRUSTED_ORIGINS = ["https://friend.example"]
    headers = {b"host": host} | ({} if origin is None else {b"origin": origin})
    assert is_known(headers) is known


@pytest.mark.parametrize("origin", [b"http://mallory.example", b"http://[", b"\xff"])
async def test_mallorys_page_cannot_open_a_socket_with_alices_cookie(origin: bytes) -> None:
    headers = [(b"host", b"localhost"), (b"origin", origin)]
    communicator = WebsocketCommunicator(application, "/ws/games/1/", headers=headers)
    assert (await communicator.connect())[0] is False


@pytest.mark.django_db
async def test_an_unknown_socket_address_is_refused_without_an_error() -> None:
    communicator = WebsocketCommunicator(application, "/ws/nowhere/", headers=[(b"host", b"localhost")])
    assert (await communicator.connect())[0] is False
