"""On a server without passwords nothing takes one, but for the admin, where staff keeps its way in."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from django.contrib.auth import authenticate
from django.core import checks
from django.test import Client, RequestFactory
from pytest_django import Settings

from games.accounts.accounts import Wanted, create_account
from games.doors.commands import SETTINGS
from games.identities.issuers import Issuer
from games.identities.models import Identity
from games.players.models import Player
from tests.games.api import Api
from tests.games.conftest import PASSWORD
from tests.games.identities.device import Device
from tests.games.identities.test_passkeys import HOST, make, register, use
from tests.games.identities.test_ways_in import DANGEROUS, WAYS

pytestmark = pytest.mark.django_db


@pytest.fixture
def bob(fast_hashes: None) -> Player:
    """Bob registered while there were passwords."""
    return create_account(Wanted("bob", None, PASSWORD), RequestFactory().get("/"), datetime.now(UTC))


@pytest.fixture(autouse=True)
def _no_passwords(bob: Player, settings: Settings) -> None:
    settings.PYRAMID_PASSWORDS = False
    settings.PYRAMID_SENDS_MAIL = True


REQUESTS: dict[str, dict[str, Any]] = {
    "/api/sign-in/": {"handle": "bob", "password": PASSWORD},
    "/api/register/": {"handle": "carol", "password": PASSWORD},
    "/api/me/claim/": {"handle": "carol", "password": PASSWORD},
    "/api/me/password/": {"password": PASSWORD, "new_password": "another correct horse"},
    "/api/password-reset/": {"email": "bob@example.org"},
    "/api/me/claim-link/": {},
}


@pytest.mark.parametrize(("address", "asked"), REQUESTS.items(), ids=REQUESTS)
def test_programs_are_refused(alice: Player, bob: Player, address: str, asked: dict[str, Any]) -> None:
    reader = bob if "new_password" in asked else alice
    if "new_password" in asked:
        client = Client()
        client.force_login(reader)
        session = client.session
        session["confirmed"] = datetime.now(UTC).timestamp()
        session.save()
        answer: Any = client.post(address, asked, content_type="application/json")
    else:
        answer = Api(reader).post(address, asked)
    assert answer.status_code == 403, answer.content
    assert answer.json()["code"] == "passwords_off"


def test_no_page_asks_visitors_for_a_password(client: Client) -> None:
    for address in ("/account/sign-in/", "/account/claim/"):
        page = client.get(address, HTTP_HOST=HOST).content.decode()
        assert 'type="password"' not in page
        assert "passkey" in page
        assert "/account/reset/" not in page


def test_pages_about_passwords_say_that_there_are_none(client: Client, bob: Player) -> None:
    client.force_login(bob)
    for address in ("/account/password/", "/account/reset/", "/account/reset/MQ/x-y/"):
        page = client.get(address)
        assert page.status_code == 403
        assert "Nobody signs in with a password here." in page.content.decode()
        assert "<input" not in page.content.decode().partition("<main")[2]


def test_a_form_that_is_sent_all_the_same_opens_nothing_and_makes_nothing(client: Client) -> None:
    sent = client.post("/account/sign-in/", {"handle": "bob", "password": PASSWORD})
    assert "Nobody signs in with a password here." in sent.content.decode()
    client.post("/account/claim/", {"handle": "carol", "password": PASSWORD})
    assert client.get("/api/me/").status_code == 401
    assert not Player.objects.filter(username="carol").exists()


def test_staff_comes_into_the_admin_with_a_password_and_players_do_not(client: Client, bob: Player) -> None:
    asked = {"username": "bob", "password": PASSWORD}
    assert client.post("/admin/login/", asked).status_code == 200
    assert client.get("/api/me/").status_code == 401
    Player.objects.filter(pk=bob.pk).update(is_staff=True)
    assert client.post("/account/sign-in/", {"handle": "bob", "password": PASSWORD}).status_code == 200
    assert client.get("/api/me/").status_code == 401
    assert client.post("/admin/login/", asked).status_code == 302
    inside = client.get("/admin/")
    assert (inside.status_code, "/account/password/" in inside.text) == (200, False)


@pytest.mark.parametrize(("address", "is_taken"), [("/account/sign-in/", False), ("/admin/login/", True)])
def test_the_one_door_for_passwords_takes_them_for_the_admin_alone(bob: Player, address: str, is_taken: bool) -> None:
    found = authenticate(RequestFactory().post(address), username="bob", password=PASSWORD)
    assert found == (bob if is_taken else None)


def test_a_password_that_does_not_count_is_not_a_way_in(client: Client, bob: Player) -> None:
    client.force_login(bob)
    device = Device()
    session = client.session
    session["confirmed"] = datetime.now(UTC).timestamp()
    session.save()
    assert make(client, device, "add")["Location"] == WAYS
    page = client.get(WAYS, HTTP_HOST=HOST).content.decode()
    assert "Handle and password" not in page
    assert "/account/password/" not in page
    assert "your only way" in client.post(WAYS, {"remove": Identity.objects.get().pk}).content.decode()


def test_what_cannot_be_undone_takes_a_proof_instead_of_the_password(client: Client, bob: Player) -> None:
    client.force_login(bob)
    address, asked = DANGEROUS["deletion"]
    assert "Sign in again" in client.post(address, asked | {"password": PASSWORD}).content.decode()
    bob.refresh_from_db()
    assert bob.is_active


def test_someone_new_registers_with_a_passkey_and_deletes_the_account_with_it(client: Client) -> None:
    device = Device()
    carol = register(client, device, "carol")
    use(client, device, "confirm")
    address, asked = DANGEROUS["deletion"]
    client.post(address, asked)
    carol.refresh_from_db()
    assert not carol.is_active


LICHESS = [Issuer.read("lichess", {"client_id": "pyramid"})]


@pytest.mark.parametrize(
    ("passwords", "passkeys", "issuers", "has_tls", "found"),
    [
        (False, "", [], True, [checks.Error]),
        (False, "*", [], False, [checks.Warning]),
        (False, "*", [], True, []),
        (True, "", [], False, []),
        (False, "", LICHESS, False, []),
    ],
)
def test_settings_that_leave_players_no_way_in_are_refused(
    settings: Settings, passwords: bool, passkeys: str, issuers: list[Issuer], has_tls: bool, found: list[type]
) -> None:
    settings.PYRAMID_PASSWORDS, settings.PYRAMID_PASSKEYS = passwords, passkeys
    settings.PYRAMID_SIGN_IN_WITH, settings.BEHIND_TLS_PROXY = issuers, has_tls
    settings.ALLOWED_HOSTS = ["pyramid.example"]
    assert [type(message) for message in checks.run_checks(tags=[SETTINGS])] == found
