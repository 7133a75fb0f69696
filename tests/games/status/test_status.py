"""Anyone can see how the server is, and how often it was in time."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.db import DatabaseError, connection, transaction
from django.test import Client
from django.utils import timezone

from games.runtime.objectives import MOVE, RANKS, Counted, objectives
from games.status import reading
from games.status.hours import HourBook, forget_old_hours
from games.status.models import ServiceHour

pytestmark = pytest.mark.django_db

WELL = dict.fromkeys(("database", "migrations", "clock", "redis", "days", "worker", "tasks"), "ok")


@pytest.fixture
def verdicts(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """The verdicts of the server's examination, which a test may change."""
    current = dict(WELL)
    monkeypatch.setattr(reading, "examiners", [lambda: current])
    return current


def counted(objective: str, ago: timedelta, total: int, missed: int) -> None:
    ServiceHour.objects.create(hour=timezone.now() - ago, objective=objective, total=total, missed=missed)


def test_shares_of_a_day_a_week_and_a_month_are_rounded_down(client: Client, verdicts: dict[str, str]) -> None:
    counted("move", timedelta(hours=2), 1_000_000, 1)
    counted("move", timedelta(days=3), 1_000_000, 999_999)
    counted("move", timedelta(days=29), 2_000_000, 0)
    counted("move", timedelta(days=30, hours=2), 5, 5)
    verdicts["tasks"] = "failing"
    answer = client.get("/api/status/").json()
    assert answer["objectives"][0] == {
        "objective": "move",
        "seconds": 0.1,
        "promised": 0.999,
        "day": 0.9999,
        "week": 0.5,
        "month": 0.75,
    }
    assert [kept["month"] for kept in answer["objectives"][1:]] == [None] * 3
    assert {part["part"]: part["state"] for part in answer["parts"]} == {
        "play": "ok",
        "live": "ok",
        "days": "ok",
        "work": "failing",
    }
    page = client.get("/status/").content.decode()
    assert "99.99%" in page
    assert "99,99\N{NO-BREAK SPACE}%" in client.get("/status/", headers={"Accept-Language": "de"}).content.decode()
    assert "You can play; something else is disturbed" in page


@pytest.mark.parametrize(
    ("check", "verdict", "heading"),
    [
        ("clock", "ok", "All is well"),
        ("clock", "unknown", "Play may be disturbed"),
        ("database", "failing", "Play may be disturbed"),
        ("redis", "failing", "You can play; something else is disturbed"),
        ("worker", "unknown", "You can play; something else is not known yet"),
    ],
)
def test_the_heading_says_whether_one_can_play(
    client: Client, verdicts: dict[str, str], check: str, verdict: str, heading: str
) -> None:
    verdicts[check] = verdict
    assert f"<h1>{heading}" in client.get("/status/").content.decode()


def test_a_promise_that_was_not_kept_in_the_last_day_is_in_the_heading_and_each_miss_is_marked(
    client: Client, verdicts: dict[str, str]
) -> None:
    counted("move", timedelta(hours=2), 1000, 1)
    counted("move", timedelta(days=3), 1000, 2)
    page = client.get("/status/").content.decode()
    assert "<h1>All is well" in page
    assert page.count("<strong>99.85%</strong>") == 2  # of the week and the month
    counted("ranks", timedelta(hours=2), 1000, 1000)
    page = client.get("/status/").content.decode()
    assert "<h1>All works, more slowly than promised" in page
    assert page.count("<strong>0.0%</strong>") == 3


def test_processes_add_up_in_an_hour_and_what_cannot_be_written_waits(
    now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    for objective in objectives.values():
        monkeypatch.setattr(objective, "counted", Counted(0, 0))
    here, there = HourBook(), HourBook()
    here.write(now)
    MOVE.note(0.01)
    MOVE.note(0.2)
    here.write(now + timedelta(seconds=59))  # not yet
    assert not ServiceHour.objects.exists()
    with pytest.raises(DatabaseError), transaction.atomic(), connection.execute_wrapper(fails):
        here.write(now + timedelta(minutes=1))
    RANKS.note(9)
    for book in (here, there, here):
        book.write(now + timedelta(minutes=2))
    rows = ServiceHour.objects.order_by("objective").values_list("hour", "objective", "total", "missed")
    assert list(rows) == [(now, "move", 4, 2), (now, "ranks", 2, 2)]
    MOVE.note(0.01)
    here.write(now + timedelta(hours=1))
    assert ServiceHour.objects.get(hour=now + timedelta(hours=1)).total == 1
    assert forget_old_hours(now + timedelta(days=31, minutes=1)) == 2


def fails(*query: object) -> None:
    raise DatabaseError("no connection")
