"""Alice signs in with what her telephone signs; mallory's device lies in every part of it."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime, timedelta
from typing import Any

import cbor2
import pytest
import time_machine
from cryptography.hazmat.primitives.asymmetric import ec
from django.test import Client, RequestFactory
from pytest_django import Settings

from games.accounts.accounts import Wanted, create_account
from games.accounts.guests import create_guest
from games.identities.identities import MOST, link
from games.identities.models import PASSKEY, Identity
from games.identities.passkeys import LONGEST_ANSWER, Passkey, host_of_passkeys
from games.players.models import Player
from tests.games.conftest import PASSWORD
from tests.games.identities.device import PRESENT, Device, text
from tests.games.identities.test_signing_in import is_signed_in
from tests.games.identities.test_ways_in import DANGEROUS, WAYS

OPTIONS, ANSWER = "/account/passkeys/options/", "/account/passkeys/"
HOST, ORIGIN = "localhost", "http://localhost"

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("fast_hashes")]


def ask(client: Client, ceremony: str, **fields: str) -> Any:
    return client.post(OPTIONS, {"ceremony": ceremony} | fields, HTTP_HOST=HOST)


def give(client: Client, answer: Any, host: str = HOST, **fields: str) -> Any:
    given = answer if isinstance(answer, str) else json.dumps(answer)
    return client.post(ANSWER, {"answer": given} | fields, HTTP_HOST=host)


def make(client: Client, device: Device, ceremony: str = "register", **fields: str) -> Any:
    return give(client, device.make(ask(client, ceremony, **fields).json(), ORIGIN))


def use(client: Client, device: Device, ceremony: str = "sign-in") -> Any:
    return give(client, device.use(ask(client, ceremony).json(), ORIGIN))


def register(client: Client, device: Device, handle: str) -> Player:
    assert make(client, device, handle=handle)["Location"] == "/account/"
    return Player.objects.get(username=handle)


@pytest.fixture
def device() -> Device:
    return Device()


@pytest.fixture
def alice(client: Client, device: Device) -> Player:
    """Alice has a passkey and no password, and is signed in."""
    return register(client, device, "alice")


@pytest.fixture
def bob() -> Client:
    """Bob has a password, and is signed in."""
    browser = Client()
    browser.force_login(create_account(Wanted("bob", None, PASSWORD), RequestFactory().get("/"), datetime.now(UTC)))
    return browser


def test_someone_new_registers_without_a_password_and_signs_in_without_a_name(alice: Player, device: Device) -> None:
    assert not alice.has_usable_password()
    other = Client()
    assert use(other, device)["Location"] == "/account/"
    assert other.get("/api/me/").json()["handle"] == "alice"


def test_a_passkey_leads_to_the_page_from_which_alice_signs_in(alice: Player, device: Device) -> None:
    other = Client()
    form = other.get("/account/sign-in/?next=/rules/", HTTP_HOST=HOST).text
    assert re.search(r'data-passkey="sign-in".*?name="next" value="/rules/"', form)
    answer = device.use(ask(other, "sign-in").json(), ORIGIN)
    assert give(other, answer, next="/rules/")["Location"] == "/rules/"


def test_a_guest_who_registers_keeps_the_games(client: Client, device: Device) -> None:
    guest = create_guest("Alice").player
    client.force_login(guest)
    assert make(client, device, handle="alice", display_name="Alice")["Location"] == "/account/"
    player = Player.objects.get(username="alice")
    assert (player.pk, player.is_guest, player.display_name) == (guest.pk, False, "Alice")


def test_what_a_browser_is_asked_for(client: Client, alice: Player, device: Device) -> None:
    asked = ask(Client(), "register", handle="carol").json()
    assert asked["rp"]["id"] == HOST
    assert asked["user"]["name"] == "carol"
    assert asked["attestation"] == "none"
    assert [one["alg"] for one in asked["pubKeyCredParams"]] == [-8, -7, -257]
    assert asked["authenticatorSelection"]["residentKey"] == "required"
    assert asked["authenticatorSelection"]["userVerification"] == "required"
    assert asked["timeout"] == 300_000
    asked = ask(Client(), "sign-in").json()
    assert (asked["rpId"], asked["userVerification"], asked.get("allowCredentials") or []) == (HOST, "required", [])
    own = Identity.objects.get().subject
    assert [one["id"] for one in ask(client, "confirm").json()["allowCredentials"]] == [own]
    use(client, device, "confirm")
    assert [one["id"] for one in ask(client, "add").json()["excludeCredentials"]] == [own]


@pytest.mark.parametrize("handle", ["", "a", "admin", "bob", "x" * 33])
def test_a_handle_that_nobody_can_take_is_refused_before_the_device_makes_anything(
    client: Client, bob: Client, handle: str
) -> None:
    answer = ask(client, "register", handle=handle)
    assert answer.status_code in {400, 409}
    assert answer.json()["message"]
    assert give(client, "{}").status_code == 403


def test_a_handle_that_was_taken_meanwhile_makes_nothing(client: Client, device: Device) -> None:
    options = ask(client, "register", handle="alice").json()
    register(Client(), Device(), "alice")
    assert give(client, device.make(options, ORIGIN)).status_code == 409
    assert Player.objects.count() == Identity.objects.count() == 1


def test_a_passkey_is_added_with_the_password_named_and_listed(bob: Client, device: Device) -> None:
    assert make(bob, device, "add", password=PASSWORD, passkey_name="My phone")["Location"] == WAYS
    page = bob.get(WAYS, HTTP_HOST=HOST).content.decode()
    assert "My phone, since" in page
    assert "last used" in page
    other = Client()
    assert use(other, device)["Location"] == "/account/"
    assert other.get("/api/me/").json()["handle"] == "bob"


@pytest.mark.parametrize("password", ["", "guessed-one"])
def test_who_only_has_the_session_adds_nothing(bob: Client, password: str) -> None:
    assert ask(bob, "add", password=password).status_code == 401
    assert give(bob, "{}").status_code == 403


def test_a_passkey_with_a_name_that_never_ends_is_refused(bob: Client) -> None:
    assert ask(bob, "add", password=PASSWORD, passkey_name="a" * 41).status_code == 400


def test_a_passkey_is_removed_and_opens_nothing_then(bob: Client, device: Device) -> None:
    make(bob, device, "add", password=PASSWORD)
    bob.post(WAYS, {"remove": Identity.objects.get().pk, "password": PASSWORD})
    assert not Identity.objects.exists()
    other = Client()
    assert use(other, device).status_code == 403
    assert not is_signed_in(other)


def test_the_last_passkey_stays(client: Client, alice: Player, device: Device) -> None:
    way = Identity.objects.get()
    use(client, device, "confirm")
    assert "your only way to sign in" in client.post(WAYS, {"remove": way.pk}).content.decode()
    assert make(client, Device(), "add")["Location"] == WAYS
    assert client.post(WAYS, {"remove": way.pk})["Location"] == WAYS
    assert Identity.objects.count() == 1


def test_ten_ways_are_enough(bob: Client, device: Device) -> None:
    player = Player.objects.get(username="bob")
    for number in range(MOST):
        link(player, Passkey(PASSKEY, f"abc{number}", b"k", 0, ""), datetime.now(UTC))
    assert make(bob, device, "add", password=PASSWORD).status_code == 409
    assert Identity.objects.count() == MOST


@pytest.mark.parametrize(("address", "asked"), DANGEROUS.values(), ids=DANGEROUS)
def test_without_a_password_one_uses_the_passkey_before_what_cannot_be_undone(
    client: Client, alice: Player, device: Device, address: str, asked: dict[str, str]
) -> None:
    assert "Sign in again under Ways to sign in" in client.post(address, asked).content.decode()
    assert use(client, device, "confirm")["Location"] == WAYS
    client.post(address, asked)
    alice.refresh_from_db()
    assert alice.has_usable_password() or not alice.is_active
    assert alice.has_usable_password() or not Identity.objects.exists()


def test_a_passkey_of_mallory_confirms_nothing_for_alice(client: Client, alice: Player) -> None:
    mallorys = Device()
    register(Client(), mallorys, "mallory")
    assert use(client, mallorys, "confirm").status_code == 409
    assert "Sign in again" in client.post("/account/password/", {"new_password": PASSWORD}).content.decode()


def test_a_closed_account_stays_closed(alice: Player, device: Device) -> None:
    Player.objects.update(is_active=False)
    other = Client()
    assert use(other, device).status_code == 403
    assert not is_signed_in(other)


def test_who_is_banned_still_signs_in(alice: Player, device: Device) -> None:
    Player.objects.update(banned_at=datetime.now(UTC))
    assert use(Client(), device)["Location"] == "/account/"


def test_an_account_that_was_erased_a_moment_ago_gets_no_passkey(bob: Client, device: Device) -> None:
    options = ask(bob, "add", password=PASSWORD).json()
    Player.objects.update(is_active=False)
    assert give(bob, device.make(options, ORIGIN)).status_code == 403
    assert not Identity.objects.exists()


USES: dict[str, dict[str, Any]] = {
    "a challenge of its own": {"challenge": text(bytes(64))},
    "an answer to another question": {"type": "webauthn.create"},
    "of another site": {"origin": "https://localhost.mallory.example"},
    "of the same name without TLS on another port": {"origin": "http://localhost:8001"},
    "for another host": {"host": "mallory.example"},
    "without anybody there": {"flags": 4},
    "without a finger or a number": {"flags": PRESENT},
    "of somebody else": {"user": bytes(32)},
    "with a key of its own": {"key": ec.generate_private_key(ec.SECP256R1())},
    "of an unknown passkey": {"number": bytes(32)},
}


@pytest.mark.parametrize("lies", USES.values(), ids=USES)
def test_a_lie_opens_nothing(alice: Player, device: Device, lies: dict[str, Any]) -> None:
    device.lies = lies
    other = Client()
    answer = use(other, device)
    assert answer.status_code == 403
    assert "That did not work" in answer.content.decode()
    assert not is_signed_in(other)


MAKES: dict[str, dict[str, Any]] = {
    "a challenge of its own": {"challenge": text(bytes(64))},
    "an answer to another question": {"type": "webauthn.get"},
    "of another site": {"origin": "https://localhost.mallory.example"},
    "for another host": {"host": "mallory.example"},
    "without anybody there": {"flags": 4},
    "without a finger or a number": {"flags": PRESENT},
    "another number than it says": {"said": bytes(32)},
    "a weak algorithm": {"cose": cbor2.dumps({1: 3, 3: -65535, -1: bytes(256), -2: b"\1\0\1"})},
    "an invalid key": {"cose": cbor2.dumps({1: 2, 3: -7, -1: 1, -2: bytes(32), -3: bytes(32)})},
    "a key that never ends": {"cose": cbor2.dumps({1: 3, 3: -257, -1: b"\xff" * 2048, -2: b"\1\0\1"})},
    "a number that never ends": {"number": bytes(1024)},
    "no key": {"cose": b""},
    "a list in a list in a list": {"cose": b"\x81" * 3000},
}


@pytest.mark.parametrize("lies", MAKES.values(), ids=MAKES)
def test_an_invalid_passkey_makes_no_account(client: Client, lies: dict[str, Any]) -> None:
    assert make(client, Device(**lies), handle="alice").status_code == 403
    assert not Player.objects.exists()


@pytest.mark.parametrize(
    "attestation",
    [
        {"fmt": "packed", "attStmt": {"alg": -7, "sig": b"x", "x5c": [b"x"]}},
        {"fmt": "android-safetynet", "attStmt": {"ver": "1", "response": b"x"}},
        {"fmt": "tpm", "attStmt": {"ver": "2.0"}},
    ],
)
def test_certificates_are_not_even_read(
    client: Client, monkeypatch: pytest.MonkeyPatch, attestation: dict[str, Any]
) -> None:
    read = list[Any]()
    monkeypatch.setattr("webauthn.verify_registration_response", lambda **given: read.append(given))
    assert make(client, Device(attestation=attestation), handle="alice").status_code == 403
    assert not read


NONSENSE = ["", "[]", "{}", "null", '{"id": []}', '{"id": "\\u0000"}', "[" * 8000, '{"response": 1, "id": "x"}']


@pytest.mark.parametrize("answer", NONSENSE)
@pytest.mark.parametrize("ceremony", ["register", "sign-in"])
def test_nonsense_is_a_sentence(client: Client, ceremony: str, answer: str) -> None:
    ask(client, ceremony, handle="alice")
    assert give(client, answer).status_code == 403


def test_an_answer_that_never_ends_is_not_read(alice: Player, device: Device) -> None:
    other = Client()
    answer = json.dumps(device.use(ask(other, "sign-in").json(), ORIGIN))
    assert give(other, answer.ljust(LONGEST_ANSWER + 1)).status_code == 403
    answer = json.dumps(device.use(ask(other, "sign-in").json(), ORIGIN))
    assert give(other, answer.ljust(LONGEST_ANSWER))["Location"] == "/account/"


def test_the_number_of_a_passkey_of_another_account_is_not_taken_from_it(
    bob: Client, alice: Player, device: Device
) -> None:
    copy = Device(number=device.number)
    assert make(bob, copy, "add", password=PASSWORD).status_code == 409
    assert make(Client(), copy, handle="mallory").status_code == 409
    assert Identity.objects.get().player == alice
    assert not Player.objects.filter(username="mallory").exists()
    assert use(Client(), device)["Location"] == "/account/"


def test_a_challenge_counts_once(client: Client, alice: Player, device: Device) -> None:
    other = Client()
    answer = device.use(ask(other, "sign-in").json(), ORIGIN)
    assert give(other, answer)["Location"] == "/account/"
    other.post("/account/sign-out/")
    assert give(other, answer).status_code == 403
    ask(other, "sign-in")
    assert give(other, answer).status_code == 403


def test_an_answer_confirms_once(client: Client, alice: Player, device: Device) -> None:
    answer = device.use(ask(client, "confirm").json(), ORIGIN)
    assert [give(client, answer).status_code for _ in range(2)] == [303, 403]


def test_a_challenge_that_was_answered_wrongly_is_gone(alice: Player, device: Device) -> None:
    other = Client()
    options = ask(other, "sign-in").json()
    assert give(other, "{}").status_code == 403
    assert give(other, device.use(options, ORIGIN)).status_code == 403


def test_a_challenge_of_one_browser_is_worth_nothing_in_another(alice: Player, device: Device) -> None:
    mallory, other = Client(), Client()
    answer = device.use(ask(other, "sign-in").json(), ORIGIN)
    assert give(mallory, answer).status_code == 403
    ask(mallory, "sign-in")
    assert give(mallory, answer).status_code == 403


def test_a_challenge_that_a_visitor_asked_for_does_nothing_once_bob_is_signed_in(bob: Client, device: Device) -> None:
    """Signing in keeps the session of a visitor."""
    visitor = Client()
    options = ask(visitor, "register", handle="carol").json()
    visitor.force_login(Player.objects.get(username="bob"))
    assert give(visitor, device.make(options, ORIGIN)).status_code == 403
    assert not Identity.objects.exists()


def test_a_question_for_one_thing_is_not_answered_with_another(client: Client, alice: Player, device: Device) -> None:
    assert [ask(client, one, handle="x").status_code for one in ("register", "sign-in", "other", "")] == [403] * 4
    assert [ask(Client(), one).status_code for one in ("add", "confirm")] == [403] * 2
    options = ask(Client(), "sign-in").json()
    other = Client()
    made = ask(other, "register", handle="carol").json()
    assert give(other, device.use(options | {"challenge": made["challenge"]}, ORIGIN)).status_code == 403


def test_five_minutes_later_it_is_too_late(alice: Player, device: Device) -> None:
    with time_machine.travel(datetime.now(UTC), tick=False) as clock:
        other = Client()
        answer = device.use(ask(other, "sign-in").json(), ORIGIN)
        clock.shift(timedelta(minutes=5))
        assert give(other, answer).status_code == 403
        answer = device.use(ask(other, "sign-in").json(), ORIGIN)
        clock.shift(timedelta(minutes=5, seconds=-1))
        assert give(other, answer)["Location"] == "/account/"


def test_a_count_that_goes_back_is_that_of_a_copy(alice: Player, device: Device) -> None:
    device.count = 5
    assert use(Client(), device)["Location"] == "/account/"
    for count in (5, 4, 0):
        device.count = count
        assert use(Client(), device).status_code == 403
    device.count = 6
    assert use(Client(), device)["Location"] == "/account/"


def test_attempts_are_counted_whether_they_succeed_or_not(settings: Settings) -> None:
    settings.PYRAMID_LIMITS = settings.PYRAMID_LIMITS | {"sign_in_address": (2, 3600)}
    assert [ask(Client(), "sign-in").status_code for _ in range(3)] == [200, 200, 429]


def test_no_other_site_can_begin_or_end_it() -> None:
    client = Client(enforce_csrf_checks=True)
    assert ask(client, "sign-in").status_code == give(client, "{}").status_code == 403
    assert client.get(OPTIONS).status_code == client.get(ANSWER).status_code == 405


HOSTS: list[tuple[str, str, bool, str]] = [
    ("*", "localhost:8000", False, "localhost"),
    ("*", "play.localhost", False, "play.localhost"),
    ("*", "127.0.0.1:8000", False, ""),
    ("*", "127.0.0.1", True, ""),
    ("*", "[::1]:8000", True, ""),
    ("*", "pyramid.example", False, ""),
    ("*", "pyramid.example", True, "pyramid.example"),
    ("", "pyramid.example", True, ""),
    ("pyramid.example", "www.pyramid.example", True, "pyramid.example"),
    ("pyramid.example", "pyramid.example:8443", True, "pyramid.example"),
    ("pyramid.example", "mypyramid.example", True, ""),
    ("pyramid.example", "localhost", False, ""),
]


@pytest.mark.parametrize(("setting", "host", "has_tls", "found"), HOSTS)
def test_browsers_keep_passkeys_for_names_with_tls_or_on_this_machine(
    settings: Settings, setting: str, host: str, has_tls: bool, found: str
) -> None:
    settings.PYRAMID_PASSKEYS, settings.ALLOWED_HOSTS = setting, ["*"]
    request = RequestFactory().get("/account/sign-in/", secure=has_tls, HTTP_HOST=host)
    assert host_of_passkeys(request) == found


def test_where_there_are_no_passkeys_nothing_is_said_of_them_and_nothing_is_asked(settings: Settings) -> None:
    client = Client()
    assert "passkey" in client.get("/account/sign-in/", HTTP_HOST=HOST).content.decode()
    assert "passkey" not in client.get("/account/sign-in/", HTTP_HOST="127.0.0.1").content.decode()
    settings.PYRAMID_PASSKEYS = ""
    assert "passkey" not in client.get("/account/sign-in/", HTTP_HOST=HOST).content.decode()
    assert ask(client, "sign-in").status_code == ask(client, "register", handle="alice").status_code == 403


def test_sub_domains_share_the_passkeys_of_the_name_in_the_settings(settings: Settings, device: Device) -> None:
    settings.PYRAMID_PASSKEYS, settings.ALLOWED_HOSTS = "pyramid.example", [".pyramid.example"]
    for name, fields in (("www", {"ceremony": "register", "handle": "alice"}), ("play", {"ceremony": "sign-in"})):
        client, at = Client(), f"{name}.pyramid.example"
        options = client.post(OPTIONS, fields, HTTP_HOST=at, secure=True).json()
        answer = (device.make if "user" in options else device.use)(options, f"https://{at}")
        taken = client.post(ANSWER, {"answer": json.dumps(answer)}, HTTP_HOST=at, secure=True)
        assert taken["Location"] == "/account/"
