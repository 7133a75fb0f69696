"""Devices of a player: only at push services, a limited number, and nobody else's."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from pytest_django.fixtures import Settings

from games.players.models import Player
from games.push.encryption import server_key
from games.push.models import QuietHours, Subscription
from games.push.quiet_hours import quiet_until
from games.push.subscriptions import MOST_SUBSCRIPTIONS
from tests.games.api import Api, refusal
from tests.games.push.service import Browser

pytestmark = pytest.mark.django_db

ENDPOINT = "https://fcm.googleapis.com/fcm/send/"
SETTINGS, DEVICES, HOURS = "/api/me/push/", "/api/me/push/subscriptions/", "/api/me/push/quiet-hours/"


def device(browser: Browser, *kinds: str, **more: object) -> dict[str, Any]:
    return {**browser.subscription, "kinds": list(kinds), **more}


def test_a_device_is_added_chosen_anew_and_removed(as_alice: Api) -> None:
    before = as_alice.get(SETTINGS).json()
    assert (before["subscriptions"], before["quiet_hours"], before["server_key"]) == ([], None, server_key())
    assert {"day", "streak", "invited", "rematch"} <= {kind["kind"] for kind in before["kinds"]}
    phone, desktop = Browser(f"{ENDPOINT}phone"), Browser(f"{ENDPOINT}desktop")
    as_alice.post(DEVICES, device(phone, "day", "invited", time_zone="Europe/Berlin"))
    as_alice.post(DEVICES, device(desktop, "streak", time_zone="Asia/Tokyo"))
    after = as_alice.post(DEVICES, device(phone, "day")).json()
    assert [(one["endpoint"], one["kinds"]) for one in after["subscriptions"]] == [
        (phone.endpoint, ["day"]),
        (desktop.endpoint, ["streak"]),
    ]
    assert after["quiet_hours"] == {"time_zone": "Europe/Berlin", "begins": 22, "ends": 8}
    first = after["subscriptions"][0]["id"]
    left = as_alice.delete(f"{DEVICES}{first}/").json()
    assert [one["endpoint"] for one in left["subscriptions"]] == [desktop.endpoint]
    assert as_alice.delete(f"{DEVICES}{first}/").json() == left


@pytest.mark.parametrize(
    "endpoint",
    [
        *("http://fcm.googleapis.com/x", "https://127.0.0.1/x", "https://[::1]/x", "https://[::ffff:0:127.0.0.1]/x"),
        *("https://10.0.0.1/x", "https://localhost/x", "https://router.local/x", "https://example.org/x"),
        *("https://fcm.googleapis.com.example.org/x", "https://evilfcm.googleapis.com.example/x"),
        *("https://notfcm.googleapis.com/x", "https://fcm.googleapis.com@10.0.0.1/x", "https://a@fcm.googleapis.com/"),
        *("https://fcm.googleapis.com:8443/x", "https://fcm.googleapis.com:bad/x", "https://[half", "x", ""),
        *("https://fcm.googleapis.com/a b", "https://fcm.googleapis.com/\u00e4", "https://fcm.googleapis.com/\u2028x"),
        f"{ENDPOINT}{'x' * 600}",
    ],
)
def test_mallory_names_only_addresses_of_push_services(as_mallory: Api, endpoint: str) -> None:
    assert refusal(as_mallory.post(DEVICES, device(Browser(endpoint), "day"))) == (400, "invalid_request")
    assert not Subscription.objects.exists()


def test_operators_may_know_other_services_and_their_sub_domains(as_alice: Api, settings: Settings) -> None:
    settings.PYRAMID_PUSH_SERVICES = ["push.example.org"]
    for endpoint in ("https://push.example.org/1", "https://eu.push.example.org:443/2"):
        assert as_alice.post(DEVICES, device(Browser(endpoint), "day")).status_code == 200


@pytest.mark.parametrize(
    "wrong",
    [
        *({"p256dh": key} for key in ("", "x", "B" * 87, "BCVx" * 30, 7)),
        *({"auth": key} for key in ("", "AAAA", "A" * 43, None)),
        *({"kinds": kinds} for kinds in (["decided"], ["nonsense"], "day", ["day"] * 51, [7])),
        *({"time_zone": zone} for zone in ("Berlin", "../../etc/passwd", "x" * 65, 1)),
        {"player": 1},
    ],
)
def test_anything_else_that_is_wrong_is_refused(as_mallory: Api, wrong: dict[str, Any]) -> None:
    body = device(Browser(f"{ENDPOINT}1"), "day") | wrong
    assert refusal(as_mallory.post(DEVICES, body)) == (400, "invalid_request")
    assert not Subscription.objects.exists()


def test_mallory_cannot_take_over_a_device_but_a_shared_browser_goes_to_who_shows_its_keys(
    as_alice: Api, as_mallory: Api, as_bob: Api, alice: Player, bob: Player
) -> None:
    browser = Browser(f"{ENDPOINT}alice")
    as_alice.post(DEVICES, device(browser, "day"))
    mine = Subscription.objects.get()
    forged = Browser(browser.endpoint)
    assert refusal(as_mallory.post(DEVICES, device(forged, "day"))) == (409, "subscription_taken")
    half = device(browser, "day") | {"auth": forged.subscription["auth"]}
    assert refusal(as_mallory.post(DEVICES, half)) == (409, "subscription_taken")
    as_mallory.delete(f"{DEVICES}{mine.pk}/")
    assert Subscription.objects.get().player == alice
    mine.messages.create(kind="day", subject="x", created_at=mine.created_at, until=mine.created_at)
    as_bob.post(DEVICES, device(browser, "streak"))
    [taken] = Subscription.objects.all()
    assert (taken.player, taken.messages.count()) == (bob, 0)


def test_ten_thousand_devices_are_ten(as_mallory: Api, settings: Settings) -> None:
    settings.PYRAMID_LIMITS = settings.PYRAMID_LIMITS | {"push_subscriptions": (MOST_SUBSCRIPTIONS + 2, 3600)}
    answers = [
        as_mallory.post(DEVICES, device(Browser(f"{ENDPOINT}{number}"), "day")) for number in range(MOST_SUBSCRIPTIONS)
    ]
    assert {answer.status_code for answer in answers} == {200}
    one_more = device(Browser(f"{ENDPOINT}x"), "day")
    assert refusal(as_mallory.post(DEVICES, one_more)) == (409, "too_many_subscriptions")
    again = device(Browser(f"{ENDPOINT}0"), "streak")
    assert as_mallory.post(DEVICES, again).status_code == 200
    assert refusal(as_mallory.post(DEVICES, one_more)) == (429, "too_many_requests")
    assert Subscription.objects.count() == MOST_SUBSCRIPTIONS


def test_visitors_have_no_devices() -> None:
    assert refusal(Api().get(SETTINGS)) == (401, "not_signed_in")
    assert refusal(Api().post(DEVICES, device(Browser(f"{ENDPOINT}1")))) == (401, "not_signed_in")


def test_quiet_hours_are_the_players_own(as_alice: Api, as_bob: Api) -> None:
    as_alice.put(HOURS, {"time_zone": "America/New_York", "begins": 0, "ends": 6})
    kept = {"time_zone": "America/New_York", "begins": 0, "ends": 6}
    assert as_alice.post(DEVICES, device(Browser(f"{ENDPOINT}1"), time_zone="UTC")).json()["quiet_hours"] == kept
    assert as_bob.get(SETTINGS).json()["quiet_hours"] is None
    for wrong in ({"begins": 24}, {"ends": -1}, {"begins": "1"}, {"time_zone": "Mars"}):
        assert refusal(as_alice.put(HOURS, kept | wrong)) == (400, "invalid_request")


@pytest.mark.parametrize(
    ("begins", "ends", "at", "until"),
    [
        (22, 8, "2026-03-01T20:59", None),
        (22, 8, "2026-03-01T21:00", "2026-03-02T07:00"),
        (22, 8, "2026-03-02T06:59", "2026-03-02T07:00"),
        (22, 8, "2026-03-02T07:00", None),
        (13, 14, "2026-03-01T12:30", "2026-03-01T13:00"),
        (0, 0, "2026-03-01T23:00", None),
        (22, 8, "2026-03-28T23:00", "2026-03-29T06:00"),  # clocks are set forward in that night
        (22, 8, "2026-10-24T23:00", "2026-10-25T07:00"),  # and back
    ],
)
def test_quiet_hours_follow_the_clock_in_berlin(begins: int, ends: int, at: str, until: str | None) -> None:
    hours = QuietHours(time_zone="Europe/Berlin", begins=begins, ends=ends)
    moment = datetime.fromisoformat(at).replace(tzinfo=UTC)
    assert quiet_until(hours, moment) == (until and datetime.fromisoformat(until).replace(tzinfo=UTC))
