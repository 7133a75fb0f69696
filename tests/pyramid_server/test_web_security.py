from __future__ import annotations

import json
import re
from contextlib import closing
from datetime import UTC, datetime
from http.cookies import SimpleCookie
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from channels.testing import WebsocketCommunicator
from django.test import Client
from pytest_django import Settings

from games.accounts.guests import create_guest
from games.calendar.dailies import ensure_dailies
from games.keys.authentication import issue_ticket
from pyramid_server.asgi import application
from pyramid_server.handshakes import is_ours, may_use_cookies
from tests.authorisation.doors import routes

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
def test_no_cache_may_give_to_others_what_names_its_reader_or_sets_a_cookie() -> None:
    browser = Client()
    browser.force_login(create_guest("Quetzalcoatl").player)
    session = browser.cookies["sessionid"].value
    shared = set()
    for address in (f"/{route}" for route in routes() if "<" not in route and route != "account/sign-out/"):
        browser.cookies = SimpleCookie({"sessionid": session})
        answer: Any = browser.get(address)
        if not {"private", "no-store"} & {*answer["Cache-Control"].split(", ")}:
            assert not answer.cookies, address
            assert b"Quetzalcoatl" not in answer.getvalue(), address
            shared.add(address)
    assert "/feeds/results/" in shared


@pytest.mark.django_db
def test_the_static_files_of_the_api_page_are_served_from_here(client: Client) -> None:
    for path in re.findall(r'(?:src|href)="(/static/[^"]+)"', client.get("/api/docs/").text):
        with closing(client.get(path)) as answer:
            assert answer.status_code == 200, path


@pytest.mark.parametrize(
    ("host", "origin", "counts"),
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
        ("", "null", False),
    ],
)
def test_a_cookie_counts_from_our_own_pages_from_friends_and_from_clients_that_are_no_browser(
    settings: Settings, host: str, origin: str | None, counts: bool
) -> None:
    settings.CSRF_TRUSTED_ORIGINS = ["https://friend.example"]
    headers = {b"host": host} | ({} if origin is None else {b"origin": origin})
    assert may_use_cookies(headers) is counts


@pytest.mark.parametrize(
    "headers", [{b"host": "mallory.example", b"origin": "http://mallory.example"}, {b"host": ""}, {}]
)
def test_a_host_that_is_not_ours_is_refused(headers: dict[bytes, str]) -> None:
    assert not is_ours(headers)


@pytest.mark.parametrize("origin", [b"http://mallory.example", b"http://[", b"\xff", b"null"])
@pytest.mark.django_db(transaction=True)
async def test_mallorys_page_opens_no_socket_with_alices_cookie_but_with_a_ticket_of_its_own(origin: bytes) -> None:
    alice, _ = await sync_to_async(create_guest)("Alice"), await sync_to_async(ensure_dailies)(datetime.now(UTC))
    browser = Client()
    await sync_to_async(browser.force_login)(alice.player)
    cookie = (b"cookie", f"sessionid={browser.cookies['sessionid'].value}".encode())
    assert await first_word([cookie]) == "state"
    assert await first_word([cookie, (b"origin", b"http://localhost")]) == "state"
    assert await first_word([cookie, (b"origin", origin)]) == "closed with 4401"
    ticket = issue_ticket(alice.player)
    assert await first_word([(b"origin", origin)], f"?ticket={ticket}") == "state"
    token = (b"authorization", f"Bearer {alice.token}".encode())
    assert await first_word([(b"origin", origin), token]) == "state"


async def first_word(headers: list[tuple[bytes, bytes]], query: str = "") -> str:
    """Return the type of the first message of today's game, or how the socket is closed."""
    every = [(b"host", b"localhost"), *headers]
    client = WebsocketCommunicator(application, f"/ws/daily/standard/{query}", headers=every)
    assert (await client.connect())[0]
    said = await client.receive_output(10)
    await client.disconnect()
    return json.loads(said["text"])["type"] if "text" in said else f"closed with {said['code']}"


PLAIN = {"origin": "https://client.example"}
WANTED = {"access-control-request-method": "DELETE", "access-control-request-headers": "authorization, content-type"}


