"""Games that are being played, and their ends."""

from __future__ import annotations

import asyncio
import os
import random
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from itertools import islice
from time import perf_counter, process_time

from django.core.management import call_command
from django.db import connection
from django.utils import timezone

from games.calendar.dailies import ensure_dailies
from games.calendar.models import DailyDeal
from games.deals.daily import GRACE
from games.play import journal
from games.play.models import Game, day_mark
from games.play.session import Change, Summary
from games.play.sessions import expire_overdue
from games.players.models import Player
from leaderboards.boards.models import Entry
from leaderboards.boards.submission import submit_missing
from tests.bench.rows import multiply, new_games
from tests.bench.table import Row
from tests.guards import guards_dropped

SCALE = float(os.environ.get("SCALE", "1"))
ENDS = {1: int(200 * SCALE), 32: int(1000 * SCALE), 300: int(3000 * SCALE)}
EXPIRING, UNNOTICED = int(10_000 * SCALE), int(10_000 * SCALE)


def measured() -> Iterator[Row]:
    """End games, so many at once; then let many expire together, and enter many whose ends nobody heard of."""
    random.seed(2026)
    call_command("migrate", verbosity=0)
    now = timezone.now()
    a_day_ago = now - GRACE - timedelta(days=1)  # its deals are over, and its tables are not final
    today, yesterday = _daily(now), _daily(a_day_ago)
    games = iter(_playing(today, 1 + sum(ENDS.values()) + UNNOTICED, now))
    asyncio.run(_end_all(list(islice(games, 1)), 1))
    for at_once, number in ENDS.items():
        yield from _ending(list(islice(games, number)), at_once)
    yield from _entering(list(islice(games, UNNOTICED)))
    yield from _expiring(_playing(yesterday, EXPIRING, a_day_ago))


def _ending(games: Sequence[str], at_once: int) -> Iterator[Row]:
    processor, wall = process_time(), perf_counter()
    asyncio.run(_end_all(games, at_once))
    processor, wall = process_time() - processor, perf_counter() - wall
    assert Entry.objects.filter(game__in=games, valid_to=None).count() >= 4 * len(games)
    yield Row(f"scores: the end of a game, {at_once} at once, CPU", processor / len(games) * 1e3, "ms")
    yield Row(f"scores: ends, {at_once} at once", len(games) / wall, "/s")


def _entering(games: Sequence[str]) -> Iterator[Row]:
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE games_game SET status = 'expired', finished_at = now(), elapsed_ms = 1000 + random() * 600000,"
            " moves = 0, draws = 0, recycles = 0, undos = 0, hints = 0, hasty = 0, cards_left = 1 + random() * 27"
            " WHERE id = ANY(%s)",
            [list(games)],
        )
    begun = perf_counter()
    assert submit_missing(timezone.now()) == len(games)
    yield Row(f"scores: entering {len(games):,} games left behind", perf_counter() - begun, "s")
    begun = perf_counter()
    assert submit_missing(timezone.now()) == 0
    yield Row("scores: looking for games left behind, none", (perf_counter() - begun) * 1e3, "ms")


def _expiring(games: Sequence[str]) -> Iterator[Row]:
    processor, wall = process_time(), perf_counter()
    assert expire_overdue(timezone.now()) == len(games)
    processor, wall = process_time() - processor, perf_counter() - wall
    yield Row(f"scores: {len(games):,} games expire and are on their boards", wall, "s")
    yield Row("scores: a game that expires, CPU", processor / len(games) * 1e3, "ms")
    assert Entry.objects.filter(game__in=games, valid_to=None).count() >= 4 * len(games)


async def _end_all(games: Sequence[str], at_once: int) -> None:
    waiting = iter(games)

    async def end_next() -> None:
        for game in waiting:
            await journal.write(Change(game, summary=_summary()))
            await journal.publish_end(game)

    await asyncio.gather(*(end_next() for _ in range(at_once)))


def _summary() -> Summary:
    counts = dict.fromkeys(("moves", "draws", "recycles", "undos", "hints"), 0)
    elapsed_ms, cards_left = random.randint(1000, 600_000), random.randint(1, 28)
    return Summary("resigned", datetime.now(UTC), elapsed_ms, cards_left=cards_left, **counts)


def _daily(moment: datetime) -> DailyDeal:
    ensure_dailies(moment)
    return DailyDeal.objects.get(day=moment.date(), rules="standard", division="open")


def _playing(daily: DailyDeal, number: int, now: datetime) -> list[str]:
    """Let so many guests have an attempt at a deal that is being played, and return their games."""
    handle = f"guest-{daily.pk}"
    player = Player.objects.create(username=handle, display_name="Guest", is_guest=True)
    game = Game.objects.create(player=player, deal=daily.deal, daily=daily, created_at=now, started_at=now)
    people = {"id": f"{player.pk} + n", "username": f"'{handle}-' || n"}
    multiply(player, number, people)
    multiply(game, number, {"id": new_games(game, f"{daily.pk}g"), "player_id": f"{player.pk} + n"})
    with guards_dropped():
        game.delete()
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
    day = day_mark(daily.day)
    return [f"{day}{daily.pk}g{n}" for n in range(1, number + 1)]
