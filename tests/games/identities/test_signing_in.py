"""Alice signs in with what an issuer confirms; mallory tries what such doors are attacked with."""

from __future__ import annotations

import html
import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client
from joserfc.jwk import ECKey
from pytest_django import Settings

from games.accounts.guests import create_guest
from games.identities.issuers import Issuer as Trusted
from games.identities.models import Identity
from games.players.models import Player
from tests.games.identities.issuer import Issuer, running_issuer

SIGN_IN, NEW = "/account/with/school/", "/account/with/"

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("fast_hashes")]


def sent_to(answer: Any) -> str:
    """Return the address to which a page sends its visitor."""
    assert answer.status_code == 200, answer.content
    address: str = answer.headers["Refresh"].removeprefix("0;url=")
    assert html.escape(address) in answer.content.decode()
    return address


def sign_in(client: Client, issuer: Issuer, subject: str, name: str = "school") -> Any:
    return client.get(issuer.confirm(sent_to(client.post(f"/account/with/{name}/")), subject))


def register(client: Client, issuer: Issuer, subject: str, handle: str) -> Player:
    assert sign_in(client, issuer, subject)["Location"] == NEW
    assert client.post(NEW, {"handle": handle, "display_name": ""})["Location"] == "/account/"
    return Player.objects.get(username=handle)


def is_signed_in(client: Client) -> bool:
    return bool(client.get("/api/me/").status_code == 200)


def test_someone_new_registers_without_a_password_and_comes_back_from_another_browser(school: Issuer) -> None:
    alice = register(Client(), school, "17", "alice")
    assert not alice.has_usable_password()
    other = Client()
    assert sign_in(other, school, "17")["Location"] == "/account/"
    assert other.get("/api/me/").json()["handle"] == "alice"


def test_who_proves_elsewhere_who_they_are_comes_back_to_the_page_they_came_from(
    client: Client, school: Issuer
) -> None:
    form = client.get("/account/sign-in/?next=/rules/").text
    assert re.search(r'action="/account/with/school/">.*?name="next" value="/rules/"', form)
    away = sent_to(client.post(SIGN_IN, {"next": "/rules/"}))
    assert client.get(school.confirm(away, "17"))["Location"] == NEW
    assert client.post(NEW, {"handle": "alice", "display_name": ""})["Location"] == "/rules/"
    other = Client()
    away = sent_to(other.post(SIGN_IN, {"next": "/rules/"}))
    assert other.get(school.confirm(away, "17"))["Location"] == "/rules/"


def test_a_guest_who_registers_keeps_the_games(client: Client, school: Issuer) -> None:
    guest = create_guest("Alice").player
    client.force_login(guest)
    alice = register(client, school, "17", "alice")
    assert (alice.pk, alice.is_guest, alice.display_name) == (guest.pk, False, "Alice")


def test_a_suggested_name_is_the_beginning_of_a_handle_and_nothing_of_it_is_kept(
    client: Client, school: Issuer
) -> None:
    school.lies = {"preferred_username": "Zoë Müller@school.example", "email": "zoe@school.example"}
    page = client.get(sign_in(client, school, "17")["Location"]).content.decode()
    assert 'value="zoe-muller"' in page
    client.post(NEW, {"handle": "zoe", "display_name": ""})
    kept = [*Player.objects.values(), *Identity.objects.values()]
    assert not re.search("school.example|muller", str(kept), re.IGNORECASE)


def test_a_taken_handle_is_refused_and_nothing_is_made(client: Client, school: Issuer) -> None:
    register(Client(), school, "17", "alice")
    sign_in(client, school, "18")
    assert "This handle is taken" in client.post(NEW, {"handle": "alice", "display_name": ""}).content.decode()
    assert Player.objects.count() == Identity.objects.count() == 1


def test_two_tabs_make_one_account(client: Client, school: Issuer) -> None:
    sign_in(client, school, "17")
    other = Client()
    register(other, school, "17", "alice")
    page = client.post(NEW, {"handle": "alice2", "display_name": ""}).content.decode()
    assert "Another account here signs in with this already" in page
    assert not Player.objects.filter(username="alice2").exists()


def test_a_mail_address_that_the_issuer_tells_opens_no_account(client: Client, school: Issuer) -> None:
    Player.objects.create_user(username="alice", email="alice@example.org", claimed_at=datetime.now(UTC))
    school.lies = {"email": "alice@example.org", "email_verified": True}
    assert sign_in(client, school, "666")["Location"] == NEW
    assert not is_signed_in(client)


def test_a_closed_account_stays_closed(client: Client, school: Issuer) -> None:
    register(Client(), school, "17", "alice")
    Player.objects.update(is_active=False)
    assert sign_in(client, school, "17").status_code == 403
    assert not is_signed_in(client)


LIES: dict[str, dict[str, Any]] = {
    "a nonce of another browser": {"nonce": "0"},
    "no nonce": {"nonce": None},
    "a token for another site": {"aud": "other"},
    "a token of another issuer": {"iss": "https://accounts.google.com"},
    "a token without an issuer": {"iss": None},
    "a token of yesterday": {"exp": 1_000_000_000},
    "nobody": {"sub": ""},
    "no subject": {"sub": None},
    "a list": {"sub": ["17"]},
    "a subject that never ends": {"sub": "1" * 256},
}


