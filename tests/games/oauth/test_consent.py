"""Apps get tokens for what their players allow, and nothing else; with the attacks on the way."""

from __future__ import annotations

import logging
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from asgiref.sync import sync_to_async
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.models import RestrictedError
from django.test import Client
from knox.models import AuthToken

from games.doors.scopes import FOR_APPS, scopes_in
from games.keys import sockets
from games.keys.keys import end_keys, keys_of, make_token
from games.keys.models import TokenTerms
from games.keys.tokens import forget_tokens
from games.oauth import granting
from games.oauth.granting import MOST_TOKENS, allowed_by, forget_ended_grants
from games.oauth.models import App, Grant, Voucher
from games.oauth.refusals import BadAddress, TooManyApps
from games.oauth.registering import MOST_APPS, is_address_of, register_app
from games.personal_data.erasure import erase_player
from games.players.models import Player
from games.runtime.memory import forget_everything
from tests.games.accounts.test_pages import said
from tests.games.oauth.conftest import BACK, Program, answered, status_with
from tests.games.sockets import connected

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("fast_hashes")]


def error_of(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json()["error"]


VOID = (400, "invalid_grant")


def test_an_app_gets_what_its_player_allows_and_the_player_sees_it_first(
    client: Client, carol: Player, widget: Program
) -> None:
    asked = said(client.get(widget.question()))
    for words in ("Widget", "dave", "carol", "widget.example", "Play for you", "Read your games"):
        assert words in asked
    assert "Read your notifications" not in asked
    page = client.post(widget.question(), {"allow": "yes"})
    answer = answered(page)
    assert page["refresh"].startswith("0;url=" + BACK)
    assert (answer["state"], answer["iss"], answer["page"]) == (widget.state, "http://testserver", "1")
    tokens = widget.exchange(answer["code"])
    assert tokens["Cache-Control"] == "no-store"
    got = tokens.json()
    assert (got["token_type"], got["scope"]) == ("Bearer", "play read")
    assert 3590 <= got["expires_in"] <= 3600
    assert status_with(got["access_token"]) == 200
    assert status_with(got["access_token"], "/api/me/keys/") == 403
    assert status_with(got["access_token"], "/api/me/notifications/") == 403


def test_who_does_not_allow_it_sends_the_app_nothing_but_that(client: Client, carol: Player, widget: Program) -> None:
    answer = answered(client.post(widget.question(), {"deny": "yes"}))
    assert answer == {"page": "1", "error": "access_denied", "state": widget.state, "iss": "http://testserver"}
    assert not Grant.objects.exists()


WRONG_QUESTIONS: list[tuple[str, dict[str, str | None]]] = [
    ("invalid_request", {"redirect_uri": "https://mallory.example/"}),
    ("invalid_request", {"redirect_uri": BACK + "&more=1"}),
    ("invalid_request", {"redirect_uri": BACK.replace("back", "back/../evil")}),
    ("invalid_request", {"redirect_uri": "https://widget.example@mallory.example/back?page=1"}),
    ("invalid_request", {"redirect_uri": "javascript:alert(1)"}),
    ("invalid_request", {"redirect_uri": 'https://"\N{SNOWMAN}'}),
    ("invalid_request", {"redirect_uri": None}),
    ("invalid_client", {"client_id": "nobody"}),
    ("invalid_client", {"client_id": None}),
    ("unsupported_response_type", {"response_type": "token"}),
    ("invalid_request", {"code_challenge": None}),
    ("invalid_request", {"code_challenge_method": None}),
    ("invalid_request", {"code_challenge_method": "plain"}),
    ("invalid_scope", {"scope": "read account"}),
    ("invalid_scope", {"scope": "desk"}),
    ("invalid_scope", {"scope": None}),
]


def test_questions_that_are_wrong_lead_nowhere_and_allow_nothing(
    client: Client, carol: Player, widget: Program
) -> None:
    for error, changed in WRONG_QUESTIONS:
        address = widget.question(**changed)
        for page in (client.get(address), client.post(address, {"allow": "yes"})):
            assert page.status_code == 400, changed
            assert f"<code>{error}</code>" in page.content.decode(), changed
            assert "refresh" not in page, changed
            assert "Location" not in page, changed
            assert "mallory.example" not in page.content.decode(), changed
    assert not Grant.objects.exists()


def test_addresses_match_exactly_but_for_the_port_of_a_program_on_ones_own_machine(widget: Program) -> None:
    addresses = {
        BACK: True,
        "https://WIDGET.example/back?page=1": False,
        "https://widget.example:444/back?page=1": False,
        "http://127.0.0.1/back": True,
        "http://127.0.0.1:51004/back": True,
        "http://[::1]:51004/back": True,
        "http://127.0.0.1:51004/other": False,
        "https://127.0.0.1:51004/back": False,
        "http://127.0.0.1.mallory.example/back": False,
        "http://127.0.0.1@mallory.example/back": False,
        "http://localhost:9/back": True,
        "http://localhost:10/back": False,
        "http://127.0.0.1:99999/back": False,
    }
    assert {address: is_address_of(widget.app, address) for address in addresses} == addresses


def test_no_app_is_registered_with_an_address_that_is_not_safe(dave: Player) -> None:
    for address in (
        *("http://example.com/", "https:///x", "https://a@b/", "https://b/#x", "javascript://b/", "app:/x", "//b/"),
        *("https://b/ c", "https://b/\\c", "https://b/" + "x" * 400, "https://b:x/", "https://[b/", ""),
    ):
        with pytest.raises(BadAddress):
            register_app(dave, "Widget", [address], datetime.now(UTC))


def test_a_command_registers_no_app_under_a_name_that_the_page_refuses(dave: Player) -> None:
    for name in ("", " ", "x" * 41, "Widget\u202e"):
        with pytest.raises(CommandError, match="cannot be the name of an app"):
            call_command("register_app", dave.username, name)
    assert not dave.apps.exists()


def test_no_other_site_can_frame_the_question_or_answer_it(carol: Player, widget: Program) -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(carol)
    page = browser.get(widget.question())
    assert page["X-Frame-Options"] == "DENY"
    assert "frame-ancestors 'none'" in page["Content-Security-Policy"]
    assert browser.post(widget.question(), {"allow": "yes"}).status_code == 403
    assert not Grant.objects.exists()


def test_a_code_counts_once_and_one_that_comes_back_ends_what_came_of_it(
    client: Client, carol: Player, widget: Program
) -> None:
    code = answered(client.post(widget.question(), {"allow": "yes"}))["code"]
    got = widget.exchange(code).json()
    assert error_of(widget.exchange(code)) == VOID
    assert status_with(got["access_token"]) == 401
    assert error_of(widget.refresh(got["refresh_token"])) == VOID
    assert not Grant.objects.exists()


def test_of_two_who_use_a_code_at_once_one_gets_tokens_at_most_and_they_end(
    client: Client, carol: Player, widget: Program
) -> None:
    code = answered(client.post(widget.question(), {"allow": "yes"}))["code"]

    def exchange(_: int) -> Any:
        try:
            return widget.exchange(code)
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(exchange, range(2)))
    got = [answer.json()["access_token"] for answer in answers if answer.status_code == 200]
    assert len(got) <= 1
    assert [status_with(token) for token in got] == [401] * len(got)
    assert not Grant.objects.exists()


