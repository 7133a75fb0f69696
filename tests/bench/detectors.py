"""The processor time that the detectors cost the worker for each game of a day, by its own code, on SQLite."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from random import Random
from time import process_time

from tests.bench.apart import rows_on_sqlite
from tests.bench.table import Row

PLAYERS = 36  # enough of them to compare lines


def rows() -> Iterator[Row]:
    """Examine a day of games on a database of its own, and yield what was measured."""
    return rows_on_sqlite(__name__)


def measured() -> Iterator[Row]:
    from django.core.management import call_command  # noqa: PLC0415  models exist only after the setup
    from django.db.models import Sum  # noqa: PLC0415

    from leaderboards.moderation.evidence_models import DetectorRun, Examination  # noqa: PLC0415
    from leaderboards.moderation.examining import examine_games  # noqa: PLC0415

    call_command("migrate", verbosity=0)
    now = datetime.now(UTC)
    _play_yesterday(now)
    begun = process_time()
    while examine_games(now):
        pass
    spent, games = process_time() - begun, Examination.objects.count()
    yield Row(f"detectors: a careless or casual game of {games} on its day, all", spent / games * 1e3, "ms")
    for run in DetectorRun.objects.values("detector").annotate(us=Sum("cpu_us"), n=Sum("games")).order_by("-us"):
        yield Row(f"detectors: a game, {run['detector']}", run["us"] / run["n"] / 1e3, "ms")


def _play_yesterday(now: datetime) -> None:
    """Let people play yesterday's deal, each a game of their own."""
    from games.calendar.dailies import ensure_dailies  # noqa: PLC0415
    from games.calendar.models import DailyDeal  # noqa: PLC0415
    from games.players.models import Player  # noqa: PLC0415
    from tests.leaderboards.desk.playing import QUICK, Kitchen, store_game  # noqa: PLC0415

    ensure_dailies(now - timedelta(days=1))
    of_yesterday = DailyDeal.objects.filter(day=now.date() - timedelta(days=1), rules="standard", division="open")
    daily = of_yesterday.select_related("deal").get()
    kitchen = Kitchen(daily, Random("bench"))
    for number in range(PLAYERS):
        player = Player.objects.create(username=f"player-{number}")
        start = daily.key.opens_at + timedelta(minutes=10 * number)
        store_game(kitchen, player, start, kitchen.timed(kitchen.choices(QUICK[number % len(QUICK)])))
