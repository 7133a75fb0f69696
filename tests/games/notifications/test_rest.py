"""Notifications: once for each subject, only what a player wants, read marks, settings, and not forever."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.db import transaction

from games.notifications import notifications
from games.notifications.models import Notification
from games.notifications.notifications import NotificationKind, forget_old_notifications, notify
from games.players.models import Player
from tests.games.api import Api, refusal

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]

FRIEND = NotificationKind(
    "friend", "New friends", lambda facts: f"{facts['name']} is your friend.", lambda facts: facts["page"]
)
LAW = NotificationKind("law", "The law", lambda facts: "There is a law.", is_optional=False)
NOBODY = {"name": "Nobody", "page": "/"}


@pytest.fixture(autouse=True)
def _kinds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notifications, "_kinds", {})
    for kind in (LAW, FRIEND):
        notifications.register(kind)


def befriend(player: Player, other: str, now: datetime) -> None:
    notify(FRIEND, {player.pk: {"name": other.title(), "page": f"/players/{other}/"}}, other, now)


def test_a_notification_comes_once_with_its_words_and_stays_read(
    as_alice: Api, alice: Player, bob: Player, now: datetime
) -> None:
    for other in ("carol", "carol", "dave"):
        befriend(alice, other, now)
    befriend(bob, "alice", now)
    answer = as_alice.get("/api/me/notifications/").json()
    assert [(one["subject"], one["words"], one["page"]) for one in answer["notifications"]] == [
        ("dave", "Dave is your friend.", "/players/dave/"),
        ("carol", "Carol is your friend.", "/players/carol/"),
    ]
    assert (answer["unread"], answer["next"]) == (2, None)
    read = as_alice.post("/api/me/notifications/read/", {"up_to": answer["notifications"][1]["id"]}).json()
    assert [one["is_read"] for one in read["notifications"]] == [False, True]
    assert read["unread"] == 1
    assert Notification.objects.get(player=bob).read_at is None


def test_one_alone_is_read_and_what_was_before_it_stays_new(
    as_alice: Api, alice: Player, bob: Player, now: datetime
) -> None:
    for other in ("carol", "dave", "erin"):
        befriend(alice, other, now)
    befriend(bob, "alice", now)
    dave = Notification.objects.get(subject="dave").pk
    read = as_alice.post("/api/me/notifications/read/", {"up_to": dave, "only": True}).json()
    assert [(one["subject"], one["is_read"]) for one in read["notifications"]] == [
        ("erin", False),
        ("dave", True),
        ("carol", False),
    ]
    of_bob = Notification.objects.get(player=bob)
    as_alice.post("/api/me/notifications/read/", {"up_to": of_bob.pk, "only": True})
    of_bob.refresh_from_db()
    assert of_bob.read_at is None


def test_pages_of_fifty_lead_to_older_ones(as_alice: Api, alice: Player, now: datetime) -> None:
    for number in range(51):
        befriend(alice, f"friend-{number}", now)
    first = as_alice.get("/api/me/notifications/").json()
    rest = as_alice.get(first["next"]).json()
    assert [one["subject"] for one in rest["notifications"]] == ["friend-0"]
    assert rest["next"] is None
    assert refusal(as_alice.get("/api/me/notifications/?before=0")) == (400, "invalid_request")


def test_what_is_switched_off_is_not_stored_but_laws_always_are(
    as_alice: Api, alice: Player, bob: Player, now: datetime
) -> None:
    assert as_alice.put("/api/me/notifications/settings/", {"off": ["friend"]}).status_code == 200
    notify(FRIEND, {alice.pk: NOBODY, bob.pk: NOBODY}, "everyone", now)
    notify(LAW, {alice.pk: {}, bob.pk: {}}, "everyone", now)
    assert list(Notification.objects.filter(player=alice).values_list("kind", flat=True)) == ["law"]
    assert Notification.objects.filter(player=bob).count() == 2
    kinds = as_alice.get("/api/me/notifications/settings/").json()["kinds"]
    assert [(one["kind"], one["is_on"], one["is_optional"]) for one in kinds] == [
        ("friend", False, True),
        ("law", True, False),
    ]
    as_alice.put("/api/me/notifications/settings/", {"off": []})
    befriend(alice, "bob", now)
    assert Notification.objects.filter(player=alice).count() == 2


@pytest.mark.parametrize("off", [["law"], ["nonsense"], "friend", [7], None, ["x" * 25], ["friend"] * 51])
def test_only_optional_kinds_can_be_switched_off(as_alice: Api, off: object) -> None:
    assert refusal(as_alice.put("/api/me/notifications/settings/", {"off": off})) == (400, "invalid_request")


def test_what_is_not_committed_is_not_told(alice: Player, now: datetime) -> None:
    with transaction.atomic():
        befriend(alice, "carol", now)
        transaction.set_rollback(True)
    assert not Notification.objects.exists()


def test_two_thousand_are_notified_in_a_few_statements_for_each_thousand(
    now: datetime, django_assert_max_num_queries: object
) -> None:
    players = Player.objects.bulk_create(Player(username=f"p{number}", display_name="P") for number in range(2_000))
    with django_assert_max_num_queries(20):  # type: ignore[operator]  # SQLite writes fewer rows in a statement
        notify(FRIEND, {player.pk: NOBODY for player in players}, "everyone", now)
    assert Notification.objects.count() == 2_000


def test_old_ones_and_those_beyond_a_limit_are_forgotten(
    alice: Player, bob: Player, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notifications, "MOST_KEPT", 2)
    befriend(bob, "old", now - timedelta(days=Notification.DAYS_KEPT, seconds=1))
    befriend(bob, "young", now - timedelta(days=Notification.DAYS_KEPT))
    for other in ("carol", "dave", "erin"):
        befriend(alice, other, now)
    assert forget_old_notifications(now) == 2
    assert set(Notification.objects.values_list("subject", flat=True)) == {"young", "dave", "erin"}


def test_a_kind_that_is_gone_is_not_shown(as_alice: Api, alice: Player, now: datetime) -> None:
    befriend(alice, "carol", now)
    del notifications._kinds["friend"]
    assert as_alice.get("/api/me/notifications/").json() == {"notifications": [], "unread": 0, "next": None}
