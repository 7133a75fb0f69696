"""Operators hear of events: each once, signed, again until it is accepted, and never inside a private network."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.contrib.auth.models import Permission
from django.test import Client
from pytest_django import Settings
from standardwebhooks import Webhook as Verifier

from games.calendar.models import DailyDeal
from games.players.models import Player
from games.runtime.exchanges import Exchanges
from leaderboards.audit.sealing import seal_days
from leaderboards.boards.decisions import decide
from leaderboards.boards.models import Decision, EntryState
from leaderboards.clubs.founding import Terms, found
from leaderboards.clubs.week import ClubTable, find_table
from leaderboards.seasons.seasons import close_seasons
from leaderboards.webhooks import webhooks
from leaderboards.webhooks.models import Delivery, Webhook
from tests.calendar import prepared_dailies
from tests.leaderboards.conftest import NOON, Finish, submit_score
from tests.leaderboards.played import played
from tests.listener import Listener, answering_oddly, listening

MIDNIGHT = NOON.replace(hour=0)
FINAL = MIDNIGHT.replace(minute=30) + timedelta(days=2)
EVENTS = ["day.opened", "day.closed", "day.final", "decision.made"]


@pytest.fixture
def operator() -> Iterator[Listener]:
    with listening() as operator:
        yield operator


@pytest.fixture
def webhook(operator: Listener, daily: DailyDeal, settings: Settings) -> Webhook:
    settings.PYRAMID_WEBHOOKS_TO_PRIVATE_ADDRESSES = True
    webhook = Webhook.objects.create(address=operator.url, events=EVENTS)
    Webhook.objects.update(created_at=MIDNIGHT - timedelta(days=1))
    return webhook


def work(now: datetime) -> None:
    """Do what the worker does at a time, and wait for the answers."""
    webhooks.enqueue_webhooks(now)
    webhooks.send_webhooks(now)
    webhooks.note_answers(now, waits=True)


def types(operator: Listener) -> list[str]:
    return [json.loads(body)["type"] for _, _, body in operator.arrived]


def test_the_signature_is_that_of_the_formats_reference_vector() -> None:
    webhook = Webhook(secret="whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
    delivery = Delivery(webhook=webhook, message="msg_p5jXN8AQM9LWM0D4loKWxJek", body='{"test": 2432232314}')
    assert webhooks._headers(delivery, datetime.fromtimestamp(1614265330, UTC)) == {
        "Content-Type": "application/json",
        "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
        "webhook-timestamp": "1614265330",
        "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    }


def test_a_day_and_its_decisions_arrive_once_in_order_and_verify(
    webhook: Webhook, operator: Listener, alice: Player, coming_days: None
) -> None:
    work(MIDNIGHT)
    game = played(alice, NOON)
    decide(Decision(game=game, state=EntryState.DISQUALIFIED, reason="looked at", at=NOON))
    for now in (NOON, NOON, MIDNIGHT + timedelta(days=1, minutes=30)):
        work(now)
    seal_days(FINAL)
    work(FINAL)
    work(FINAL)
    told = [json.loads(body) for _, _, body in operator.arrived]
    assert [message["type"] for message in told[:2]] == ["day.opened", "decision.made"]
    assert sorted((message["type"], message["data"]["day"]) for message in told) == [
        ("day.closed", "2026-11-20"),
        ("day.closed", "2026-11-21"),
        ("day.final", "2026-11-20"),
        ("day.opened", "2026-11-20"),
        ("day.opened", "2026-11-21"),
        ("day.opened", "2026-11-22"),
        ("decision.made", "2026-11-20"),
    ]
    assert told[1]["data"] == {"game": game.pk, "day": "2026-11-20", "state": "disqualified", "reason": "looked at"}
    with time_machine.travel(MIDNIGHT, tick=False):
        _, headers, body = operator.arrived[0]
        Verifier(webhook.secret).verify(body, headers)


def test_what_is_not_accepted_is_sent_again_with_growing_pauses_for_a_day(webhook: Webhook, operator: Listener) -> None:
    operator.status = 500
    now, tried = MIDNIGHT, []
    work(now)
    while (delivery := Delivery.objects.get(event="day.opened", subject="2026-11-20")).next_at:
        tried.append(delivery.next_at - now)
        now = delivery.next_at
        webhooks.send_webhooks(now)
        webhooks.note_answers(now, waits=True)
    assert tried == sorted(tried)
    assert (tried[0], len(tried)) == (timedelta(seconds=5), 7)
    assert timedelta(hours=22) < now - MIDNIGHT <= timedelta(days=1)
    assert (delivery.attempts, delivery.error, delivery.delivered_at) == (8, "HTTP 500", None)
    assert len({headers["webhook-id"] for _, headers, _ in operator.arrived}) == 1
    assert len({headers["webhook-signature"] for _, headers, _ in operator.arrived}) == 8


def test_an_answer_that_does_not_come_holds_nobody_up(webhook: Webhook, operator: Listener) -> None:
    operator.released.clear()
    webhooks.enqueue_webhooks(MIDNIGHT)
    webhooks.send_webhooks(MIDNIGHT)
    webhooks.send_webhooks(MIDNIGHT)
    assert Delivery.objects.get().attempts == 1
    operator.released.set()
    webhooks.note_answers(MIDNIGHT, waits=True)


def test_an_address_that_answers_slowly_holds_up_no_other(webhook: Webhook, operator: Listener) -> None:
    operator.released.clear()
    made = {"event": "day.opened", "created_at": MIDNIGHT, "next_at": MIDNIGHT}
    Delivery.objects.bulk_create(
        Delivery(webhook=webhook, message=f"slow {number}", subject=str(number), **made) for number in range(40)
    )
    other = Webhook.objects.create(address=operator.url, events=EVENTS)
    for _ in range(2):
        webhooks.send_webhooks(MIDNIGHT)
    later = Delivery.objects.create(webhook=other, message="later", subject="", **made)
    webhooks.send_webhooks(MIDNIGHT)
    under_way = webhooks._exchanges.numbers
    operator.released.set()
    webhooks.note_answers(MIDNIGHT, waits=True)
    assert later.pk in under_way
    assert len(under_way) == webhooks.MOST_TO_ONE + 1


def test_an_answer_that_is_no_text_is_stored_and_keeps_no_other_from_being_stored(webhook: Webhook) -> None:
    with answering_oddly(b"\0\x1b[31m") as address:
        Webhook.objects.create(address=f"{address}/", events=EVENTS)
        Webhook.objects.update(created_at=MIDNIGHT - timedelta(days=1))
        work(MIDNIGHT)
    assert list(Delivery.objects.order_by("webhook").values_list("status", "error")) == [(204, ""), (None, "??[31m")]


def test_an_address_that_is_gone_ends_its_webhook(webhook: Webhook, operator: Listener) -> None:
    operator.status = 410
    work(MIDNIGHT)
    assert not Webhook.objects.get().is_active
    work(NOON)
    assert len(operator.arrived) == 1


def test_no_webhook_leads_inside_a_private_network_unless_the_operator_allows_it(
    webhook: Webhook, operator: Listener, settings: Settings
) -> None:
    settings.PYRAMID_WEBHOOKS_TO_PRIVATE_ADDRESSES = False
    work(MIDNIGHT)
    assert "private network; PYRAMID_WEBHOOKS_TO_PRIVATE_ADDRESSES=yes" in Delivery.objects.get().error
    assert operator.arrived == []


def test_two_workers_send_an_event_once(webhook: Webhook, operator: Listener, monkeypatch: pytest.MonkeyPatch) -> None:
    webhooks.enqueue_webhooks(MIDNIGHT)
    webhooks.enqueue_webhooks(MIDNIGHT)
    webhooks.send_webhooks(MIDNIGHT)
    other = Exchanges("other", 1, 1)
    monkeypatch.setattr(webhooks, "_exchanges", other)
    webhooks.send_webhooks(MIDNIGHT)
    assert other.room == 1
    monkeypatch.undo()
    webhooks.note_answers(MIDNIGHT, waits=True)
    assert types(operator) == ["day.opened"]
    assert Delivery.objects.get().delivered_at == MIDNIGHT


def test_a_webhook_gets_the_events_that_it_wants_from_its_making_on(operator: Listener, daily: DailyDeal) -> None:
    later = Webhook.objects.create(address=operator.url, events=["day.closed"])
    Webhook.objects.update(created_at=NOON)
    webhooks.enqueue_webhooks(MIDNIGHT + timedelta(days=1, minutes=30))
    assert [(row.webhook, row.event) for row in Delivery.objects.all()] == [(later, "day.closed")]


def test_operators_make_webhooks_and_see_the_last_deliveries_in_the_admin(
    admin_client: Client, webhook: Webhook, operator: Listener
) -> None:
    operator.status = 503
    work(MIDNIGHT)
    page = admin_client.get(f"/admin/leaderboards/webhook/{webhook.pk}/change/").content.decode()
    assert webhook.secret in page
    assert "day.opened 2026-11-20: 1 attempts, another follows: HTTP 503" in page
    assert webhook.secret not in admin_client.get("/admin/leaderboards/webhook/").content.decode()
    form = {"address": "https://example.org/hook", "events": ["day.final"], "is_active": "on"}
    assert admin_client.post("/admin/leaderboards/webhook/add/", form).status_code == 302
    assert Webhook.objects.get(address="https://example.org/hook").events == ["day.final"]
    for bad in ({**form, "address": "file:///etc/passwd"}, {**form, "events": ["day.wet"]}):
        assert admin_client.post("/admin/leaderboards/webhook/add/", bad).status_code == 200
    assert Webhook.objects.count() == 2


def test_reviewers_have_nothing_to_do_with_webhooks(client: Client, webhook: Webhook) -> None:
    reviewer = Player.objects.create_user(username="rita", password="a good long password", is_staff=True)
    reviewer.user_permissions.set(Permission.objects.filter(content_type__app_label="leaderboards"))
    client.force_login(reviewer)
    for page in ("", "add/", f"{webhook.pk}/change/", f"{webhook.pk}/delete/"):
        assert client.get(f"/admin/leaderboards/webhook/{page}").status_code == 403


def test_old_deliveries_are_forgotten(webhook: Webhook, operator: Listener) -> None:
    work(MIDNIGHT)
    webhooks.forget_old_deliveries(MIDNIGHT + timedelta(days=29))
    assert Delivery.objects.exists()
    webhooks.forget_old_deliveries(MIDNIGHT + timedelta(days=31))
    assert not Delivery.objects.exists()


def test_the_end_of_a_season_arrives_once(webhook: Webhook, operator: Listener, alice: Player, finish: Finish) -> None:
    submit_score(finish(alice), NOON)
    prepared_dailies(NOON + timedelta(days=1), days_ahead=9)
    end = datetime(2026, 12, 2, 0, 30, tzinfo=UTC)
    Webhook.objects.update(events=["season.closed"], created_at=end - timedelta(hours=1))
    seal_days(end)
    for _ in range(2):
        close_seasons(end)
        work(end)
    assert [json.loads(body)["data"] for _, _, body in operator.arrived] == [
        {"season": "2026-11.standard.open", "month": "2026-11", "count": 1}
    ]


def find_table_without_points(week: str, rules: str, division: str, now: datetime) -> ClubTable:
    """Count only what has not been stored: the division in which nobody played."""
    assert division == "main"
    return find_table(week, rules, division, now)


def test_the_clubs_of_a_week_arrive_once_when_its_last_day_is_sealed(
    webhook: Webhook, operator: Listener, alice: Player, bob: Player, finish: Finish, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, player in (("Oxbow Club", alice), ("Red Kites", bob)):
        found(player, Terms(name, "", "sc-blue", "open"), MIDNIGHT - timedelta(days=1))
        submit_score(finish(player, moves=40 if player == alice else 50), NOON)
    Webhook.objects.update(events=["club.week"])
    prepared_dailies(NOON + timedelta(days=1), days_ahead=2)
    sealed = FINAL + timedelta(days=2)
    seal_days(sealed - timedelta(days=1))
    work(sealed - timedelta(days=1))
    assert not operator.arrived
    seal_days(sealed)
    work(sealed)
    monkeypatch.setattr("leaderboards.webhooks.club_weeks.find_table", find_table_without_points)
    work(sealed)
    (told,) = (json.loads(body)["data"] for _, _, body in operator.arrived)
    assert (told["week"], told["rules"], told["division"]) == ("2026-W47", "standard", "open")
    assert [(club["name"], club["rank"], club["points"]) for club in told["clubs"]] == [
        ("Oxbow Club", 1, 1440),
        ("Red Kites", 2, 1430),
    ]


def test_a_message_that_waited_for_more_than_a_day_is_given_up(webhook: Webhook, operator: Listener) -> None:
    operator.status = 500
    work(MIDNIGHT)
    Webhook.objects.update(is_active=False)
    work(NOON)
    Webhook.objects.update(is_active=True)
    webhooks.send_webhooks(MIDNIGHT + timedelta(days=3))
    webhooks.note_answers(MIDNIGHT + timedelta(days=3), waits=True)
    assert len(operator.arrived) == 1
    webhooks.forget_old_deliveries(MIDNIGHT + timedelta(days=3))
    assert Delivery.objects.get().next_at is None
