"""Changing the password, and listing and ending what opens an account."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import timedelta
from threading import Barrier, BrokenBarrierError
from typing import Any

import pytest
import time_machine
from django.conf import settings
from django.db import connection
from django.test import Client

from games.accounts import passwords
from games.keys import keys
from games.keys.browser_sessions import SessionStore
from games.keys.models import BrowserSession, TokenTerms
from games.keys.refusals import SignInFailed, TooManyKeys
from games.keys.tokens import SignedIn, issue_token, token_holder
from games.players.models import Player
from tests.games.api import Api, refusal
from tests.games.conftest import PASSWORD

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("fast_hashes"),
    pytest.mark.usefixtures("clock"),
]

ANOTHER = "staple the horse to it"


def change(api: Api, present: str = PASSWORD, wanted: str = ANOTHER) -> Any:
    return api.post("/api/me/password/", {"password": present, "new_password": wanted})


def signed_in(player: Player | None) -> Client:
    assert player is not None
    browser = Client()
    browser.force_login(player)
    return browser


def test_a_changed_password_ends_everything_but_the_token_that_changed_it(as_carol: Api, anyone: Api) -> None:
    stolen, browser = Api(as_carol.player), signed_in(as_carol.player)
    assert change(as_carol).json() == {"tokens": 1}
    assert refusal(stolen.get("/api/me/")) == (401, "bad_credentials")
    assert browser.get("/api/me/").status_code == 401
    assert not BrowserSession.objects.exists()
    assert as_carol.get("/api/me/").json()["handle"] == "carol"
    sign_in = {"handle": "carol", "password": PASSWORD}
    assert refusal(anyone.post("/api/sign-in/", sign_in)) == (401, "sign_in_failed")
    assert anyone.post("/api/sign-in/", {**sign_in, "password": ANOTHER}).status_code == 201


def test_the_session_that_changes_the_password_stays_and_is_another_one(as_carol: Api) -> None:
    browser = signed_in(as_carol.player)
    before = browser.cookies["sessionid"].value
    body = {"password": PASSWORD, "new_password": ANOTHER}
    assert browser.post("/api/me/password/", body, content_type="application/json").json() == {"tokens": 1}
    assert browser.get("/api/me/").status_code == 200
    assert browser.cookies["sessionid"].value != before
    assert BrowserSession.objects.get().player == as_carol.player


def test_a_stolen_token_changes_no_password_and_guesses_no_more_often_than_anyone(
    as_carol: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(settings.PYRAMID_LIMITS, "sign_in", (3, 3600))
    for _ in range(3):
        assert refusal(change(as_carol, "a guess")) == (401, "sign_in_failed")
    assert refusal(change(as_carol)) == (429, "too_many_requests")
    assert Player.objects.get().check_password(PASSWORD)


@pytest.mark.parametrize("wanted", ["short", "password123", "carolcarol"])
def test_a_weak_password_is_refused_and_nothing_ends(as_carol: Api, wanted: str) -> None:
    Player.objects.update(display_name="carolcarol")
    stays = issue_token(Player.objects.get()).token
    assert refusal(change(as_carol, wanted=wanted)) == (400, "weak_password")
    assert token_holder(stays) is not None


def test_a_guest_has_no_password_to_change(as_alice: Api) -> None:
    assert refusal(change(as_alice)) == (409, "guest_account")


def test_a_sign_in_that_began_before_the_password_was_changed_gets_no_key(
    as_carol: Api, anyone: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = Player.objects.get()
    change(as_carol)
    with pytest.raises(SignInFailed):
        issue_token(found)
    with pytest.raises(SignInFailed):
        keys.make_token(found, "mallory's")


def test_of_two_changes_at_once_one_is_made(as_carol: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    def hash_while_the_other_is_faster(password: str) -> str:
        Player.objects.update(password="another hash")
        return "mine"

    monkeypatch.setattr(passwords, "make_password", hash_while_the_other_is_faster)
    assert refusal(change(as_carol)) == (401, "sign_in_failed")
    assert Player.objects.get().password == "another hash"
    assert as_carol.get("/api/me/").status_code == 200


def test_sessions_and_tokens_are_listed_with_their_times(as_carol: Api, clock: time_machine.Traveller) -> None:
    clock.shift(timedelta(hours=2))
    browser = signed_in(as_carol.player)
    clock.shift(timedelta(days=2))
    made = as_carol.post("/api/me/keys/", {"name": "My bot"}).json()
    browser.get("/api/me/")
    listed = as_carol.get("/api/me/keys/").json()["keys"]
    assert {(key["kind"], key["name"], key["is_current"]) for key in listed} == {
        ("session", "", False),
        ("token", "", True),
        ("token", "My bot", False),
    }
    times = {key["name"] or key["kind"]: (key["created_at"], key["last_used_at"], key["expires_at"]) for key in listed}
    assert times["session"] == ("2026-03-01T14:00:00Z", "2026-03-03T14:00:00Z", "2026-04-02T14:00:00Z")
    assert times["token"] == ("2026-03-01T12:00:00Z", "2026-03-03T14:00:00Z", "2026-04-02T14:00:00Z")
    assert times["My bot"][0] == "2026-03-03T14:00:00Z"
    assert made["token"] not in str(listed)
    assert Api().get("/api/me/", headers={"authorization": f"Bearer {made['token']}"}).json()["handle"] == "carol"


def test_a_key_is_ended_by_its_owner_alone(as_carol: Api, as_mallory: Api) -> None:
    browser, bot = signed_in(as_carol.player), Api(as_carol.player)
    listed = bot.get("/api/me/keys/").json()["keys"]
    for key in listed:
        assert refusal(as_mallory.delete(f"/api/me/keys/{key['id']}/")) == (404, "unknown_key")
    others = [key["id"] for key in listed if not key["is_current"]]
    left = [bot.delete(f"/api/me/keys/{key_id}/").json()["keys"] for key_id in others][-1]
    assert [key["is_current"] for key in left] == [True]
    assert refusal(as_carol.get("/api/me/")) == (401, "bad_credentials")
    assert browser.get("/api/me/").status_code == 401
    assert refusal(bot.delete(f"/api/me/keys/{others[0]}/")) == (404, "unknown_key")


def test_an_account_has_so_many_tokens(as_carol: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keys, "MOST_TOKENS", 2)
    assert as_carol.post("/api/me/keys/", {"name": "My bot"}).status_code == 201
    assert refusal(as_carol.post("/api/me/keys/", {"name": "My bot"})) == (409, "too_many_keys")
    assert TokenTerms.objects.count() == 1


def test_tokens_that_are_made_at_once_count_each_other(as_carol: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    together, player = Barrier(2, timeout=0.5), as_carol.player
    assert player is not None

    def issue_together(player: Player, *terms: Any) -> SignedIn:
        with suppress(BrokenBarrierError):  # the second comes only after the first
            together.wait()
        return issue_token(player, *terms)

    def make(number: int) -> bool:
        try:
            keys.make_token(player, f"bot {number}")
        except TooManyKeys:
            return False
        finally:
            connection.close()
        return True

    monkeypatch.setattr(keys, "MOST_TOKENS", 2)
    monkeypatch.setattr(keys, "issue_token", issue_together)
    with ThreadPoolExecutor(2) as pool:
        assert sorted(pool.map(make, range(2))) == [False, True]


@pytest.mark.parametrize("name", ["", "x" * 41, "a\u202eb", 7, None])
def test_what_is_no_name_of_a_token_is_refused(as_carol: Api, name: object) -> None:
    assert refusal(as_carol.post("/api/me/keys/", {"name": name})) == (400, "invalid_request")


def test_a_session_lasts_as_long_as_it_is_used(as_carol: Api, clock: time_machine.Traveller) -> None:
    browser = signed_in(as_carol.player)
    for _ in range(3):
        clock.shift(timedelta(hours=700))
        assert browser.get("/api/me/").status_code == 200
    clock.shift(timedelta(hours=721))
    assert browser.get("/api/me/").status_code == 401


def test_a_browser_whose_session_is_over_gets_another_with_the_next_thing_to_remember(as_carol: Api) -> None:
    browser = signed_in(as_carol.player)
    BrowserSession.objects.all().delete()
    over = SessionStore(browser.cookies["sessionid"].value)
    over["next"] = "/"
    over.save()
    assert SessionStore(over.session_key)["next"] == "/"
    assert over.session_key != browser.cookies["sessionid"].value


def test_the_session_of_a_closed_account_opens_no_page(as_carol: Api) -> None:
    browser = signed_in(as_carol.player)
    assert browser.get("/account/keys/").status_code == 200
    Player.objects.update(is_active=False)
    assert browser.get("/account/keys/")["Location"] == "/account/sign-in/?next=%2Faccount%2Fkeys%2F"


def test_a_guest_who_claims_over_rest_stays_signed_in_in_the_browser(alice: Player, clock: object) -> None:
    browser = signed_in(alice)
    claim = {"handle": "alice", "password": PASSWORD}
    assert browser.post("/api/me/claim/", claim, content_type="application/json").status_code == 200
    assert browser.get("/api/me/").json()["handle"] == "alice"
    assert BrowserSession.objects.count() == 1
