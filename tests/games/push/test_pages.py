"""The page of a player's devices: what they get, quiet hours, and the way out."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from games.players.models import Player
from games.push.models import QuietHours, Subscription
from tests.games.push.conftest import Subscribe

PAGE = "/account/notifications/devices/"

pytestmark = pytest.mark.django_db


@pytest.fixture
def browser(alice: Player) -> Client:
    client = Client()
    client.force_login(alice)
    return client


def text(client: Client) -> str:
    return client.get(PAGE).content.decode()


def test_every_switch_is_off_before_the_script_has_asked_the_browser(browser: Client) -> None:
    page = text(browser)
    for kind in ("day", "streak", "invited", "rematch", "overtaken"):
        assert f'<input type="checkbox" role="switch" disabled autocomplete="off" data-push="{kind}">' in page
    assert "decided" not in page
    assert "Your devices" not in page
    assert '<option value="22" selected>' in page  # what the first device brings along


def test_devices_are_listed_without_their_keys_and_removed_by_their_player_alone(
    browser: Client, alice: Player, bob: Player, subscribe: Subscribe
) -> None:
    mine, other = subscribe(alice, "day"), subscribe(bob, "streak")
    page = text(browser)
    assert "127.0.0.1" in page
    assert "The day is open, since" in page
    for device in (mine, other):
        assert device.subscription["auth"] not in page
        assert device.subscription["p256dh"] not in page
    for pk in (Subscription.objects.get(player=bob).pk, "x", "9" * 40, "\u00b2"):
        assert browser.post(PAGE, {"remove": str(pk)}).status_code == 303
    assert Subscription.objects.count() == 2
    browser.post(PAGE, {"remove": str(Subscription.objects.get(player=alice).pk)})
    assert Subscription.objects.get().player == bob


def test_quiet_hours_are_kept_and_shown_again(browser: Client, alice: Player) -> None:
    form = {"begins": "23", "ends": "7", "time_zone": "Europe/Berlin"}
    assert browser.post(PAGE, form).status_code == 303
    hours = QuietHours.objects.get(player=alice)
    assert (hours.begins, hours.ends, hours.time_zone) == (23, 7, "Europe/Berlin")
    page = text(browser)
    assert '<option value="23" selected>23:00</option>' in page
    assert "Your quiet hours are saved." in page


@pytest.mark.parametrize("wrong", [{"begins": "24"}, {"ends": "x"}, {"time_zone": "Mars"}, {"time_zone": ""}])
def test_wrong_hours_are_explained_and_change_nothing(browser: Client, wrong: dict[str, Any]) -> None:
    answer = browser.post(PAGE, {"begins": "23", "ends": "7", "time_zone": "UTC"} | wrong)
    assert answer.status_code == 200
    assert 'class="mistake"' in answer.content.decode()
    assert not QuietHours.objects.exists()


def test_the_staff_sees_devices_without_what_would_let_it_send_to_them(
    admin_client: Client, alice: Player, subscribe: Subscribe
) -> None:
    device = subscribe(alice, "day")
    row = Subscription.objects.get()
    for address in ("", f"{row.pk}/change/"):
        page = admin_client.get(f"/admin/games/subscription/{address}").content.decode()
        assert "127.0.0.1" in page
        for secret in (device.endpoint, *list(device.subscription.values())[1:]):
            assert secret not in page
    assert admin_client.get("/admin/games/pushmessage/").status_code == 200
