"""Alice changes with what she signs in; a thief of her session cannot."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client, RequestFactory
from pytest_django import Settings

from games.accounts.accounts import Wanted, create_account
from games.identities.identities import MOST, link
from games.identities.models import Identity
from games.identities.proving import Proof
from games.identities.refusals import ProofFailed
from games.players.models import Player
from tests.games.conftest import PASSWORD
from tests.games.identities.issuer import Issuer
from tests.games.identities.test_signing_in import is_signed_in, register, sent_to, sign_in

WAYS = "/account/ways/"

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("fast_hashes")]


@pytest.fixture
def alice(client: Client) -> Player:
    """Alice has a password, and is signed in."""
    player = create_account(Wanted("alice", None, PASSWORD), RequestFactory().get("/"), datetime.now(UTC))
    client.force_login(player)
    return player


def add(client: Client, issuer: Issuer, subject: str, password: str = PASSWORD) -> Any:
    return client.get(issuer.confirm(sent_to(client.post(WAYS, {"link": "school", "password": password})), subject))


def confirm(client: Client, issuer: Issuer, subject: str) -> Any:
    return client.get(issuer.confirm(sent_to(client.post(WAYS, {"confirm": "school"})), subject))


def test_an_identity_is_added_with_the_password_and_opens_the_account(
    client: Client, alice: Player, school: Issuer
) -> None:
    assert add(client, school, "17")["Location"] == WAYS
    assert add(client, school, "17")["Location"] == WAYS  # again: nothing changes
    assert Identity.objects.get().player == alice
    other = Client()
    assert sign_in(other, school, "17")["Location"] == "/account/"


def test_alice_is_asked_for_her_password_only_where_there_is_something_to_change(client: Client, alice: Player) -> None:
    for host, is_asked in (("127.0.0.1", False), ("localhost", True)):  # passkeys need a name
        assert ('name="password"' in client.get(WAYS, headers={"host": host}).content.decode()) == is_asked


def test_who_only_has_the_session_adds_and_removes_nothing(client: Client, alice: Player, school: Issuer) -> None:
    add(client, school, "17")
    way = str(Identity.objects.get().pk)
    guessed = {"password": "guessed-one"}
    for asked in ({"link": "school"}, {"link": "school"} | guessed, {"remove": way}, {"remove": way} | guessed):
        assert "Refresh" not in client.post(WAYS, asked).headers
    assert Identity.objects.count() == 1


def test_a_sign_in_of_mallory_confirms_nothing_for_a_player_whose_token_she_has(
    client: Client, alice: Player, school: Issuer
) -> None:
    token = client.post("/api/me/bots/", {"handle": "deep-thirteen"}, "application/json").json()["token"]
    browser, wanted = Client(), {"password": "none", "new_password": "staple the horse to it"}
    register(browser, school, "66", "mallory")
    confirm(browser, school, "66")
    bearer = {"authorization": f"Bearer {token}"}
    refused = browser.post("/api/me/password/", wanted, "application/json", headers=bearer)
    assert refused.status_code == 401
    assert not Player.objects.get(username="deep-thirteen").has_usable_password()
    assert browser.post("/api/me/password/", wanted, "application/json").status_code == 200


def test_an_identity_of_another_account_is_not_taken_from_it(client: Client, alice: Player, school: Issuer) -> None:
    bob = register(Client(), school, "17", "bob")
    answer = add(client, school, "17")
    assert answer.status_code == 409
    assert Identity.objects.get().player == bob


def test_the_last_way_in_stays(client: Client, school: Issuer) -> None:
    player = register(client, school, "17", "carol")
    way = Identity.objects.get()
    confirm(client, school, "17")
    assert "your only way to sign in" in client.post(WAYS, {"remove": way.pk}).content.decode()
    link(player, Proof(school.address, "18", ""), datetime.now(UTC))
    assert client.post(WAYS, {"remove": way.pk})["Location"] == WAYS
    assert Identity.objects.get().subject == "18"


def test_a_way_of_somebody_else_is_not_removed(client: Client, alice: Player, school: Issuer) -> None:
    bob = register(Client(), school, "17", "bob")
    link(bob, Proof(school.address, "18", ""), datetime.now(UTC))
    for way in [*Identity.objects.values_list("pk", flat=True), "x", ""]:
        client.post(WAYS, {"remove": way, "password": PASSWORD})
    assert Identity.objects.count() == 2


def test_ten_ways_are_enough(client: Client, alice: Player, school: Issuer) -> None:
    for number in range(MOST):
        link(alice, Proof(school.address, f"{number}", ""), datetime.now(UTC))
    assert add(client, school, "last").status_code == 409


DANGEROUS: dict[str, tuple[str, dict[str, str]]] = {
    "a password": ("/account/password/", {"new_password": PASSWORD}),
    "deletion": ("/account/delete/", {"confirm": "on"}),
}


@pytest.mark.parametrize(("address", "asked"), DANGEROUS.values(), ids=DANGEROUS)
def test_without_a_password_one_signs_in_again_before_what_cannot_be_undone(
    client: Client, school: Issuer, address: str, asked: dict[str, str]
) -> None:
    with time_machine.travel(datetime.now(UTC), tick=False) as clock:
        player = register(client, school, "17", "carol")
        assert "Sign in again under Ways to sign in" in client.post(address, asked).content.decode()
        confirm(client, school, "17")
        clock.shift(timedelta(minutes=10))
        assert "Sign in again under Ways to sign in" in client.post(address, asked).content.decode()
        confirm(client, school, "17")
        client.post(address, asked)
        player.refresh_from_db()
        assert player.has_usable_password() or not player.is_active


def test_nobody_confirms_for_somebody_else(client: Client, school: Issuer) -> None:
    register(client, school, "17", "carol")
    register(Client(), school, "666", "mallory")
    assert confirm(client, school, "666").status_code == 409
    assert "Sign in again" in client.post("/account/password/", {"new_password": PASSWORD}).content.decode()


def test_a_proof_that_alice_asked_for_does_nothing_once_bob_is_signed_in(
    client: Client, alice: Player, school: Issuer
) -> None:
    back = school.confirm(sent_to(client.post(WAYS, {"link": "school", "password": PASSWORD})), "17")
    client.force_login(Player.objects.create_user(username="bob", claimed_at=datetime.now(UTC)))
    assert client.get(back).status_code == 403
    assert not Identity.objects.exists()


def test_a_proof_that_was_asked_for_by_nobody_does_nothing_once_bob_is_signed_in(
    client: Client, school: Issuer
) -> None:
    """Signing in keeps the session of a visitor."""
    back = school.confirm(sent_to(client.post("/account/with/school/")), "17")
    client.force_login(Player.objects.create_user(username="bob", claimed_at=datetime.now(UTC)))
    assert client.get(back).status_code == 403


def test_a_callback_confirms_once_even_if_the_issuer_forgets_that_it_did(client: Client, school: Issuer) -> None:
    register(client, school, "17", "carol")
    back = school.confirm(sent_to(client.post(WAYS, {"confirm": "school"})), "17")
    school.is_forgetful = True
    assert [client.get(back).status_code for _ in range(2)] == [303, 403]


def test_an_account_that_was_erased_a_moment_ago_gets_no_identity(alice: Player) -> None:
    Player.objects.filter(pk=alice.pk).update(is_active=False)
    with pytest.raises(ProofFailed):
        link(alice, Proof("https://sso.example", "17", ""), datetime.now(UTC))
    assert not Identity.objects.exists()


def test_confirming_again_and_again_is_an_attempt_like_any_other(
    client: Client, school: Issuer, settings: Settings
) -> None:
    register(client, school, "17", "carol")
    settings.PYRAMID_LIMITS = settings.PYRAMID_LIMITS | {"sign_in_address": (3, 3600)}
    sent = ["refresh" in client.post(WAYS, {"confirm": "school"}).headers for _ in range(5)]
    assert sent.count(True) <= 3
    assert sent[-1] is False


def test_what_is_erased_with_an_account_opens_nothing(client: Client, school: Issuer) -> None:
    register(client, school, "17", "carol")
    confirm(client, school, "17")
    client.post("/account/delete/", {"confirm": "on"})
    assert not Identity.objects.exists()
    assert not is_signed_in(client)