def test_a_stolen_code_is_worth_nothing_elsewhere_and_stays_good_for_its_app(
    client: Client, carol: Player, widget: Program, dave: Player
) -> None:
    code = answered(client.post(widget.question(), {"allow": "yes"}))["code"]
    other = Program(register_app(dave, "Other", [BACK], datetime.now(UTC)))
    assert error_of(other.exchange(code, code_verifier=widget.verifier)) == VOID
    assert error_of(widget.exchange(code, code_verifier=other.verifier)) == VOID
    assert error_of(widget.exchange(code, code_verifier="")) == (400, "invalid_request")
    assert error_of(widget.exchange(code, redirect_uri="http://127.0.0.1/back")) == VOID
    assert error_of(widget.refresh(code)) == VOID
    assert widget.exchange(code).status_code == 200


def test_a_code_is_good_for_a_minute(client: Client, carol: Player, widget: Program) -> None:
    code = answered(client.post(widget.question(), {"allow": "yes"}))["code"]
    with time_machine.travel(datetime.now(UTC) + timedelta(seconds=61)):
        assert error_of(widget.exchange(code)) == VOID


def test_a_refresh_token_counts_once_and_one_that_comes_back_ends_the_family(carol: Player, widget: Program) -> None:
    first = widget.tokens(carol)
    second = widget.refresh(first["refresh_token"]).json()
    assert second["refresh_token"] != first["refresh_token"]
    assert status_with(second["access_token"]) == 200
    assert error_of(widget.refresh(first["refresh_token"])) == VOID
    assert [status_with(got["access_token"]) for got in (first, second)] == [401, 401]
    assert error_of(widget.refresh(second["refresh_token"])) == VOID


