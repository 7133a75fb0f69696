"""The tasks of the worker for which people wait: they do not wait for the others."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from unittest.mock import Mock

import pytest
from django.core.management import call_command

from games.calendar.dealing import deal_days
from games.cups.course import advance_cups, is_cup_played
from games.cups.models import Cup
from games.management.commands import worker
from games.races.course import advance_all
from games.runtime.clock import clock
from games.solver import preparing
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


def test_a_worker_that_starts_advances_cups_before_it_loads_the_solver_which_waits_for_their_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = clock.now()
    cup = Cup.objects.create(
        rules="standard", for_bots=False, announced_for=now, opens_at=now, qualify_s=900, limit_s=600
    )
    prepare = Mock()
    monkeypatch.setattr(worker, "close_old_connections", lambda: None)  # the one of this test
    monkeypatch.setattr(worker, "run_round", Mock(side_effect=SystemExit))
    monkeypatch.setattr(preparing, "prepare", prepare)
    with pytest.raises(SystemExit):
        call_command("worker")
    cup.refresh_from_db()
    assert (cup.state, prepare.called) == (Cup.State.QUALIFYING, False)
    Cup.objects.update(ended_at=now, end=Cup.End.COMPLETED)
    with pytest.raises(SystemExit):
        call_command("worker")
    assert prepare.called


def test_a_patient_task_does_nothing_in_a_rush(monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[datetime] = []

    def search(now: datetime) -> None:
        ran.append(now)

    monkeypatch.setattr(tasks, "_tasks", [])
    monkeypatch.setattr(tasks, "_rushes", [lambda now: now < NOW + SECOND])
    tasks.register(search, SECOND, is_patient=True)
    for seconds in range(3):
        assert run_due(NOW + seconds * SECOND) == 0
    assert ran == [NOW + SECOND, NOW + 2 * SECOND]


def test_nobody_searches_for_practice_deals_while_a_cup_of_the_programme_is_played() -> None:
    cup = {"rules": "standard", "for_bots": False, "announced_for": NOW, "qualify_s": 900, "limit_s": 240}
    Cup.objects.create(opens_at=NOW, **cup)
    assert not is_cup_played(NOW - SECOND)
    assert is_cup_played(NOW)
    Cup.objects.update(ended_at=NOW, end=Cup.End.COMPLETED)
    assert not is_cup_played(NOW)