@pytest.mark.parametrize("lie", LIES.values(), ids=LIES)
def test_a_token_that_lies_opens_nothing(client: Client, school: Issuer, lie: dict[str, Any]) -> None:
    register(Client(), school, "17", "alice")
    school.lies = lie
    assert sign_in(client, school, "17").status_code == 403
    assert not is_signed_in(client)


def test_a_token_that_somebody_else_signed_opens_nothing(client: Client, school: Issuer) -> None:
    register(Client(), school, "17", "alice")
    school.signs_with = ECKey.generate_key("P-256", {"kid": "1"})
    assert sign_in(client, school, "17").status_code == 403


def test_a_callback_counts_once(client: Client, school: Issuer) -> None:
    register(Client(), school, "17", "alice")
    back = school.confirm(sent_to(client.post(SIGN_IN)), "17")
    assert client.get(back)["Location"] == "/account/"
    client.post("/account/sign-out/")
    assert client.get(back).status_code == 403


def test_a_callback_of_mallory_does_nothing_in_the_browser_of_alice(school: Issuer) -> None:
    mallory, alice = Client(), Client()
    register(Client(), school, "666", "mallory")
    assert alice.get(school.confirm(sent_to(mallory.post(SIGN_IN)), "666")).status_code == 403
    assert not is_signed_in(alice)


def test_a_code_of_one_browser_is_worth_nothing_in_another(school: Issuer) -> None:
    """Its verifier is in the session of the first."""
    alice, mallory = Client(), Client()
    register(Client(), school, "17", "alice")
    stolen = school.confirm(sent_to(alice.post(SIGN_IN)), "17").partition("code=")[2].partition("&")[0]
    own = school.confirm(sent_to(mallory.post(SIGN_IN)), "666")
    assert mallory.get(re.sub("code=[0-9a-f]+", f"code={stolen}", own)).status_code == 403
    assert not is_signed_in(mallory)


def test_an_answer_of_another_issuer_is_none(client: Client, school: Issuer, settings: Settings) -> None:
    register(Client(), school, "17", "alice")
    with running_issuer() as club:
        settings.PYRAMID_SIGN_IN_WITH = [
            Trusted.read(name, given) for name, given in (school.settings() | club.settings("club")).items()
        ]
        back = school.confirm(sent_to(client.post(SIGN_IN)), "17")
        assert client.get(back.replace("/school/", "/club/")).status_code == 403
        assert not club.was_asked  # it learns neither the code nor the verifier
        back = school.confirm(sent_to(client.post(SIGN_IN)), "17")
        assert client.get(f"{back}&iss={club.address}").status_code == 403
        # And who is 17 there is somebody else here.
        assert sign_in(client, club, "17", "club")["Location"] == NEW


def test_ten_minutes_later_it_is_too_late(client: Client, school: Issuer) -> None:
    with time_machine.travel(datetime.now(UTC), tick=False) as clock:
        back = school.confirm(sent_to(client.post(SIGN_IN)), "17")
        clock.shift(timedelta(minutes=10))
        assert client.get(back).status_code == 403
        assert sign_in(client, school, "17")["Location"] == NEW
        clock.shift(timedelta(minutes=10))
        assert client.get(NEW).status_code == 302


@pytest.mark.parametrize("query", ["", "?state=x", "?error=access_denied", "?code=x&state="])
def test_who_declines_or_comes_from_nowhere_gets_a_sentence(client: Client, school: Issuer, query: str) -> None:
    answer = client.get(f"{SIGN_IN}back/{query}")
    assert answer.status_code == 403
    assert "That did not work" in answer.content.decode()


def test_an_issuer_that_does_not_answer_is_a_sentence(client: Client, settings: Settings) -> None:
    given = {"label": "Gone", "issuer": "http://127.0.0.1:9", "client_id": "x"}
    settings.PYRAMID_SIGN_IN_WITH = [Trusted.read("school", given)]
    assert client.post(SIGN_IN).status_code == 403


@pytest.mark.parametrize("name", ["google", "github", "discord"])
def test_an_issuer_that_wants_a_secret_is_refused_without_one_before_a_player_finds_out(name: str) -> None:
    given = {"client_id": "pyramid"}
    with pytest.raises(ValueError, match="missing"):
        Trusted.read(name, given)
    assert Trusted.read(name, given | {"client_secret": "s"}).client_secret == "s"
    assert Trusted.read("lichess", given).client_secret == ""


def test_no_other_site_can_begin_it(school: Issuer) -> None:
    assert Client(enforce_csrf_checks=True).post(SIGN_IN).status_code == 403
    assert Client().get(SIGN_IN).status_code == 405


def test_attempts_are_counted(client: Client, school: Issuer, settings: Settings) -> None:
    settings.PYRAMID_LIMITS = settings.PYRAMID_LIMITS | {"sign_in_address": (2, 3600)}
    assert [client.post(SIGN_IN).status_code for _ in range(3)] == [200, 200, 429]


def test_without_issuers_there_are_neither_buttons_nor_doors(client: Client) -> None:
    assert client.post(SIGN_IN).status_code == client.get(f"{SIGN_IN}back/").status_code == 404
    assert "/account/with/" not in client.get("/account/sign-in/").content.decode()
