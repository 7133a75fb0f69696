"""The account in a browser."""

from __future__ import annotations

import html
import re
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import urlencode

import pytest
import time_machine
from django.conf import settings
from django.test import Client

from games.accounts.accounts import sign_out
from games.accounts.guests import create_guest
from games.keys.authentication import issue_ticket
from games.players.models import Player
from tests.games.conftest import PASSWORD
from tests.games.site.test_pages import _Inline

CLAIM = {"handle": "carol", "display_name": "Carol", "password": PASSWORD}
SIGN_IN = {"handle": "carol", "password": PASSWORD}
ADDRESSES = ["/account/claim/", "/account/sign-in/"]

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("fast_hashes")]


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


def test_a_handle_and_a_password_are_enough(client: Client) -> None:
    client.post("/account/claim/", SIGN_IN)
    assert Player.objects.get().display_name == "carol"


def ask_for_link(token: str) -> Any:
    key = {"authorization": f"Bearer {token}"}
    return Client().post("/api/me/claim-link/", content_type="application/json", headers=key)


def link_of(token: str) -> str:
    response = ask_for_link(token)
    address: str = response.json()["url"]
    assert address.startswith("http://testserver/account/claim/")
    return address.removeprefix("http://testserver")


def test_a_guest_of_a_program_is_claimed_from_a_page_by_a_link_once(client: Client) -> None:
    guest = create_guest("Alice")
    first, second = link_of(guest.token), link_of(guest.token)
    page = said(client.get(first))
    assert "A program created this account, Alice." in page
    assert guest.token not in page
    assert client.post(first, CLAIM)["Location"] == "/account/"
    assert Player.objects.get().pk == guest.player.pk
    assert client.get("/api/me/").json()["handle"] == "carol"
    for used in (first, second):
        ended = client.post(used, {**CLAIM, "handle": "mallory"})
        assert (ended.status_code, "This link has expired" in ended.text) == (404, True)
    ended = ask_for_link(guest.token)
    assert (ended.status_code, ended.json()["code"]) == (401, "bad_credentials"), "the program's token has ended"


def test_bob_who_plays_as_another_guest_reads_that_a_link_leaves_that_one_behind(client: Client) -> None:
    link, bob = link_of(create_guest("Alice").token), create_guest("Bob").player
    assert "games stay behind" not in said(client.get(link))
    client.force_login(bob)
    assert "games stay behind" in said(client.get(link))
    assert "games stay behind" not in said(client.get("/account/claim/"))


def test_a_link_ends_in_time_and_with_the_keys_of_the_guest(client: Client) -> None:
    guest = create_guest("Alice")
    link = link_of(guest.token)
    with time_machine.travel(datetime.now(UTC) + timedelta(minutes=16)):
        assert client.get(link).status_code == 404
    assert client.get(link).status_code == 200
    sign_out(guest.player, None, everywhere=True)
    assert client.get(link).status_code == 404


@pytest.mark.parametrize("link", ["nonsense", "a:b:c", "W10:1:1", "%C3%A4", "x" * 500])
def test_a_made_up_link_opens_nothing(client: Client, link: str) -> None:
    assert client.get(f"/account/claim/{link}/").status_code == 404


def test_whoever_sees_a_ticket_or_a_sealed_cookie_cannot_make_a_link_of_it(client: Client) -> None:
    guest = create_guest("Alice")
    assert client.get(f"/account/claim/{issue_ticket(guest.player)}/").status_code == 404


@pytest.mark.parametrize(
    ("field", "value", "reason"),
    [
        ("handle", "Carol!", "A handle has 3 to 32"),
        ("handle", "admin", "is reserved"),
        ("handle", "taken", "is taken"),
        ("password", "short", "too short"),
        ("display_name", "a\u202eb", "Use printable characters only"),
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
    assert client.get("/account/")["Location"] == "/account/sign-in/?next=%2Faccount%2F"
    assert client.post("/account/sign-in/", SIGN_IN)["Location"] == "/account/"
    assert client.get("/account/sign-in/")["Location"] == "/account/"
    assert client.get("/account/claim/")["Location"] == "/account/"


def test_a_tab_that_is_open_when_carol_signs_out_in_another_makes_her_no_guest() -> None:
    browser = Client(enforce_csrf_checks=True)

    def mark_of(address: str) -> str:
        marks: list[str] = re.findall(r'name="csrfmiddlewaretoken" value="(\w+)"', said(browser.get(address)))
        return marks[0]

    browser.post("/account/claim/", CLAIM | {"csrfmiddlewaretoken": mark_of("/account/claim/")})
    tab = {"rules": "standard", "csrfmiddlewaretoken": mark_of("/practice/")}
    browser.post("/account/sign-out/", {"csrfmiddlewaretoken": mark_of("/account/")})
    assert browser.post("/practice/", tab).status_code == 403
    assert Player.objects.count() == 1
    assert browser.post("/practice/", tab | {"csrfmiddlewaretoken": mark_of("/practice/")}).status_code == 303


def address_to_sign_in(page: str) -> str:
    return html.unescape(re.findall(r'class="who" href="([^"]+)"', page)[0])


def onward_in(page: str) -> str:
    return html.unescape(re.findall(r'name="next" value="([^"]+)"', page)[0])


@pytest.mark.parametrize("way", ["sign-in", "claim"])
def test_who_signs_in_or_registers_comes_back_to_the_page_they_came_from(client: Client, way: str) -> None:
    if way == "sign-in":
        Client().post("/account/claim/", CLAIM)
    page = said(client.get("/rules/standard/"))
    form = said(client.get(address_to_sign_in(page)))
    if way == "claim":
        form = said(client.get(re.findall(r'href="(/account/claim/[^"]+)"', form)[0]))
    assert address_to_sign_in(form) == "/account/sign-in/"
    answer = client.post(f"/account/{way}/", CLAIM | {"next": onward_in(form)})
    assert answer["Location"] == "/rules/standard/"


@pytest.mark.parametrize(
    "elsewhere", ["https://mallory.example/", "//mallory.example/", r"/\mallory.example/", "javascript:alert(1)"]
)
def test_signing_in_leads_to_no_other_site(client: Client, elsewhere: str) -> None:
    address = f"/account/sign-in/?{urlencode({'next': elsewhere})}"
    assert 'name="next"' not in said(client.get(address))
    client.post("/account/claim/", CLAIM)
    assert Client().post(address, SIGN_IN | {"next": elsewhere})["Location"] == "/account/"


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


@pytest.mark.django_db(transaction=True)
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
