"""The objectives count what players get, where they get it: in time, too late, or not at all."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from contextlib import AbstractAsyncContextManager
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from asgiref.sync import sync_to_async
from django.db import DatabaseError
from django.utils import timezone
from prometheus_client import REGISTRY

from games.keys.authentication import issue_ticket
from games.play import journal
from games.play.scores import Placement
from games.players.models import Player
from games.runtime.objectives import MOVE
from leaderboards import listeners
from tests.calendar import prepared_dailies
from tests.games.sockets import Client, connected

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("_no_deadline")]

Counts = Callable[[], dict[str, tuple[float, float]]]


@pytest.fixture
def counted() -> Counts:
    """Return what was counted since the last call by objective: all of it, and what missed the objective."""
    names = ("move", "start", "opening", "ranks")
    before = dict.fromkeys(names, (0.0, 0.0))

    def since() -> dict[str, tuple[float, float]]:
        changed = {}
        for name in names:
            series = ("pyramid_objective_seconds_count", "pyramid_objective_missed_total")
            now, missed = (REGISTRY.get_sample_value(of, {"objective": name}) or 0.0 for of in series)
            changed[name] = (now - before[name][0], missed - before[name][1])
            before[name] = now, missed
        return {name: counts for name, counts in changed.items() if any(counts)}

    since()
    return since


def open_today(player: Player) -> AbstractAsyncContextManager[Client]:
    return connected(f"/ws/daily/standard/?ticket={issue_ticket(player)}", [], "daily")


async def test_starts_moves_and_ends_are_counted_where_they_are_answered(
    counted: Counts, alice: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(MOVE, "seconds", 60)
    midday = datetime.combine(timezone.now().date() + timedelta(days=1), datetime.min.time(), UTC).replace(hour=12)
    with time_machine.travel(midday):
        await sync_to_async(prepared_dailies)(midday, 1)
        async with open_today(alice) as client:
            await client.receive()
            assert set(counted()) == {"start"}
            await client.play("D")
            assert (await client.ask("play", version=1, move="KcKd"))["type"] == "refused"
            assert counted() == {"move": (2, 0)}
            await client.ask("resign", version=1)
            assert {name: count for name, (count, _) in counted().items()} == {"ranks": 1}


async def test_the_first_minute_of_a_day_is_counted_apart(counted: Counts, alice: Player, bob: Player) -> None:
    midnight = datetime.combine(timezone.now().date() + timedelta(days=1), datetime.min.time(), UTC)
    await sync_to_async(prepared_dailies)(midnight, 1)
    for player, seconds, names in ((alice, 59, {"start", "opening"}), (bob, 60, {"start"})):
        with time_machine.travel(midnight + timedelta(seconds=seconds), tick=False):
            async with open_today(player) as client:
                await client.receive()
        assert set(counted()) == names


async def test_what_fails_or_comes_too_late_is_missed(
    counted: Counts, alice: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    MOVE.note(MOVE.seconds)
    MOVE.note(MOVE.seconds + 0.001)
    assert counted() == {"move": (2, 1)}

    async def fail(change: object) -> None:
        raise DatabaseError("no connection")

    failed = Future[list[Placement]]()
    failed.set_exception(DatabaseError("no connection"))
    await sync_to_async(prepared_dailies)(timezone.now(), 1)
    async with open_today(alice) as client:
        await client.receive()
        counted()
        with monkeypatch.context() as patched:
            patched.setattr(journal, "write", fail)
            assert (await client.ask("play", version=0, move="D"))["code"] == "unavailable"
        assert counted() == {"move": (1, 1)}
        monkeypatch.setattr(listeners, "enter", lambda game: failed)
        assert (await client.ask("resign", version=0))["type"] == "finished"
        assert counted() == {"ranks": (1, 1)}
