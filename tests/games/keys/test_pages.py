"""The pages about the password, sessions and tokens."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from urllib.parse import urlencode

import pytest
import time_machine
from django.conf import settings
from django.test import Client

from games.accounts.accounts import forget_expired_sessions
from games.doors.scopes import Scope
from games.keys.models import BrowserSession
from games.players.models import Player
from tests.games.accounts.test_pages import said
from tests.games.conftest import PASSWORD
from tests.games.site.test_pages import _Inline

ANOTHER = "staple the horse to it"
CHANGE = {"password": PASSWORD, "new_password": ANOTHER}
PAGES = ["/account/keys/", "/account/password/"]

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("fast_hashes")]


def test_the_password_is_changed_and_the_browser_stays_signed_in(client: Client, carol: Player) -> None:
    elsewhere = Client()
    elsewhere.force_login(carol)
    assert client.post("/account/password/", CHANGE)["Location"] == "/account/"
    assert "Your password has been changed." in said(client.get("/account/"))
    assert elsewhere.get("/account/").status_code == 302
    assert Player.objects.get().check_password(ANOTHER)


@pytest.mark.parametrize(
    ("changed", "reason"),
    [({"password": "a guess"}, "This is not your password."), ({"new_password": "short"}, "too short")],
)
def test_a_change_that_is_refused_says_why_and_changes_nothing(
    client: Client, carol: Player, changed: dict[str, str], reason: str
) -> None:
    page = said(client.post("/account/password/", CHANGE | changed))
    assert reason in page
    assert PASSWORD not in page
    assert Player.objects.get().check_password(PASSWORD)


def test_a_token_is_made_and_shown_once(client: Client, carol: Player) -> None:
    made = client.post("/account/keys/", {"name": "<i>My bot</i>", "scopes": ["read", "play"]})
    (token,) = re.findall(r"<code>([0-9a-f]{64})</code>", said(made))
    assert "no-store" in made["Cache-Control"]
    again = said(client.get("/account/keys/"))
    assert token not in again
    assert "&lt;i&gt;My bot&lt;/i&gt;" in again
    assert Client().get("/api/me/", headers={"authorization": f"Bearer {token}"}).json()["handle"] == "carol"


def test_a_token_with_everything_changes_the_password_with_the_password_as_both_its_texts_say(
    client: Client, carol: Player
) -> None:
    page = said(client.get("/account/keys/"))
    assert "everything that you can. To change the password or the mail address" in page
    assert "with your password also password, mail address" in page
    made = said(client.post("/account/keys/", {"name": "My bot", "scopes": [*Scope]}))
    (token,) = re.findall(r"<code>([0-9a-f]{64})</code>", made)
    program = Client(headers={"authorization": f"Bearer {token}"})
    tried = [
        program.post("/api/me/password/", CHANGE | changed, content_type="application/json").status_code
        for changed in ({"password": "a guess"}, {})
    ]
    assert tried == [401, 200]


def test_what_mallory_is_asked_before_a_sign_in_is_kept_for_half_an_hour_and_the_session_of_carol_for_a_month(
    client: Client, carol: Player
) -> None:
    client.logout()
    for visitor in (Client(), Client(), client):
        visitor.post("/account/passkeys/options/", {"ceremony": "sign-in"}, headers={"host": "localhost"})
    assert BrowserSession.objects.count() == 3
    signed_in = client.post("/account/sign-in/", {"handle": "carol", "password": PASSWORD})
    assert int(signed_in.cookies["sessionid"]["max-age"]) == settings.SESSION_COOKIE_AGE
    with time_machine.travel(datetime.now(UTC) + timedelta(minutes=31)):
        forget_expired_sessions(datetime.now(UTC))
        assert BrowserSession.objects.get().player == carol
    with time_machine.travel(datetime.now(UTC) + timedelta(days=29)):
        assert client.get("/account/").status_code == 200


def test_another_session_is_ended_with_a_button_and_this_one_has_none(client: Client, carol: Player) -> None:
    elsewhere = Client()
    elsewhere.force_login(carol)
    (other,) = re.findall(r'name="end" value="(\w+)"', said(client.get("/account/keys/")))
    assert client.post("/account/keys/", {"end": other}).status_code == 303
    assert "It has ended." in said(client.get("/account/keys/"))
    client.post("/account/keys/", {"end": other})
    assert "It had already ended." in said(client.get("/account/keys/"))
    assert elsewhere.get("/account/").status_code == 302
    assert BrowserSession.objects.count() == 1


def test_mallory_ends_no_key_of_carol(client: Client, carol: Player, mallory: Player) -> None:
    elsewhere, evil = Client(), Client()
    elsewhere.force_login(carol)
    evil.force_login(mallory)
    (other,) = re.findall(r'name="end" value="(\w+)"', said(client.get("/account/keys/")))
    evil.post("/account/keys/", {"end": other})
    assert said(elsewhere.get("/account/"))


@pytest.mark.parametrize("address", PAGES)
def test_these_pages_are_for_whoever_is_signed_in_and_not_for_other_sites(
    client: Client, carol: Player, address: str
) -> None:
    assert Client().get(address)["Location"] == f"/account/sign-in/?{urlencode({'next': address})}"
    forging = Client(enforce_csrf_checks=True)
    forging.force_login(carol)
    assert forging.post(address, CHANGE | {"name": "x"}).status_code == 403
    response, inline = client.get(address), _Inline()
    inline.feed(said(response))
    assert inline.found == []
    assert "no-store" in response["Cache-Control"]


def test_a_guest_registers_before_there_is_a_password(client: Client, alice: Player) -> None:
    client.force_login(alice)
    assert client.get("/account/password/")["Location"] == "/account/claim/?next=%2Faccount%2Fpassword%2F"
