"""Queued messages arrive once, encrypted and signed, in the player's language, and not in quiet hours."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.db import transaction
from django.utils.translation import gettext
from pytest_django.fixtures import Settings

from games.notifications import notifications
from games.notifications.models import MutedKind, Notification
from games.notifications.notifications import Addressed, NotificationKind, Occasion, notify, notify_each
from games.personal_data.erasure import erase_player
from games.players.models import Player
from games.push import sending
from games.push.encryption import server_key
from games.push.models import PushCount, PushMessage, QuietHours, Subscription
from games.runtime.exchanges import Exchanges
from games.runtime.posting import Answer
from tests.games.push.conftest import Subscribe, Work
from tests.games.push.service import Browser, claims_of
from tests.listener import Listener

FRIEND = NotificationKind(
    "friend",
    "New friends",
    lambda facts: f"{gettext('Close')}: {facts['name']}",
    lambda facts: "/players/x/",
    is_pushed=True,
)
LAW = NotificationKind("law", "The law", lambda facts: "There is a law.")

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _kinds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notifications, "_kinds", {kind.code: kind for kind in (FRIEND, LAW)})


def befriend(player: Player, other: str, now: datetime, sender: Player | None = None) -> None:
    notify(FRIEND, {player.pk: {"name": other.title()}}, other, now, sender)


def bodies(service: Listener, browser: Browser) -> list[str]:
    """Return what a browser shows, after decrypting what came for it."""
    return [browser.read(body)["body"] for path, _, body in service.arrived if browser.endpoint.endswith(path)]


def outcomes() -> list[tuple[str, int, str]]:
    return list(PushMessage.objects.order_by("pk").values_list("outcome", "attempts", "error"))


def test_both_devices_get_what_they_want_in_their_language_encrypted_and_signed(
    alice: Player, bob: Player, subscribe: Subscribe, service: Listener, work: Work, now: datetime
) -> None:
    phone, desktop = subscribe(alice, "friend", language="de"), subscribe(alice, "friend")
    subscribe(alice, "law"), subscribe(bob, "friend")
    befriend(alice, "carol", now)
    befriend(alice, "carol", now)
    for _ in range(3):
        work(now)
    assert (bodies(service, phone), bodies(service, desktop)) == (["Schließen: Carol"], ["Close: Carol"])
    assert len(service.arrived) == 2
    _, headers, body = next(one for one in service.arrived if phone.endpoint.endswith(one[0]))
    assert {"title", "page", "tag", "language", "body"} == phone.read(body).keys()
    assert phone.read(body)["page"] == "/players/x/"
    claims = claims_of(headers["Authorization"], server_key())
    assert (claims["aud"], claims["sub"]) == (service.origin, "mailto:pyramid@localhost")
    assert now.timestamp() < claims["exp"] <= now.timestamp() + 24 * 3600
    assert (headers["TTL"], headers["Content-Encoding"]) == (str(24 * 3600), "aes128gcm")
    assert b"Carol" not in body
    assert PushCount.objects.get().count == 2


def test_each_gets_what_is_addressed_to_them_where_many_are_told_of_different_things(
    alice: Player, bob: Player, subscribe: Subscribe, service: Listener, work: Work, now: datetime
) -> None:
    phones = [subscribe(player, "friend") for player in (alice, bob)]
    told = [(alice, "carol"), (bob, "dave"), (alice, "erin"), (bob, "carol")]
    for some in (told[:3], told):
        notify_each(
            [Addressed(player.pk, other, {"name": other.title()}) for player, other in some], Occasion(FRIEND, now)
        )
    for _ in range(4):
        work(now)
    assert [sorted(bodies(service, phone)) for phone in phones] == [
        ["Close: Carol", "Close: Erin"],
        ["Close: Carol", "Close: Dave"],
    ]
    listed = Notification.objects.order_by("pk").values_list("player", "subject")
    assert list(listed) == [(player.pk, other) for player, other in told]


def test_a_site_with_a_name_is_its_own_contact(
    alice: Player, subscribe: Subscribe, service: Listener, work: Work, now: datetime, settings: Settings
) -> None:
    settings.PYRAMID_PUBLIC_URL = "https://pyramid.example"
    subscribe(alice, "friend")
    befriend(alice, "carol", now)
    work(now)
    [(_, headers, _)] = service.arrived
    assert claims_of(headers["Authorization"], server_key())["sub"] == "https://pyramid.example"


def test_nothing_is_queued_by_an_event_that_is_not_committed_nor_for_a_kind_that_is_muted(
    alice: Player, subscribe: Subscribe, now: datetime
) -> None:
    subscribe(alice, "friend")
    with transaction.atomic():
        befriend(alice, "carol", now)
        transaction.set_rollback(True)
    MutedKind.objects.create(player=alice, kind="friend")
    befriend(alice, "dave", now)
    assert not PushMessage.objects.exists()


@pytest.mark.parametrize("status", [404, 410])
def test_a_device_that_is_gone_is_forgotten(
    alice: Player, subscribe: Subscribe, service: Listener, work: Work, now: datetime, status: int
) -> None:
    subscribe(alice, "friend")
    service.status = status
    befriend(alice, "carol", now)
    work(now)
    assert not Subscription.objects.exists()
    assert list(PushCount.objects.values_list("outcome", "count")) == [("gone", 1)]


def test_a_service_that_is_busy_is_asked_again_with_growing_pauses_and_as_late_as_it_wants(
    alice: Player, subscribe: Subscribe, service: Listener, work: Work, now: datetime
) -> None:
    browser = subscribe(alice, "friend")
    service.status, began, pauses = 503, now, []
    befriend(alice, "carol", now)
    for retry_after in ("", "", "3600", "nonsense", ""):
        service.headers["Retry-After"] = retry_after
        work(now)
        if (later := PushMessage.objects.get().next_at) is None:
            break
        pauses.append(later - now)
        work(later - timedelta(seconds=1))
        now = later
    minutes = timedelta(minutes=1)
    assert pauses == [0.5 * minutes, 5 * minutes, 60 * minutes, 120 * minutes]
    assert outcomes() == [("refused", 5, "HTTP 503")]
    assert len(service.arrived) == 5
    befriend(alice, "dave", began)
    service.status = 201
    work(now)
    assert bodies(service, browser)[-1] == "Close: Dave"


def test_a_pause_of_thousands_of_digits_is_the_longest_one(
    alice: Player, subscribe: Subscribe, service: Listener, work: Work, now: datetime
) -> None:
    subscribe(alice, "friend")
    service.status, service.headers["Retry-After"] = 503, "9" * 5000
    befriend(alice, "carol", now)
    work(now)
    assert PushMessage.objects.get().next_at == now + sending.LONGEST_PAUSE


def test_what_may_have_arrived_is_not_sent_again(
    alice: Player, subscribe: Subscribe, service: Listener, work: Work, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    subscribe(alice, "friend")
    befriend(alice, "carol", now)
    monkeypatch.setattr(sending, "post", lambda *given, **options: Answer(None, "timed out"))
    work(now)
    befriend(alice, "dave", now)
    for name in ("a worker that dies", "another"):
        monkeypatch.setattr(sending, "_exchanges", Exchanges(name, 1, 1))
        sending.send_pushes(now)
    work(now + timedelta(hours=1))
    assert service.arrived == []
    assert [(outcome, attempts) for outcome, attempts, _ in outcomes()] == [("unknown", 1), ("unknown", 1)]


def test_what_has_not_left_is_sent_again(
    alice: Player, subscribe: Subscribe, service: Listener, work: Work, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    subscribe(alice, "friend")
    befriend(alice, "carol", now)
    monkeypatch.setattr(sending, "TO_PRIVATE_ADDRESSES", False)
    work(now)
    [(outcome, attempts, error)] = outcomes()
    assert (outcome, attempts, "private network" in error) == ("waiting", 1, True)
    monkeypatch.setattr(sending, "TO_PRIVATE_ADDRESSES", True)
    work(now + timedelta(minutes=1))
    assert len(service.arrived) == 1


def test_a_worker_that_stops_gives_back_what_has_not_left_and_waits_for_the_rest(
    alice: Player, subscribe: Subscribe, service: Listener, work: Work, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    class OneAtATime(Exchanges):
        def ended(self, *, waits: bool = False) -> list[tuple[int, Answer]]:
            if waits:
                service.released.set()
            return super().ended(waits=waits)

    browser = subscribe(alice, "friend")
    monkeypatch.setattr(sending, "_exchanges", OneAtATime("one", 1, 2))
    service.released.clear()
    for other in ("carol", "dave"):
        befriend(alice, other, now)
    sending.send_pushes(now)
    assert service.has_some.wait(30)
    sending.stop_sending(now)
    assert outcomes() == [("accepted", 1, ""), ("waiting", 0, "")]
    work(now)
    assert bodies(service, browser) == ["Close: Carol", "Close: Dave"]


def test_two_workers_send_a_message_once(
    alice: Player, subscribe: Subscribe, service: Listener, work: Work, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    subscribe(alice, "friend")
    befriend(alice, "carol", now)
    stale = PushMessage.objects.select_related("subscription__player").get()
    work(now)
    other = Exchanges("other", 1, 1)
    monkeypatch.setattr(sending, "_exchanges", other)
    sending._begin(stale, now)  # read by another worker before
    assert other.room == 1
    assert len(service.arrived) == 1


def test_a_device_whose_messages_are_always_refused_is_forgotten_in_the_end(
    alice: Player, subscribe: Subscribe, service: Listener, work: Work, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sending, "MOST_REFUSALS", 3)
    subscribe(alice, "friend")
    for number, status in enumerate((403, 403, 201, 400, 403)):
        service.status = status
        befriend(alice, f"friend-{number}", now)
        work(now)
        assert Subscription.objects.exists(), number
    befriend(alice, "one-more", now)
    work(now)
    assert not Subscription.objects.exists()


def test_in_quiet_hours_what_is_still_of_use_waits_and_the_rest_is_dropped(
    alice: Player, bob: Player, subscribe: Subscribe, service: Listener, work: Work, now: datetime
) -> None:
    """Noon in UTC is 21:00 in Tokyo, and 13:00 in Berlin."""
    tokyo = subscribe(alice, "friend")
    berlin = subscribe(bob, "friend")
    QuietHours.objects.create(player=alice, time_zone="Asia/Tokyo", begins=22, ends=7)
    QuietHours.objects.create(player=bob, time_zone="Europe/Berlin", begins=22, ends=7)
    later = now + timedelta(hours=2)  # 23:00 and 15:00
    for player in (alice, bob):
        befriend(player, "carol", later)
    befriend(alice, "dave", now - timedelta(hours=3))  # of no use from 9:00 UTC of the next day on, 18:00 in Tokyo
    PushMessage.objects.filter(subject="dave").update(until=now + timedelta(hours=8))
    work(later)
    assert (bodies(service, tokyo), bodies(service, berlin)) == ([], ["Close: Carol"])
    work(now + timedelta(hours=9, minutes=59))
    assert bodies(service, tokyo) == []
    work(now + timedelta(hours=10))  # 7:00 in Tokyo
    assert bodies(service, tokyo) == ["Close: Carol"]
    assert outcomes()[-1][0] == "quiet"


def test_a_deleted_account_ends_its_devices_and_what_names_it(
    alice: Player, bob: Player, subscribe: Subscribe, service: Listener, work: Work, now: datetime
) -> None:
    subscribe(alice, "friend"), subscribe(bob, "friend")
    QuietHours.objects.create(player=alice, time_zone="UTC", begins=1, ends=2)
    befriend(alice, "carol", now)
    befriend(bob, "alice", now, sender=alice)
    erase_player(alice, "test", None, now)
    work(now)
    assert service.arrived == []
    assert not Subscription.objects.filter(player=alice).exists()
    assert not QuietHours.objects.exists()
    assert not PushMessage.objects.exists()


def test_closed_accounts_and_former_keys_of_the_server_get_nothing(
    alice: Player, bob: Player, subscribe: Subscribe, service: Listener, work: Work, now: datetime, settings: Settings
) -> None:
    subscribe(alice, "friend"), subscribe(bob, "friend")
    befriend(alice, "carol", now)
    befriend(bob, "carol", now)
    Player.objects.filter(pk=alice.pk).update(is_active=False)
    settings.SECRET_KEY = "c" * 50
    work(now)
    assert service.arrived == []
    assert not Subscription.objects.exists()


def test_old_messages_are_forgotten_but_the_list_keeps_its_notifications(
    alice: Player, subscribe: Subscribe, service: Listener, work: Work, now: datetime
) -> None:
    subscribe(alice, "friend")
    befriend(alice, "carol", now)
    work(now)
    sending.forget_old_messages(now + timedelta(days=2))
    assert PushMessage.objects.exists()
    sending.forget_old_messages(now + timedelta(days=2, seconds=1))
    assert not PushMessage.objects.exists()
    assert Notification.objects.count() == 1