@pytest.mark.django_db
def test_a_page_of_another_site_may_use_the_api_with_a_token_and_reads_what_comes_back(client: Client) -> None:
    asked = client.options("/api/me/keys/0000/", headers=PLAIN | WANTED)
    assert asked["Access-Control-Allow-Origin"] == "*"
    assert "DELETE" in asked["Access-Control-Allow-Methods"]
    assert "authorization" in asked["Access-Control-Allow-Headers"]
    token = {"authorization": f"Bearer {create_guest('Alice').token}"}
    answer = client.get("/api/me/", headers=PLAIN | token)
    assert (answer.status_code, answer["Access-Control-Allow-Origin"]) == (200, "*")
    assert {"Location", "Retry-After", "ETag", "Idempotent-Replayed"} <= set(
        answer["Access-Control-Expose-Headers"].split(", ")
    )
    for refused in (client.get("/api/me/", headers=PLAIN), client.get("/api/nowhere/", headers=PLAIN)):
        assert refused["Access-Control-Allow-Origin"] == "*"


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/api/me/", "/", "/account/", "/admin/login/"])
def test_no_other_site_ever_reads_an_answer_to_a_cookie(client: Client, path: str) -> None:
    client.force_login(create_guest("Alice").player)
    for answer in (client.get(path, headers=PLAIN), client.options(path, headers=PLAIN | WANTED)):
        assert "Access-Control-Allow-Credentials" not in answer
        assert ("Access-Control-Allow-Origin" in answer) == path.startswith("/api/")


@pytest.mark.django_db
async def test_an_unknown_socket_address_is_refused_without_an_error() -> None:
    communicator = WebsocketCommunicator(application, "/ws/nowhere/", headers=[(b"host", b"localhost")])
    assert (await communicator.connect())[0] is False


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("path", ["/", "/rules/", "/admin/login/", "/nowhere/", "/metrics", "/metrics-of-what"])
def test_an_address_gets_so_many_pages_a_minute_and_then_a_sentence(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    monkeypatch.setitem(settings.PYRAMID_LIMITS, "pages", (3, 60))
    mallory, alice = Client(REMOTE_ADDR="2001:db8:1::1"), Client(REMOTE_ADDR="2001:db8:2::1")
    for _ in range(3):
        assert mallory.get(path).status_code != 429
    for address in ("2001:db8:1::1", "2001:db8:1::bad"):  # one subscriber
        refused = Client(REMOTE_ADDR=address).get(path)
        assert refused.status_code == 429
        assert 1 <= int(refused["Retry-After"]) <= 21
        assert "Too many pages" in refused.text
        assert '<a class="button" href="">Try again</a>' in refused.text
        assert "Content-Security-Policy" in refused
    assert mallory.get("/api/rules/").status_code == 200
    with closing(mallory.get("/static/games/icon.svg")) as file:
        assert file.status_code == 200
    assert alice.get(path).status_code != 429


def test_prometheus_reads_as_often_as_it_likes(db: None, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.PYRAMID_METRICS_TOKEN = "m" * 50
    monkeypatch.setitem(settings.PYRAMID_LIMITS, "pages", (1, 60))
    prometheus = Client(headers={"Authorization": f"Bearer {settings.PYRAMID_METRICS_TOKEN}"})
    assert [prometheus.get("/metrics").status_code for _ in range(3)] == [200, 200, 200]
    assert [prometheus.get("/metrics/").status_code for _ in range(2)] == [404, 429]


LOG_FILES = ["/tlog/checkpoint", "/tlog/keys", "/tlog/tile/0/000", "/tlog/tile/entries/x001/234.p/5"]


@pytest.mark.django_db(transaction=True)
def test_files_of_the_log_have_a_limit_of_their_own_in_which_pages_do_not_count(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(settings.PYRAMID_LIMITS, "pages", (2, 7200))
    monkeypatch.setitem(settings.PYRAMID_LIMITS, "log_files", (2 * len(LOG_FILES), 7200))
    auditor = Client(REMOTE_ADDR="2001:db8:1::1")
    assert [auditor.get("/rules/").status_code for _ in range(3)] == [200, 200, 429]
    assert 429 not in [auditor.get(path).status_code for path in 2 * LOG_FILES]
    for path in LOG_FILES:
        refused = auditor.get(path)
        assert refused.status_code == 429
        assert 0 < int(refused["Retry-After"]) <= 7200 / (2 * len(LOG_FILES)) + 1
    other = Client(REMOTE_ADDR="2001:db8:2::1")
    assert 429 not in [other.get(path).status_code for path in 2 * LOG_FILES]
    assert [other.get("/tlog/checkpoint").status_code, other.get("/rules/").status_code] == [429, 200]


def test_a_proof_of_the_log_counts_as_a_page(db: None, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(settings.PYRAMID_LIMITS, "pages", (1, 60))
    assert [Client().get("/tlog/proof/0").status_code for _ in range(2)] == [404, 429]