def test_a_refresh_token_never_grows(carol: Player, widget: Program, dave: Player) -> None:
    got = widget.tokens(carol, scope="read play")
    assert error_of(widget.refresh(got["refresh_token"], scope="read play races")) == (400, "invalid_scope")
    assert error_of(widget.refresh(got["refresh_token"], scope="account")) == (400, "invalid_scope")
    narrow = widget.refresh(got["refresh_token"], scope="read").json()
    assert narrow["scope"] == "read"
    assert status_with(narrow["access_token"], "/api/games/", "post") == 403
    assert widget.refresh(narrow["refresh_token"]).json()["scope"] == "play read"
    other = Program(register_app(dave, "Other", [BACK], datetime.now(UTC)))
    assert error_of(other.refresh(narrow["refresh_token"])) == VOID


def test_a_token_of_an_app_ends_after_an_hour_however_much_it_is_used(carol: Player, widget: Program) -> None:
    got = widget.tokens(carol)
    for minutes, status in ((50, 200), (61, 401)):
        with time_machine.travel(datetime.now(UTC) + timedelta(minutes=minutes)):
            forget_everything()  # so that its use is seen
            assert status_with(got["access_token"]) == status


def test_what_is_revoked_is_worth_nothing_and_the_rest_stays(client: Client, carol: Player, widget: Program) -> None:
    one, two = widget.tokens(carol), widget.tokens(carol)
    assert widget.http.post("/oauth/revoke/", {"client_id": widget.app.pk, "token": "x"}).status_code == 200
    widget.http.post("/oauth/revoke/", {"client_id": widget.app.pk, "token": one["refresh_token"]})
    assert [status_with(got["access_token"]) for got in (one, two)] == [401, 200]
    widget.http.post("/oauth/revoke/", {"client_id": widget.app.pk, "token": two["access_token"]})
    assert status_with(two["access_token"]) == 401
    assert widget.refresh(two["refresh_token"]).status_code == 200
    page = said(client.get("/account/apps/"))
    assert "Widget" in page
    client.post("/account/apps/", {"revoke": widget.app.pk})
    assert "No app has access" in said(client.get("/account/apps/"))
    assert not Grant.objects.exists()
    assert not TokenTerms.objects.exists()


def test_mallory_ends_nothing_of_carol(carol: Player, mallory: Player, widget: Program, dave: Player) -> None:
    got = widget.tokens(carol)
    Player.objects.filter(pk=mallory.pk).update(is_guest=False)
    evil, other = Client(), register_app(dave, "Other", [], datetime.now(UTC))
    evil.force_login(Player.objects.get(pk=mallory.pk))
    evil.post("/account/apps/", {"revoke": widget.app.pk})
    evil.post("/account/apps/own/", {"remove": widget.app.pk})
    for token in (got["access_token"], got["refresh_token"]):
        evil.post("/oauth/revoke/", {"client_id": other.pk, "token": token})
    assert status_with(got["access_token"]) == 200
    assert App.objects.count() == 2


