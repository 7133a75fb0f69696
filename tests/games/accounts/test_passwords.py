"""Passwords as a weapon, and against their owners: guessed at every door, hashed in crowds, used to lock others out."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from io import StringIO
from typing import Any

import pytest
import time_machine
from django.conf import settings
from django.contrib.auth import authenticate
from django.contrib.auth.hashers import check_password, make_password
from django.contrib.auth.management.commands import changepassword
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client, RequestFactory
from rest_framework.exceptions import Throttled

from games.accounts import accounts, hashing
from games.accounts.accounts import Wanted, claim, create_account
from games.accounts.hashing import HashingQueue
from games.accounts.password_backend import DEVICE_COOKIE, count_attempt
from games.accounts.refusals import AlreadyClaimed, HandleTaken
from games.keys.keys import keys_of, make_token
from games.players.models import Player
from games.runtime.limits import Hit, count
from tests.games.conftest import NOON

pytestmark = pytest.mark.django_db

PASSWORD = "correct horse battery"
ANOTHER = "staple the horse to it"
HOUR = 60 * 60
DOORS = ["/account/sign-in/", "/api/sign-in/", "/admin/login/"]


@pytest.fixture(autouse=True)
def _cheap(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(settings.PYRAMID_LIMITS, "sign_in", (3, HOUR))
    monkeypatch.setitem(settings.PYRAMID_LIMITS, "sign_in_address", (6, HOUR))
    monkeypatch.setitem(settings.PYRAMID_LIMITS, "sign_in_handle", (9, HOUR))


@pytest.fixture(autouse=True)
def clock() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(NOON, tick=False) as traveller:
        yield traveller


@pytest.fixture
def carol() -> Player:
    return Player.objects.create_superuser(username="carol", display_name="Carol", password=PASSWORD)


def knock(
    door: str, password: str, address: str = "192.0.2.1", browser: Client | None = None, handle: str = "carol"
) -> Any:
    """Try a password for carol."""
    browser = browser or Client()
    named = "handle" if door != "/admin/login/" else "username"
    how: Any = {"content_type": "application/json"} if door.startswith("/api/") else {}
    return browser.post(door, {named: handle, "password": password}, REMOTE_ADDR=address, **how)


def is_open(response: Any) -> bool:
    return response.status_code in {201, 302}


def is_told_to_wait(response: Any) -> bool:
    return response.status_code == 429 or b"Too many attempts" in response.content


@pytest.mark.parametrize("door", DOORS)
def test_no_door_takes_the_right_password_after_too_many_wrong_ones(carol: Player, door: str) -> None:
    for number in range(3):
        assert not is_open(knock(DOORS[number], "a guess"))
    response = knock(door, PASSWORD)
    assert is_told_to_wait(response)
    assert not is_open(response)


@pytest.mark.parametrize("door", DOORS)
def test_every_door_takes_the_right_password(carol: Player, door: str) -> None:
    assert is_open(knock(door, PASSWORD))


@pytest.mark.parametrize("door", DOORS)
def test_every_door_takes_a_handle_that_a_phone_has_begun_with_a_capital_and_counts_it_as_the_same(
    carol: Player, door: str
) -> None:
    assert is_open(knock(door, PASSWORD, handle="Carol"))
    for handle in ("CAROL", "carol"):
        knock(door, "a guess", handle=handle)
    assert is_told_to_wait(knock(door, PASSWORD, handle="cArol"))


def test_the_admin_leads_to_the_one_page_for_a_new_password(carol: Player, client: Client) -> None:
    client.force_login(carol)
    wanted = {"old_password": PASSWORD, "new_password1": ANOTHER, "new_password2": ANOTHER}
    assert client.post("/admin/password_change/", wanted)["Location"] == "/account/password/"
    carol.refresh_from_db()
    assert carol.check_password(PASSWORD)
    assert 'href="/account/password/"' in client.get("/admin/").text


def test_a_password_that_an_operator_changes_ends_everything_that_opens_the_account(
    carol: Player, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    client.force_login(carol)
    make_token(carol, "laptop")
    monkeypatch.setattr(changepassword.Command, "_get_pass", lambda *_: ANOTHER)
    call_command("changepassword", "carol", stdout=StringIO())
    carol.refresh_from_db()
    assert carol.check_password(ANOTHER)
    assert not keys_of(carol)


def test_without_a_terminal_an_operator_hears_that_no_password_can_be_read(
    carol: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ended(*_: object) -> str:
        raise EOFError

    monkeypatch.setattr(changepassword.Command, "_get_pass", ended)
    with pytest.raises(CommandError, match="there is no terminal"):
        call_command("changepassword", carol.username, stdout=StringIO())


def test_nobody_elsewhere_can_lock_carol_out(carol: Player) -> None:
    for _ in range(5):
        knock("/api/sign-in/", "a guess", "203.0.113.66")
    assert is_told_to_wait(knock("/api/sign-in/", PASSWORD, "203.0.113.66"))
    assert is_open(knock("/api/sign-in/", PASSWORD, "192.0.2.1"))


def test_not_even_a_crowd_can_lock_out_a_browser_that_has_signed_in_before(carol: Player) -> None:
    browser = Client()
    assert is_open(knock("/account/sign-in/", PASSWORD, browser=browser))
    browser.post("/account/sign-out/")
    for number in range(12):
        knock("/api/sign-in/", "a guess", f"203.0.113.{number}")
    assert is_told_to_wait(knock("/api/sign-in/", PASSWORD, "198.51.100.1"))
    assert is_open(knock("/account/sign-in/", PASSWORD, browser=browser))


def test_a_known_browser_guesses_no_more_often_than_others_and_only_its_own_handle(carol: Player) -> None:
    browser = Client()
    knock("/admin/login/", PASSWORD, browser=browser)
    del browser.cookies["sessionid"]
    assert DEVICE_COOKIE in browser.cookies
    for _ in range(3):
        knock("/account/sign-in/", "a guess", browser=browser)
    assert is_told_to_wait(knock("/account/sign-in/", PASSWORD, browser=browser))
    request = RequestFactory().get("/")
    request.COOKIES[DEVICE_COOKIE] = browser.cookies[DEVICE_COOKIE].value
    for _ in range(3):
        count_attempt(request, "dave")  # counted by address, as anyone's
    with pytest.raises(Throttled):
        count_attempt(RequestFactory().get("/"), "dave")


def test_many_known_browsers_guess_no_more_often_than_one(carol: Player) -> None:
    browsers = [Client(), Client()]
    for number, browser in enumerate(browsers):
        assert is_open(knock("/account/sign-in/", PASSWORD, f"192.0.2.{number}", browser))
        browser.post("/account/sign-out/")
    for browser in (*browsers, browsers[0]):
        assert not is_told_to_wait(knock("/account/sign-in/", "a guess", browser=browser))
    assert is_told_to_wait(knock("/account/sign-in/", PASSWORD, browser=browsers[1]))


def test_only_a_browser_that_knows_the_new_password_is_still_known_after_a_change(carol: Player) -> None:
    browser, other = Client(), Client()
    for number, each in enumerate((browser, other)):
        assert is_open(knock("/account/sign-in/", PASSWORD, f"192.0.2.{number}", each))
    assert browser.post("/account/password/", {"password": PASSWORD, "new_password": ANOTHER}).status_code == 303
    browser.post("/account/sign-out/")
    for number in range(12):
        knock("/api/sign-in/", "a guess", f"203.0.113.{number}")
    assert is_told_to_wait(knock("/account/sign-in/", ANOTHER, browser=other))
    assert is_open(knock("/account/sign-in/", ANOTHER, browser=browser))


@pytest.mark.parametrize("cookie", ["", "x", "a:b:c", "W10:1:1"])
def test_a_made_up_device_is_a_stranger(cookie: str, carol: Player) -> None:
    browser = Client()
    browser.cookies[DEVICE_COOKIE] = cookie
    for _ in range(3):
        knock("/api/sign-in/", "a guess")
    assert is_told_to_wait(knock("/api/sign-in/", PASSWORD, browser=browser))


def test_an_address_that_tries_many_handles_is_slowed_down(carol: Player) -> None:
    for number in range(6):
        Client().post("/api/sign-in/", {"handle": f"n{number}", "password": "x"}, content_type="application/json")
    assert is_told_to_wait(knock("/api/sign-in/", PASSWORD, "127.0.0.1"))


def test_attempts_come_back_one_by_one(carol: Player, clock: time_machine.Traveller) -> None:
    for _ in range(4):
        knock("/api/sign-in/", "a guess")
    clock.shift(HOUR / 3)
    assert is_open(knock("/api/sign-in/", PASSWORD))
    assert is_told_to_wait(knock("/api/sign-in/", PASSWORD))


def test_of_thirty_attempts_at_once_no_more_than_allowed_are_made() -> None:
    request = RequestFactory().post("/api/sign-in/")

    def attempt(_: int) -> bool:
        try:
            count_attempt(request, "carol")
        except Throttled:
            return False
        return True

    with ThreadPoolExecutor(30) as threads:
        assert sum(threads.map(attempt, range(30))) == 3


def test_what_is_counted_is_not_hashed(carol: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(3):
        knock("/api/sign-in/", "a guess")
    monkeypatch.setattr(hashing.QueuedHasher, "encode", _never)
    with pytest.raises(Throttled):
        authenticate(RequestFactory().post("/", REMOTE_ADDR="192.0.2.1"), username="carol", password=PASSWORD)


def test_a_claim_that_cannot_be_granted_hashes_nothing(
    carol: Player, alice: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(accounts, "make_password", _never)
    request = RequestFactory().post("/")
    with pytest.raises(HandleTaken):
        claim(alice, Wanted("carol", None, PASSWORD), request, NOON)
    with pytest.raises(HandleTaken):
        create_account(Wanted("carol", None, PASSWORD), request, NOON)
    with pytest.raises(AlreadyClaimed):
        claim(carol, Wanted("dave", None, PASSWORD), request, NOON)
    for _ in range(3):
        count(Hit("sign_in", f"player {alice.pk}"))
    with pytest.raises(Throttled):
        claim(alice, Wanted("dave", None, PASSWORD), request, NOON)


@pytest.mark.django_db(transaction=True)
def test_a_password_is_hashed_outside_of_any_transaction(alice: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    inside = []

    def hash_slowly(password: str) -> str:
        inside.append(connection.in_atomic_block)
        return make_password(password)

    monkeypatch.setattr(accounts, "make_password", hash_slowly)
    request = RequestFactory().post("/")
    claim(alice, Wanted("alice", None, PASSWORD), request, NOON)
    create_account(Wanted("dave", None, PASSWORD), request, NOON)
    assert inside == [False, False]


def test_two_who_claim_a_handle_at_the_same_moment_do_not_both_get_it(
    alice: Player, bob: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    def hash_while_bob_is_faster(password: str) -> str:
        Player.objects.filter(pk=bob.pk).update(username="wanted", is_guest=False)
        return make_password(password)

    monkeypatch.setattr(accounts, "make_password", hash_while_bob_is_faster)
    with pytest.raises(HandleTaken):
        claim(alice, Wanted("wanted", None, PASSWORD), RequestFactory().post("/"), NOON)
    assert Player.objects.get(pk=alice.pk).is_guest


def test_hashes_are_what_django_makes_of_a_password() -> None:
    assert check_password(PASSWORD, make_password(PASSWORD))
    assert not check_password("another", make_password(PASSWORD))
    assert make_password(PASSWORD).startswith("pbkdf2_sha256$")
    assert "iterations" not in vars(hashing.QueuedHasher), "as often as Django wants"


def test_a_crowd_of_hashes_is_turned_away_and_those_that_began_are_made() -> None:
    queue, begun, go_on = HashingQueue(3), threading.Semaphore(0), threading.Event()

    def hash_slowly() -> str:
        begun.release()
        go_on.wait(60)
        return "hash"

    with ThreadPoolExecutor(3) as threads:
        waiting = [threads.submit(queue.run, hash_slowly) for _ in range(3)]
        for _ in range(hashing.AT_ONCE):
            assert begun.acquire(timeout=180)
        while queue._room.acquire(blocking=False):  # until the third one waits in the queue
            queue._room.release()
        with pytest.raises(Throttled):
            queue.run(hash_slowly)
        assert not begun.acquire(blocking=False)  # a third is not made at the same time
        go_on.set()
        assert [each.result(10) for each in waiting] == ["hash"] * 3
    assert queue.run(lambda: "free again") == "free again"


def _never(*arguments: Any, **options: Any) -> str:
    raise AssertionError("hashed")
