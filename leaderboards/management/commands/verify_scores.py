"""Replay ranked games, recount boards, and compare everything, in the operator's database."""

from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, date, datetime, time
from random import SystemRandom
from time import monotonic
from typing import Any, TypeVar

import django
from django.core.management.base import CommandError

from games.doors.commands import LightCommand, at_least_one, at_work, progress_bar
from games.doors.parallel import parallel_map
from games.play.models import Game
from games.play.reexecution import finished_ranked
from games.runtime.clock import clock
from leaderboards.audit.sealing import mistakes_in_seals
from leaderboards.audit.verifying import batches, flag, mistakes_in
from leaderboards.boards.models import Board, EntryState
from leaderboards.boards.recounting import boards_to_recount, mistakes_on

Result = TypeVar("Result")


class Command(LightCommand):
    help = "Replay ranked games and compare them with their results and entries; recount boards and sums of points."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.epilog = "Example: manage.py verify_scores --since 2026-11-20 --jobs 2"
        parser.add_argument("--since", type=a_day, help="only games that ended on this UTC day or later")
        parser.add_argument("--board", help="only games on this board")
        parser.add_argument(
            "--sample", type=at_least_one, help="only so many games and boards, drawn at random (default: all)"
        )
        parser.add_argument("--jobs", type=at_least_one, default=1, help="how many at a time (default: 1)")
        parser.add_argument("--flag", action="store_true", help="flag the scores that differ")

    def handle(self, *, since: date | None, board: str | None, jobs: int, **options: Any) -> None:
        began = monotonic()
        games, boards = games_to_verify(since, board), [board] if board else boards_to_recount(since)
        games, boards = drawn(games, options["sample"]), drawn(boards, options["sample"])
        with parallel_map(jobs, django.setup) as run:
            found = list(self._watched(run(mistakes_in, batches(games)), len(games), "game"))
            recounted = list(self._watched(run(mistakes_on, boards), len(boards), "board"))
        wrong = {game: mistakes for batch in found for game, mistakes in batch.items() if mistakes}
        with at_work(self.stderr, "Comparing sealed days"):
            seals = mistakes_in_seals()
        others = [*(mistake for mistakes in recounted for mistake in mistakes), *seals]
        for line in [*(f"{game}: {mistake}" for game, all_ in wrong.items() for mistake in all_), *others]:
            self.stdout.write(f"WRONG: {line}")
        if options["flag"]:
            flag_all(wrong)
        took = f"{len(games)} games and {len(boards)} boards in {monotonic() - began:.1f} seconds"
        if wrong or others:
            raise CommandError(f"{len(wrong)} games and {len(others)} rows or seals are wrong; verified {took}")
        self.stdout.write(f"All results agree with the logs: verified {took}.")

    def _watched(self, results: Iterable[Result], total: int, unit: str) -> Iterator[Result]:
        """Yield results and show the progress: a batch's dictionary counts by its games, a board's list as one."""
        with progress_bar(self.stderr, total, unit) as bar:
            for result in results:
                yield result
                bar.update(len(result) if isinstance(result, dict) else 1)


def games_to_verify(since: date | None, board: str | None) -> list[str]:
    games = finished_ranked()
    if since:
        games = games.filter(finished_at__gte=datetime.combine(since, time(), UTC))
    if board:
        if not Board.objects.filter(slug=board).exists():
            raise CommandError(f"there is no board {board!r}")
        games = games.filter(entries__board__slug=board).distinct()
    return list(games.values_list("pk", flat=True))


def drawn(items: Sequence[str], number: int | None) -> list[str]:
    """Return so many of them, in their order; all if there are no more, or no number is given."""
    if number is None or number >= len(items):
        return list(items)
    return [items[place] for place in sorted(SystemRandom().sample(range(len(items)), number))]


def flag_all(wrong: dict[str, list[str]]) -> None:
    for game in Game.objects.filter(pk__in=wrong).select_related("player", "daily"):
        last = game.decisions.last()
        # A flag takes the place of the last decision: it would give a disqualified score its rank again.
        if last is None or last.state not in (EntryState.FLAGGED, EntryState.DISQUALIFIED):
            flag(game, wrong[game.pk], clock.now())


def a_day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise ArgumentTypeError(f"{text!r} is not a day such as 2026-11-20") from error
