"""The tasks of the worker for which people wait: they do not wait for the others."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from games.calendar.dealing import deal_days
from games.cups.course import advance_cups
from games.races.course import advance_all
from games.worker import tasks
from games.worker.tasks import Periodic, run_due

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 11, 1, 12, tzinfo=UTC)
SECOND = timedelta(seconds=1)


def test_an_urgent_task_comes_first_and_again_after_each_other_task_that_took_its_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seconds = [0.0]
    ran: list[tuple[str, datetime]] = []

    def fill(now: datetime) -> None:
        ran.append(("fill", now))
        seconds[0] += 1.5

    def count(now: datetime) -> None:
        ran.append(("count", now))

    def advance(now: datetime) -> None:
        ran.append(("advance", now))

    monkeypatch.setattr(tasks, "perf_counter", lambda: seconds[0])
    monkeypatch.setattr(
        tasks, "_tasks", [Periodic(fill, SECOND), Periodic(count, SECOND), Periodic(advance, SECOND, is_urgent=True)]
    )
    assert run_due(NOW) == 0
    assert ran == [("advance", NOW), ("fill", NOW), ("advance", NOW + 1.5 * SECOND), ("count", NOW)]


def test_days_races_and_cups_are_urgent() -> None:
    urgent = {task.run for task in tasks._tasks if task.is_urgent}
    assert urgent == {deal_days, advance_all, advance_cups}
