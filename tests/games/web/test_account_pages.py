"""The account in a browser."""

from __future__ import annotations

from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from pytest_django.fixtures import Settings

from games.models import Player
from games.services.players import create_guest
from tests.games.web.test_pages import _Inline

PASSWORD = "correct horse battery"
CLAIM = {"handle": "carol", "display_name": "Carol", "password": PASSWORD, "token": ""}
SIGN_IN = {"handle": "carol", "password": PASSWORD}
ADDRESSES = ["/account/claim/", "/account/sign-in/"]


@pytest.fixture(autouse=True)
def _fast_hashes(settings: Settings, db: None) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


def said(response: Any) -> str:
    assert response.status_code == 200
    text: str = response.content.decode()
    return text


def test_someone_new_claims_an_account_and_is_signed_in(client: Client) -> None:
    assert client.post("/account/claim/", CLAIM)["Location"] == "/account/"
    page = said(client.get("/account/"))
    assert "Carol" in page
    assert "<code>carol</code>" in page
    assert client.get("/api/me/").json()["is_guest"] is False


def test_a_guest_brings_the_token_and_keeps_the_account(client: Client) -> None:
    guest = create_guest("Alice")
    client.post("/account/claim/", {**CLAIM, "token": guest.token})
    assert Player.objects.get().pk == guest.player.pk
    assert client.get("/account/").status_code == 200


@pytest.mark.parametrize(
    ("field", "value", "reason"),
    [
        ("handle", "Carol!", "A handle has 3 to 32"),
        ("handle", "admin", "is reserved"),
        ("handle", "taken", "is taken"),
        ("password", "short", "too short"),
        ("display_name", "a\u202eb", "Use printable characters only"),
        ("token", "nonsense", "No guest has this token"),
    ],
)
def test_a_claim_that_is_refused_says_why_and_leaves_nothing_behind(
    client: Client, field: str, value: str, reason: str
) -> None:
    taken = Player.objects.create(username="taken", display_name="Someone")
    page = said(client.post("/account/claim/", {**CLAIM, field: value}))
    assert reason in page
    assert 'role="alert"' in page
    assert PASSWORD not in page
    assert list(Player.objects.all()) == [taken]


def test_carol_signs_in_and_out(client: Client) -> None:
    client.post("/account/claim/", CLAIM)
    assert client.post("/account/sign-out/")["Location"] == "/"
    assert client.get("/account/")["Location"] == "/account/sign-in/"
    assert client.post("/account/sign-in/", SIGN_IN)["Location"] == "/account/"
    assert client.get("/account/sign-in/")["Location"] == "/account/"
    assert client.get("/account/claim/")["Location"] == "/account/"


def test_a_wrong_password_and_an_unknown_handle_get_the_same_page(client: Client) -> None:
    Client().post("/account/claim/", CLAIM)
    pages = {
        said(client.post("/account/sign-in/", {"handle": handle, "password": "wrong"})).replace(handle, "")
        for handle in ("carol", "nobody-at-all")
    }
    tokens = [page.split('csrfmiddlewaretoken" value="')[1].split('"')[0] for page in pages]
    assert len({page.replace(token, "") for page, token in zip(pages, tokens, strict=True)}) == 1
    assert "Wrong handle or password." in pages.pop()


def test_pages_and_api_count_attempts_together(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(settings.PYRAMID_LIMITS, "sign_in", (2, 3600))
    client.post("/account/sign-in/", SIGN_IN)
    client.post("/api/sign-in/", SIGN_IN, content_type="application/json")
    assert "Too many attempts" in said(client.post("/account/sign-in/", SIGN_IN))


def test_accounts_from_one_address_are_limited_like_guests(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(settings.PYRAMID_LIMITS, "guests", (1, 3600))
    client.post("/api/guests/", {}, content_type="application/json")
    assert "Too many attempts" in said(client.post("/account/claim/", CLAIM))


def test_the_name_is_changed_on_the_page_and_is_never_markup(client: Client) -> None:
    client.post("/account/claim/", CLAIM)
    client.post("/account/", {"display_name": "<b>Carol</b>"})
    assert "&lt;b&gt;Carol&lt;/b&gt;" in said(client.get("/account/"))
    assert Player.objects.get().display_name == "<b>Carol</b>"


@pytest.mark.parametrize("address", ["/account/", "/account/claim/", "/account/sign-in/", "/account/sign-out/"])
def test_a_page_of_another_site_changes_nothing(address: str) -> None:
    carol = Player.objects.create_user(username="carol", display_name="Carol", password=PASSWORD)
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(carol)
    assert browser.post(address, {**CLAIM, "display_name": "Mallory"}).status_code == 403
    assert Player.objects.get().display_name == "Carol"
    assert browser.get("/account/").status_code == 200


def test_signing_out_takes_a_button_not_a_link(client: Client) -> None:
    assert client.get("/account/sign-out/").status_code == 405


@pytest.mark.parametrize("address", ADDRESSES)
def test_forms_have_labels_and_nothing_inline_and_are_not_cached(client: Client, address: str) -> None:
    response = client.get(address)
    page, inline = said(response), _Inline()
    inline.feed(page)
    assert inline.found == []
    assert page.count("<label for=") == page.count("<input ") - 1  # all but the CSRF token
    assert "no-store" in response["Cache-Control"]
