"""Devices without a browser get tokens once their player has typed a code and allowed it; and the attacks."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from io import StringIO
from typing import Any

import pytest
import time_machine
from django.core.management import CommandError, call_command
from django.test import Client

from games.oauth import devices
from games.oauth.devices import LETTERS
from games.oauth.granting import forget_ended_grants
from games.oauth.models import App, Grant, WaitingDevice
from games.players.models import Player
from tests.games.accounts.test_pages import said
from tests.games.oauth.conftest import Program, status_with

DEVICE = "urn:ietf:params:oauth:grant-type:device_code"
WAITS, DENIED, VOID = [(400, error) for error in ("authorization_pending", "access_denied", "invalid_grant")]

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("fast_hashes")]


def begun(widget: Program, scope: str = "read play") -> dict[str, Any]:
    answer: dict[str, Any] = widget.http.post("/oauth/devices/", {"client_id": widget.app.pk, "scope": scope}).json()
    return answer


def polled(widget: Program, device: dict[str, Any]) -> Any:
    return widget.ask(grant_type=DEVICE, device_code=device["device_code"])


def error_of(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json()["error"]


def test_a_device_gets_tokens_once_its_player_has_typed_the_code_and_allowed_it(
    client: Client, carol: Player, widget: Program
) -> None:
    device = begun(widget)
    assert device["verification_uri"] == "http://testserver/device/"
    assert "verification_uri_complete" not in device
    assert error_of(polled(widget, device)) == WAITS
    assert error_of(polled(widget, device)) == (400, "slow_down")
    asked = said(client.post("/device/", {"code": device["user_code"].lower().replace("-", " ")}))
    for words in ("Widget", "dave", "carol", "Play for you", "if you have just started this yourself"):
        assert words in asked
    assert not Grant.objects.exists()
    client.post("/device/", {"code": device["user_code"], "allow": "yes"})
    got = polled(widget, device).json()
    assert got["scope"] == "play read"
    assert status_with(got["access_token"]) == 200
    assert status_with(got["access_token"], "/api/me/keys/") == 403
    assert error_of(polled(widget, device)) == VOID
    assert widget.refresh(got["refresh_token"]).status_code == 200


def test_a_device_that_is_denied_gets_nothing_and_its_code_is_void(
    client: Client, carol: Player, widget: Program
) -> None:
    device = begun(widget)
    client.post("/device/", {"code": device["user_code"], "deny": "yes"})
    assert "No device that waits" in said(client.post("/device/", {"code": device["user_code"], "allow": "yes"}))
    assert error_of(polled(widget, device)) == DENIED


def test_a_link_fills_in_nothing_and_allows_nothing(client: Client, carol: Player, widget: Program) -> None:
    code = begun(widget)["user_code"]
    page = said(client.get("/device/", {"user_code": code, "code": code, "allow": "yes"}))
    assert code not in page
    assert "you have just started this yourself" in page
    forging = Client(enforce_csrf_checks=True)
    forging.force_login(carol)
    assert forging.post("/device/", {"code": code, "allow": "yes"}).status_code == 403
    assert not Grant.objects.exists()


def test_attempts_to_guess_a_code_are_counted_for_the_account_and_the_address_also_right_ones(
    client: Client, carol: Player, widget: Program, dave: Player, settings: Any
) -> None:
    settings.PYRAMID_LIMITS = {**settings.PYRAMID_LIMITS, "typed_codes": (2, 3600)}
    right = begun(widget)["user_code"]
    said(client.post("/device/", {"code": "BBBB-BBBB"}))
    said(client.post("/device/", {"code": right}))
    assert "Too many attempts" in said(client.post("/device/", {"code": right, "allow": "yes"}))
    moved = Client(REMOTE_ADDR="203.0.113.9")
    moved.force_login(carol)
    assert "Too many attempts" in said(moved.post("/device/", {"code": right, "allow": "yes"}))
    beside = Client()
    beside.force_login(dave)
    assert "Too many attempts" in said(beside.post("/device/", {"code": right, "allow": "yes"}))
    assert not Grant.objects.exists()


def test_codes_have_34_bits_last_ten_minutes_and_are_stored_as_hashes(
    client: Client, carol: Player, widget: Program
) -> None:
    device = begun(widget)
    typed = device["user_code"].replace("-", "")
    assert len(typed) == 8
    assert set(typed) <= set(LETTERS)
    assert len(LETTERS) == 20
    stored = str(WaitingDevice.objects.values_list().get())
    assert typed not in stored
    assert device["device_code"] not in stored
    with time_machine.travel(datetime.now(UTC) + timedelta(minutes=10, seconds=1)):
        assert "No device that waits" in said(client.post("/device/", {"code": device["user_code"]}))
        assert error_of(polled(widget, device)) == (400, "expired_token")


def test_an_app_has_so_many_devices_that_wait_and_those_that_are_late_do_not_count(
    widget: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(devices, "MOST_WAITING", 2)
    for status in (200, 200, 503):
        assert widget.http.post("/oauth/devices/", {"client_id": widget.app.pk, "scope": "read"}).status_code == status
    with time_machine.travel(datetime.now(UTC) + timedelta(minutes=11)):
        assert begun(widget)["user_code"]


def test_another_app_or_one_that_asks_for_too_much_gets_nothing(
    client: Client, carol: Player, widget: Program, dave: Player
) -> None:
    device, other = begun(widget), Program(App.objects.create(owner=dave, name="Other", created_at=datetime.now(UTC)))
    client.post("/device/", {"code": device["user_code"], "allow": "yes"})
    assert error_of(polled(other, device)) == VOID
    assert begun(widget, "account")["error"] == "invalid_scope"
    assert begun(widget, "")["error"] == "invalid_scope"


@pytest.mark.parametrize("whose", ["carol", "dave"])
def test_a_device_gets_nothing_of_an_account_that_was_closed_meanwhile(
    client: Client, carol: Player, widget: Program, whose: str
) -> None:
    device = begun(widget)
    client.post("/device/", {"code": device["user_code"], "allow": "yes"})
    closed = Player.objects.get(username=whose)
    closed.is_active = False
    closed.save()
    assert polled(widget, device).status_code == 400


def test_a_command_removes_an_app_of_anybody_with_all_its_access(carol: Player, widget: Program) -> None:
    got = widget.tokens(carol)
    call_command("remove_app", widget.app.pk)
    assert status_with(got["access_token"]) == 401
    assert not App.objects.exists()
    with pytest.raises(CommandError):
        call_command("remove_app", widget.app.pk)


def test_a_command_registers_an_app(dave: Player) -> None:
    out = StringIO()
    call_command("register_app", "dave", "Terminal", "https://b.example/", stdout=out)
    assert App.objects.get(pk=out.getvalue().strip()).owner == dave
    for arguments in (["nobody", "Terminal"], ["dave", "Terminal", "http://b.example/"], ["dave", "The Staff"]):
        with pytest.raises(CommandError):
            call_command("register_app", *arguments)


def test_what_was_allowed_a_device_is_kept_until_it_asks_and_forgotten_if_it_never_does(
    client: Client, carol: Player, widget: Program
) -> None:
    device, idle = begun(widget), begun(widget)
    for one in (device, idle):
        client.post("/device/", {"code": one["user_code"], "allow": "yes"})
    now = datetime.now(UTC)
    forget_ended_grants(now)
    assert polled(widget, device).status_code == 200
    forget_ended_grants(now + devices.LASTS + timedelta(seconds=1))
    assert (WaitingDevice.objects.count(), Grant.objects.count()) == (0, 1)