@pytest.mark.parametrize("how", ["closed", "keys", "erased", "owner closed", "app removed", "owner erased"])
def test_nothing_is_left_of_an_app_when_the_account_ends_or_the_app(
    client: Client, carol: Player, widget: Program, dave: Player, how: str
) -> None:
    got, now = widget.tokens(carol), datetime.now(UTC)
    code = answered(client.post(widget.question(), {"allow": "yes"}))["code"]
    if how == "closed":
        carol.is_active = False
        carol.save()
    elif how == "keys":
        end_keys(carol)
    elif how == "erased":
        erase_player(carol, "asked", None, now)
    elif how == "owner closed":
        dave.is_active = False
        dave.save()
    elif how == "owner erased":
        erase_player(dave, "asked", None, now)
    else:
        browser = Client()
        browser.force_login(dave)
        browser.post("/account/apps/own/", {"remove": widget.app.pk})
    assert widget.refresh(got["refresh_token"]).status_code == 400
    assert widget.exchange(code).status_code == 400
    assert status_with(got["access_token"]) == 401
    assert how == "closed" or not allowed_by(Player.objects.get(pk=carol.pk))


def test_guests_and_strangers_sign_in_first_and_then_come_back_to_the_question(
    carol: Player, alice: Player, widget: Program
) -> None:
    stranger, guest = Client(), Client()
    guest.force_login(alice)
    assert guest.get(widget.question())["Location"].startswith("/account/claim/?next=")
    sign_in = stranger.get(widget.question())["Location"]
    assert "sessionid" not in stranger.cookies
    signed_in = stranger.post(sign_in, {"handle": "carol", "password": "correct horse battery"})
    assert signed_in["Location"] == widget.question()
    assert not Grant.objects.exists()


def test_a_cookie_is_no_credential_of_an_app(client: Client, carol: Player, widget: Program) -> None:
    for path in ("/oauth/token/", "/oauth/revoke/", "/oauth/devices/"):
        answer = client.post(path, {"client_id": widget.app.pk}, headers={"origin": "https://b.example"})
        assert answer.status_code == 400
    assert not AuthToken.objects.exists()


@pytest.mark.parametrize("path", ["/oauth/token/", "/oauth/revoke/", "/oauth/devices/"])
def test_pages_of_apps_may_read_the_answers_but_send_no_cookies(widget: Program, path: str) -> None:
    answer = Client().post(path, {}, headers={"origin": "https://widget.example"})
    assert answer["Access-Control-Allow-Origin"] == "*"
    assert "Access-Control-Allow-Credentials" not in answer
    consent = Client().get(widget.question(), headers={"origin": "https://widget.example"})
    assert "Access-Control-Allow-Origin" not in consent


def test_the_secrets_are_in_no_log_and_only_as_hashes_in_the_database(
    client: Client, carol: Player, widget: Program, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG):
        code = answered(client.post(widget.question(), {"allow": "yes"}))["code"]
        got = widget.exchange(code).json()
        widget.refresh("no such token")
    tables = (Voucher, AuthToken, TokenTerms)
    stored = [row for table in tables for row in table.objects.values_list()]
    for secret in (code, got["access_token"], got["refresh_token"], widget.verifier):
        assert secret not in caplog.text
        assert secret not in str(stored)


def test_nothing_counts_that_is_in_the_address_of_a_request_for_tokens(
    client: Client, carol: Player, widget: Program
) -> None:
    code = answered(client.post(widget.question(), {"allow": "yes"}))["code"]
    form = {"grant_type": "authorization_code", "redirect_uri": BACK, "code_verifier": widget.verifier, "code": code}
    address = f"/oauth/token/?client_id={widget.app.pk}"
    assert error_of(widget.http.post(address, form)) == (400, "invalid_request")
    assert widget.exchange(code).status_code == 200


