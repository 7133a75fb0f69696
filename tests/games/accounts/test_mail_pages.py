"""The mail address of an account, and a forgotten password, on pages and over REST."""

from __future__ import annotations

import logging
import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.conf import settings as server
from django.core import mail as outbox
from django.core.mail.backends.locmem import EmailBackend
from django.test import Client
from pytest_django.fixtures import Settings

from games.doors import mail
from games.keys.tokens import issue_token, token_holder
from games.players.models import Player
from tests.games.api import Api, refusal
from tests.games.conftest import PASSWORD

ANOTHER = "staple the horse to it"
ADDRESS = "carol@example.org"
JSON: Any = {"content_type": "application/json"}

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("fast_hashes")]


@pytest.fixture(autouse=True)
def _configured(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.PYRAMID_SENDS_MAIL = True
    settings.PYRAMID_PUBLIC_URL = "http://testserver"
    monkeypatch.setitem(server.PYRAMID_LIMITS, "mails", (3, 3600))
    monkeypatch.setitem(server.PYRAMID_LIMITS, "mails_address", (100, 3600))


def wait_for_mail() -> None:
    mail._thread().submit(lambda: None).result(30)


def link_in_mail() -> str:
    """Return the path of the link in the last mail."""
    (path,) = re.findall(r"http://testserver(/\S+)", str(outbox.outbox[-1].body))
    return str(path)


def test_a_mail_leads_to_the_public_address_whatever_the_request_says(carol: Player, settings: Settings) -> None:
    settings.PYRAMID_PUBLIC_URL = "https://pyramid.example"
    Player.objects.filter(pk=carol.pk).update(email=ADDRESS)
    for mallory in ({"host": "localhost:9191"}, {"host": "127.0.0.1"}, {"x-forwarded-host": "evil.example"}):
        Client().post("/account/reset/", {"email": ADDRESS}, headers=mallory)
    wait_for_mail()
    links = [re.findall(r"\w+://[^/\s]+", str(one.body)) for one in outbox.outbox]
    assert links == [["https://pyramid.example"]] * 3


def want(client: Client, address: str = ADDRESS, password: str = PASSWORD) -> Any:
    return client.post("/account/mail/", {"email": address, "password": password})


def reset_link(address: str = ADDRESS) -> str:
    response = Client().post("/account/reset/", {"email": address})
    assert "Check your mail" in response.text
    wait_for_mail()
    return link_in_mail()


def opened(link: str) -> tuple[Client, str]:
    """Open a reset link as a browser without a name, and return where it leads: the token is not in that address."""
    browser = Client()
    response = browser.get(link)
    assert response.status_code == 302
    return browser, response["Location"]


def test_an_address_is_kept_once_its_reader_has_confirmed_it(client: Client, carol: Player) -> None:
    assert want(client, " Carol@Example.org ").status_code == 303
    assert "A mail is on its way." in client.get("/account/mail/").text
    assert outbox.outbox[0].to == [ADDRESS]
    link = link_in_mail()
    assert Player.objects.get().email == ""
    assert "Confirm this address" in client.get(link).text
    assert Player.objects.get().email == ""  # a program that looks into mails has opened it
    assert client.post(link)["Location"] == "/account/mail/"
    assert Player.objects.get().email == ADDRESS
    client.post("/account/mail/", {"email": "", "password": PASSWORD})
    assert Player.objects.get().email == ""


def test_a_link_that_carol_opens_on_another_device_waits_until_she_has_signed_in(client: Client, carol: Player) -> None:
    want(client)
    link, telephone = link_in_mail(), Client()
    assert telephone.get("/account/mail/a-guess/").status_code == 404
    sign_in = telephone.get(link)["Location"]
    answer = telephone.post(sign_in, {"handle": "carol", "password": PASSWORD})
    assert answer["Location"] == link
    assert telephone.post(link)["Location"] == "/account/mail/"
    assert Player.objects.get().email == ADDRESS


def test_a_link_that_carol_opens_and_confirms_twice_has_not_expired_until_she_has_another_address(
    client: Client, carol: Player
) -> None:
    want(client)
    link = link_in_mail()
    for _ in range(2):
        assert "Confirm this address" in client.get(link).text
        assert client.post(link)["Location"] == "/account/mail/"
        assert Player.objects.get().email == ADDRESS
    want(client, "carol@example.com")
    client.post(link_in_mail())
    assert client.post(link).status_code == 404
    assert Player.objects.get().email == "carol@example.com"


def test_a_stolen_session_sets_no_address(client: Client, carol: Player) -> None:
    assert "This is not your password." in want(client, "mallory@example.org", "a guess").text
    assert outbox.outbox == []


def test_a_link_of_carol_confirms_nothing_for_mallory_and_ends_with_the_password(
    client: Client, carol: Player, mallory: Player
) -> None:
    want(client)
    link, evil = link_in_mail(), Client()
    Player.objects.filter(pk=mallory.pk).update(is_guest=False)
    evil.force_login(Player.objects.get(pk=mallory.pk))
    assert evil.post(link).status_code == 404
    assert Client().get(link).status_code == 302
    client.post("/account/password/", {"password": PASSWORD, "new_password": ANOTHER})
    assert client.post(link).status_code == 404
    assert set(Player.objects.values_list("email", flat=True)) == {""}


@pytest.mark.parametrize(
    "address",
    [
        *("carol", "carol@", "@example.org", "a b@example.org", "carol@example", "x" * 250 + "@example.org"),
        *("carol@example.org\nBcc: bob@example.org", "carol@example.org,bob@example.org", "c\u00e4rol@example.org"),
        *("\u212aarol@example.org", "carol@ex\u00e4mple.org", '"<script>"@', "carol@[127.0.0.1"),
    ],
)
def test_what_is_no_mail_address_is_refused_at_every_door(client: Client, carol: Player, address: str) -> None:
    assert want(client, address).status_code == 200
    assert Client().post("/account/reset/", {"email": address}).status_code == 200
    asked = Client().post("/api/password-reset/", {"email": address}, **JSON)
    assert (asked.status_code, asked.json()["code"]) in {(400, "bad_mail_address"), (400, "invalid_request")}
    wait_for_mail()
    assert outbox.outbox == []


def test_a_forgotten_password_is_replaced_and_everything_ends(client: Client, carol: Player) -> None:
    Player.objects.update(email=ADDRESS)
    token = issue_token(carol).token
    link = reset_link()
    browser, form = opened(link)
    assert link.split("/")[-2] not in form
    weak = browser.post(form, {"new_password": "short"})
    assert "too short" in weak.text
    assert browser.post(form, {"new_password": ANOTHER})["Location"] == "/account/sign-in/"
    assert "Your password has been changed." in browser.get("/account/sign-in/").text
    assert Player.objects.get().check_password(ANOTHER)
    assert token_holder(token) is None
    assert client.get("/account/")["Location"] == "/account/sign-in/?next=%2Faccount%2F"


def test_a_reset_link_is_good_once_and_for_two_hours(client: Client, carol: Player) -> None:
    Player.objects.update(email=ADDRESS)
    first, second = reset_link(), reset_link()
    used, form = opened(first)
    also, other_form = opened(second)
    used.post(form, {"new_password": ANOTHER})
    for browser, address in ((Client(), first), (Client(), second), (also, other_form), (used, form)):
        assert "This link has expired" in browser.get(address, follow=True).text
        browser.post(address, {"new_password": "mallory was here"})
    assert Player.objects.get().check_password(ANOTHER)
    late = reset_link()
    with time_machine.travel(datetime.now(UTC) + timedelta(hours=2, minutes=1)):
        assert "This link has expired" in Client().get(late).text


@pytest.mark.parametrize(
    "link", ["/account/reset/MQ/nonsense/", "/account/reset/%C3%A4/x-y/", "/account/reset/_/set-password/"]
)
def test_a_made_up_reset_link_opens_nothing(carol: Player, link: str) -> None:
    assert "This link has expired" in Client().get(link).text


def test_nobody_learns_which_addresses_have_accounts(carol: Player) -> None:
    Player.objects.update(email=ADDRESS)
    Player.objects.create_user(username="dave", password=PASSWORD, email="dave@example.org", is_active=False)
    addresses = [ADDRESS, "nobody@example.org", "dave@example.org"]
    pages = {Client().post("/account/reset/", {"email": address}).text for address in addresses}
    answers = {Client().post("/api/password-reset/", {"email": address}, **JSON).content for address in addresses}
    assert (len(pages), answers) == (1, {b'{"is_sent":true}'})
    wait_for_mail()
    assert [message.to for message in outbox.outbox] == [[ADDRESS]] * 2


def test_mails_to_an_address_are_limited_whether_it_has_an_account_or_not(carol: Player) -> None:
    Player.objects.update(email=ADDRESS)
    for address in (ADDRESS, "nobody@example.org"):
        for _ in range(3):
            Client().post("/account/reset/", {"email": address})
        assert "Too many attempts" in Client().post("/account/reset/", {"email": address}).text
        asked = Client().post("/api/password-reset/", {"email": address}, **JSON)
        assert (asked.status_code, asked.json()["code"]) == (429, "too_many_requests")
    wait_for_mail()
    assert len(outbox.outbox) == 3


def test_mallory_who_asks_to_confirm_the_address_of_carol_keeps_her_from_no_new_password(carol: Player) -> None:
    mallory = Player.objects.create_user("mallory", password=ANOTHER)
    Player.objects.filter(pk=carol.pk).update(email=ADDRESS)
    browser = Client()
    browser.force_login(mallory)
    for _ in range(3):
        want(browser, password=ANOTHER)
    assert "Too many attempts" in want(browser, password=ANOTHER).text
    assert "Check your mail" in Client().post("/account/reset/", {"email": ADDRESS}).text
    wait_for_mail()
    assert [(message.to, message.subject) for message in outbox.outbox][3:] == [([ADDRESS], "Choose a new password")]


def test_a_mail_that_fails_is_said_to_whoever_waits_for_it_and_logged_without_the_address(
    client: Client, carol: Player, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(EmailBackend, "send_messages", _refuse)
    assert "The mail could not be sent; nothing was changed" in want(client).text
    Player.objects.update(email=ADDRESS)
    with caplog.at_level(logging.ERROR):
        assert "Check your mail" in Client().post("/account/reset/", {"email": ADDRESS}).text
        wait_for_mail()
    assert "a mail could not be sent: ConnectionRefusedError" in caplog.text
    assert ADDRESS not in caplog.text


def test_a_host_that_cannot_be_one_is_a_mail_that_fails(client: Client, carol: Player, settings: Settings) -> None:
    settings.EMAIL_BACKEND, settings.EMAIL_HOST = "django.core.mail.backends.smtp.EmailBackend", "mail..example"
    assert "The mail could not be sent; nothing was changed" in want(client).text


def test_a_server_without_mail_takes_no_addresses_and_says_so(
    client: Client, carol: Player, settings: Settings
) -> None:
    settings.PYRAMID_SENDS_MAIL = False
    assert "This server sends no mail" in client.get("/account/mail/").text
    assert "This server sends no mail" in want(client).text
    assert "This server sends no mail" in Client().get("/account/reset/").text
    assert "This server sends no mail" in Client().post("/account/reset/", {"email": ADDRESS}).text
    assert outbox.outbox == []


def test_the_same_over_rest(carol: Player) -> None:
    api = Api(carol)
    asked = {"email": ADDRESS, "password": PASSWORD}
    assert api.post("/api/me/mail/", asked).json() == {"is_sent": True}
    assert refusal(api.post("/api/me/mail/", {**asked, "password": "a guess"})) == (401, "sign_in_failed")
    browser = Client()
    browser.force_login(carol)
    browser.post(link_in_mail())
    assert Player.objects.get().email == ADDRESS
    assert api.post("/api/me/mail/", {**asked, "email": ""}).json() == {"is_sent": False}
    assert Player.objects.get().email == ""


@pytest.mark.parametrize("address", ["/account/mail/", "/account/reset/"])
def test_no_other_site_asks_for_mails(carol: Player, address: str) -> None:
    forging = Client(enforce_csrf_checks=True)
    forging.force_login(carol)
    assert forging.post(address, {"email": ADDRESS, "password": PASSWORD}).status_code == 403


def _refuse(*arguments: Any) -> int:
    raise ConnectionRefusedError
