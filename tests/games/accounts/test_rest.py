"""Claiming an account, signing in and out, changing the name."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.conf import settings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from knox.models import AuthToken

from games.accounts.accounts import RESERVED
from games.keys.tokens import token_holder
from games.players.models import Player
from tests.games.api import Api, refusal
from tests.games.conftest import PASSWORD

CLAIM = {"handle": "carol", "display_name": "Carol", "password": PASSWORD}

pytestmark = [pytest.mark.usefixtures("fast_hashes"), pytest.mark.usefixtures("clock")]


@pytest.fixture
def carol(as_alice: Api) -> Player:
    """Alice, who calls herself carol from now on."""
    assert as_alice.post("/api/me/claim/", CLAIM).status_code == 200
    return Player.objects.get(username="carol")


def sign_in(api: Api, handle: str = "carol", password: str = PASSWORD, **more: Any) -> Any:
    return api.post("/api/sign-in/", {"handle": handle, "password": password}, **more)


def test_a_guest_claims_the_account_and_keeps_everything(as_alice: Api, alice: Player, alices_game: str) -> None:
    me = as_alice.post("/api/me/claim/", CLAIM).json()
    assert me == {"handle": "carol", "display_name": "Carol", "is_guest": False, "is_bot": False}
    assert as_alice.get("/api/me/").json() == me
    assert [game["id"] for game in as_alice.get("/api/games/").json()["games"]] == [alices_game]
    claimed = Player.objects.get(pk=alice.pk)
    assert claimed.claimed_at is not None
    assert claimed.claimed_at.isoformat() == "2026-03-01T12:00:00+00:00"
    assert PASSWORD not in claimed.password


def test_registering_is_one_step_for_guests_and_for_new_players(
    as_alice: Api, alice: Player, alices_game: str, anyone: Api
) -> None:
    signed_in = as_alice.post("/api/register/", CLAIM).json()
    assert Player.objects.get(username="carol") == alice
    assert token_holder(signed_in["token"]) == alice
    assert as_alice.get("/api/me/").json()["handle"] == "carol"
    assert refusal(as_alice.post("/api/register/", {**CLAIM, "handle": "dave"})) == (409, "already_claimed")
    assert refusal(anyone.post("/api/register/", CLAIM)) == (409, "handle_taken")
    new = anyone.post("/api/register/", {"handle": "dave", "password": PASSWORD}).json()
    assert (new["player"]["display_name"], new["player"]["is_guest"]) == ("dave", False)
    assert token_holder(new["token"]) == Player.objects.get(username="dave")


@pytest.mark.django_db(transaction=True)
def test_new_accounts_over_rest_are_limited_like_guests(anyone: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(settings.PYRAMID_LIMITS, "guests", (1, 3600))
    anyone.post("/api/guests/")
    assert refusal(anyone.post("/api/register/", CLAIM)) == (429, "too_many_requests")
    assert not Player.objects.filter(username="carol").exists()


def test_without_a_display_name_the_present_one_stays(as_alice: Api) -> None:
    claim = {"handle": "carol", "password": PASSWORD}
    assert as_alice.post("/api/me/claim/", claim).json()["display_name"] == "Alice"


def test_an_account_is_claimed_once(as_alice: Api, carol: Player) -> None:
    again = as_alice.post("/api/me/claim/", {**CLAIM, "handle": "dave"})
    assert refusal(again) == (409, "already_claimed")
    assert as_alice.get("/api/me/").json()["handle"] == "carol"


def test_a_handle_belongs_to_one_account(carol: Player, as_bob: Api) -> None:
    assert refusal(as_bob.post("/api/me/claim/", CLAIM)) == (409, "handle_taken")
    assert as_bob.get("/api/me/").json()["is_guest"] is True


@pytest.mark.parametrize(
    "handle",
    ["ab", "Carol", "ca rol", "-carol", "carol-", "ca--rol", "cärol", "carol_1", "\u0441arol", "a.b.c", "a\u200bbc"],
)
def test_what_is_no_handle_is_refused(as_alice: Api, handle: str) -> None:
    assert refusal(as_alice.post("/api/me/claim/", {**CLAIM, "handle": handle})) == (400, "bad_handle")


@pytest.mark.parametrize("handle", [*(name for name in sorted(RESERVED) if len(name) > 2), "guest-12ab", "admin-1"])
def test_a_handle_that_could_be_mistaken_for_the_server_is_kept(as_alice: Api, handle: str) -> None:
    assert refusal(as_alice.post("/api/me/claim/", {**CLAIM, "handle": handle})) == (409, "handle_reserved")


def test_whether_the_handle_or_the_name_is_reserved_a_program_sees_by_the_code(anyone: Api) -> None:
    account = {"handle": "admin1", "password": PASSWORD}
    assert refusal(anyone.post("/api/register/", account)) == (409, "handle_reserved")
    named = account | {"handle": "carol", "display_name": "Admin"}
    assert refusal(anyone.post("/api/register/", named)) == (409, "name_reserved")


@pytest.mark.parametrize("handle", ["abc", "a1-b2-c3", "007", "x" * 32])
def test_a_handle_is_letters_digits_and_single_hyphens(as_alice: Api, handle: str) -> None:
    assert as_alice.post("/api/me/claim/", {**CLAIM, "handle": handle}).json()["handle"] == handle


@pytest.mark.parametrize("password", ["short", "password123", "carolcarol", "Carol the Great"])
def test_a_password_that_is_easily_guessed_is_refused(as_alice: Api, password: str) -> None:
    claim = {"handle": "carolcarol", "display_name": "Carol the Great", "password": password}
    assert refusal(as_alice.post("/api/me/claim/", claim)) == (400, "weak_password")
    assert as_alice.get("/api/me/").json()["is_guest"] is True


@pytest.mark.parametrize(
    "wrong",
    [
        *({"handle": None}, {"handle": "x" * 33}, {"handle": "\ud800"}),
        *({"password": ""}, {"password": "x" * 129}, {"password": "a\0b" * 9}, {"password": 12345678901}),
        *({"display_name": "a\u202eb"}, {"display_name": ""}, {"display_name": "x" * 41}, {"colour": "red"}),
    ],
    ids=ascii,
)
def test_what_is_no_claim_is_refused_by_field(as_alice: Api, wrong: dict[str, object]) -> None:
    response = as_alice.post_raw("/api/me/claim/", json.dumps({**CLAIM, **wrong}).encode())
    assert refusal(response) == (400, "invalid_request")
    assert list(response.json()["fields"]) in ([*wrong], ["non_field_errors"])


def test_carol_signs_in_from_another_device(carol: Player, anyone: Api) -> None:
    signed_in = sign_in(anyone).json()
    assert (signed_in["player"]["handle"], signed_in["expires_at"]) == ("carol", "2026-03-31T12:00:00Z")
    anyone.credentials(HTTP_AUTHORIZATION=f"Bearer {signed_in['token']}")
    assert anyone.get("/api/me/").json()["handle"] == "carol"
    assert AuthToken.objects.filter(user=carol).count() == 2


def test_the_answer_does_not_tell_whether_a_handle_exists(carol: Player, bob: Player, anyone: Api) -> None:
    Player.objects.create_user(username="dave", password=PASSWORD, is_active=False)
    handles = ["carol", "nobody-at-all", bob.username, "not a handle", "Carol"]
    answers = [sign_in(anyone, handle, "wrong password") for handle in handles]
    answers += [sign_in(anyone, "dave"), sign_in(anyone, bob.username, "!")]
    assert {refusal(answer) for answer in answers} == {(401, "sign_in_failed")}
    assert len({answer.content for answer in answers}) == 1


def test_spaces_in_a_password_count(as_alice: Api, anyone: Api) -> None:
    as_alice.post("/api/me/claim/", {**CLAIM, "password": f" {PASSWORD} "})
    assert refusal(sign_in(anyone)) == (401, "sign_in_failed")
    assert sign_in(anyone, password=f" {PASSWORD} ").status_code == 201


def test_a_limit_reached_reads_nothing_from_the_database(
    carol: Player, anyone: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(settings.PYRAMID_LIMITS, "sign_in", (1, 3600))
    sign_in(anyone)
    with CaptureQueriesContext(connection) as queries:
        sign_in(anyone)
    assert len(queries) == 0


def test_signing_out_ends_the_token_that_was_sent_and_no_other(carol: Player, as_alice: Api, anyone: Api) -> None:
    token = sign_in(anyone).json()["token"]
    assert as_alice.post("/api/sign-out/").json() == {"tokens": 1}
    assert refusal(as_alice.get("/api/me/")) == (401, "bad_credentials")
    assert token_holder(token) == carol


def test_signing_out_everywhere_ends_all_tokens_of_the_account(
    carol: Player, as_alice: Api, as_bob: Api, anyone: Api
) -> None:
    token = sign_in(anyone).json()["token"]
    assert as_alice.post("/api/sign-out/", {"everywhere": True}).json() == {"tokens": 2}
    assert token_holder(token) is None
    assert as_bob.get("/api/me/").status_code == 200


def test_signing_out_with_a_session_ends_the_session(carol: Player) -> None:
    browser = Api()
    browser.force_login(carol)
    assert browser.post("/api/sign-out/").json() == {"tokens": 0}
    assert refusal(browser.get("/api/me/")) == (401, "not_signed_in")


def test_the_name_that_others_see_can_be_changed_and_the_handle_cannot(carol: Player, as_alice: Api) -> None:
    me = as_alice.patch("/api/me/", {"display_name": " Carol the Great "}).json()
    assert (me["handle"], me["display_name"]) == ("carol", "Carol the Great")
    assert refusal(as_alice.patch("/api/me/", {"handle": "dave"})) == (400, "invalid_request")
    assert as_alice.get("/api/me/").json() == me


@pytest.mark.parametrize("name", ["", " ", "x" * 41, "a\u202eb", 1, None], ids=ascii)
def test_a_new_name_is_as_good_as_a_first_one(as_alice: Api, name: object) -> None:
    assert refusal(as_alice.patch("/api/me/", {"display_name": name})) == (400, "invalid_request")
    assert as_alice.get("/api/me/").json()["display_name"] == "Alice"


def test_mallory_cannot_claim_for_a_browser_of_carol(carol: Player) -> None:
    browser = Api()
    browser.handler.enforce_csrf_checks = True
    browser.force_login(carol)
    for path in ("/api/me/claim/", "/api/sign-out/"):
        assert refusal(browser.post(path, {})) == (403, "forbidden")
    assert refusal(browser.patch("/api/me/", {"display_name": "Mallory was here"})) == (403, "forbidden")


def test_a_name_is_changed_ten_times_an_hour_on_page_and_api_together(
    as_alice: Api, as_bob: Api, clock: time_machine.Traveller
) -> None:
    assert as_alice.player is not None
    statuses = [as_alice.patch("/api/me/", {"display_name": f"Alice {n}"}).status_code for n in range(10)]
    assert statuses == [200] * 10
    refused = as_alice.patch("/api/me/", {"display_name": "Alice the Great"})
    assert (refusal(refused), refused["Retry-After"]) == ((429, "too_many_requests"), "361")
    browser = Client()
    browser.force_login(as_alice.player)
    assert "Too many attempts" in browser.post("/account/", {"display_name": "Alice the Great"}).content.decode()
    assert as_alice.patch("/api/me/", {"display_name": "Alice 9"}).status_code == 200  # which changes nothing
    assert as_bob.patch("/api/me/", {"display_name": "Bob 1"}).status_code == 200
    clock.shift(timedelta(minutes=6, seconds=1))
    assert as_alice.patch("/api/me/", {"display_name": "Alice the Great"}).json()["display_name"] == "Alice the Great"