def test_strangers_may_try_so_often(widget: Program, settings: Any) -> None:
    settings.PYRAMID_LIMITS = {**settings.PYRAMID_LIMITS, "app_tokens": (2, 3600), "device_codes": (2, 3600)}
    statuses = [widget.refresh("guess").status_code for _ in range(3)]
    assert statuses == [400, 400, 429]
    tried = [widget.http.post("/oauth/devices/", {}) for _ in range(3)]
    assert [one.status_code for one in tried] == [400, 400, 429]
    assert int(tried[-1]["Retry-After"]) > 0


def test_an_account_has_so_many_apps_and_no_more_grants_and_tokens_than_it_can_use(
    carol: Player, dave: Player, widget: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(MOST_APPS - 1):
        register_app(dave, f"App {number}", [], datetime.now(UTC))
    with pytest.raises(TooManyApps):
        register_app(dave, "App", [], datetime.now(UTC))
    monkeypatch.setattr(granting, "MOST_GRANTS", 3)
    for _ in range(4):
        widget.tokens(carol)
    got = widget.tokens(carol)
    assert Grant.objects.count() == 3
    for _ in range(MOST_TOKENS + 2):
        got = widget.refresh(got["refresh_token"]).json()
    assert status_with(got["access_token"]) == 200
    assert TokenTerms.objects.filter(grant=Grant.objects.latest("pk")).count() == MOST_TOKENS
    assert [key.kind for key in keys_of(carol)].count("token") == 0


def test_a_token_that_an_app_makes_for_a_bot_ends_with_what_the_app_is_allowed(carol: Player, widget: Program) -> None:
    got = widget.tokens(carol, scope="bots read")
    as_app = Client(headers={"authorization": f"Bearer {got['access_token']}"})
    made = as_app.post("/api/me/bots/", {"handle": "deep-thirteen"}, "application/json").json()
    more = as_app.post("/api/me/bots/deep-thirteen/keys/", {"name": "x"}, "application/json").json()
    assert [status_with(one["token"]) for one in (made, more)] == [200, 200]
    assert len(keys_of(Player.objects.get(username="deep-thirteen"))) == 2
    widget.http.post("/oauth/revoke/", {"client_id": widget.app.pk, "token": got["refresh_token"]})
    assert [status_with(one["token"]) for one in (made, more)] == [401, 401]


def test_an_app_of_mallory_hands_a_bot_of_carol_no_right_that_carol_did_not_allow_it(
    carol: Player, widget: Program
) -> None:
    got = widget.tokens(carol, scope="bots read")
    as_app = Client(headers={"authorization": f"Bearer {got['access_token']}"})
    made = as_app.post("/api/me/bots/", {"handle": "deep-thirteen"}, "application/json").json()
    address = "/api/me/bots/deep-thirteen/keys/"
    for scopes in (["play"], ["read", "account"]):
        refused = as_app.post(address, {"name": "x", "scopes": scopes}, "application/json")
        assert (refused.status_code, refused.json()["scope"]) == (403, scopes[-1])
    some = as_app.post(address, {"name": "x", "scopes": ["read"]}, "application/json").json()
    all_of_it = as_app.post(address, {"name": "y"}, "application/json").json()
    can = [scopes_in(text) for text in TokenTerms.objects.order_by("token__created").values_list("scopes", flat=True)]
    assert can == [{"bots", "read"}, {"bots", "read"}, {"read"}, {"bots", "read"}]
    for one in (made, some, all_of_it):
        assert status_with(one["token"]) == 200
        assert status_with(one["token"], "/api/games/", "post") == status_with(one["token"], "/api/me/keys/") == 403


@pytest.mark.parametrize("how", ["removed", "new password", "closed"])
def test_tokens_that_a_bot_of_an_app_makes_end_with_what_the_app_is_allowed_however_many_lie_between(
    carol: Player, widget: Program, how: str
) -> None:
    got = widget.tokens(carol, scope="bots read")
    own = make_token(carol, "her own").token
    tokens = [made_with(got["access_token"], "/api/me/bots/", {"handle": "deep-thirteen"})]
    TokenTerms.objects.filter(name="deep-thirteen").update(scopes="read bots account")  # as no app gets it
    forget_tokens(Player.objects.get(username="deep-thirteen").pk)
    for name in ("second", "third"):
        tokens.append(made_with(tokens[-1], "/api/me/keys/", {"name": name}))
    assert [status_with(token) for token in tokens] == [200, 200, 200]
    if how == "removed":
        widget.http.post("/oauth/revoke/", {"client_id": widget.app.pk, "token": got["refresh_token"]})
    elif how == "new password":
        end_keys(carol)
    else:
        carol.is_active = False
        carol.save()
    assert [status_with(token) for token in tokens] == [401, 401, 401]
    assert status_with(own) == (200 if how == "removed" else 401)


def made_with(token: str, address: str, asked: dict[str, str]) -> str:
    """Return the token that a program gets there with another one."""
    made = Client(headers={"authorization": f"Bearer {token}"}).post(address, asked, "application/json")
    return str(made.json()["token"])


def test_what_was_allowed_is_not_forgotten_before_the_tokens_that_came_of_it(carol: Player, widget: Program) -> None:
    got = widget.tokens(carol)
    with pytest.raises(RestrictedError):
        Grant.objects.all().delete()
    now = datetime.now(UTC)
    forget_ended_grants(now)
    assert status_with(got["access_token"]) == 200
    end_keys(carol)
    forget_ended_grants(now)
    assert not Grant.objects.exists()


def test_the_server_says_what_it_can_do() -> None:
    said_of = Client().get("/.well-known/oauth-authorization-server").json()
    assert said_of["issuer"] == "http://testserver"
    assert said_of["authorization_endpoint"] == "http://testserver/oauth/authorize/"
    assert said_of["code_challenge_methods_supported"] == ["S256"]
    assert said_of["authorization_response_iss_parameter_supported"] is True
    assert said_of["scopes_supported"] == list(FOR_APPS)


def test_an_app_is_registered_and_removed_by_its_owner_and_cannot_take_a_name_of_the_staff(
    client: Client, carol: Player
) -> None:
    form = {"name": "Widget", "addresses": "https://b.example/\r\nhttp://127.0.0.1/x"}
    assert "The app is registered." in said(client.post("/account/apps/own/", form, follow=True))
    app = App.objects.get()
    assert app.addresses.split("\n") == ["https://b.example/", "http://127.0.0.1/x"]
    assert app.pk in said(client.get("/account/apps/own/"))
    assert "no fragment" in said(client.post("/account/apps/own/", form | {"addresses": "http://b.example/"}))
    client.post("/account/apps/own/", form | {"name": "Pyramid staff"})
    assert App.objects.count() == 1
    client.post("/account/apps/own/", {"remove": app.pk})
    assert not App.objects.exists()


@pytest.mark.usefixtures("_no_deadline")
async def test_a_socket_of_an_app_closes_as_soon_as_the_player_ends_it(
    client: Client, carol: Player, widget: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sockets, "KEYS_SECONDS", 3600.0)  # not only when keys are looked at next
    got = await sync_to_async(widget.tokens)(carol, scope="notifications")
    headers = [(b"authorization", f"Bearer {got['access_token']}".encode()), (b"origin", b"https://widget.example")]
    async with connected("/ws/me/", headers, "me") as socket:
        assert (await socket.receive())["type"] == "news"
        await sync_to_async(client.post)("/account/apps/", {"revoke": widget.app.pk})
        assert await socket.close_code() == 4401
