"""Attempt puzzles: each player's first attempt is kept and rated, however many tabs it comes from."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from django.db import transaction
from django.db.models import Q

from games.players.models import Player
from games.puzzles.judging import Judgement, judge
from games.puzzles.library import Puzzle
from games.puzzles.models import PuzzleAttempt, PuzzleRun
from games.puzzles.ratings import Rated, locked_strength, rate_attempt
from games.puzzles.reading import failed_attempts
from games.puzzles.refusals import PuzzleInRun


class Attempted(NamedTuple):
    """The verdict on an attempt, and how it changed the player's rating, None if it did not."""

    judgement: Judgement
    rated: Rated | None


def attempt(puzzle: Puzzle, player: Player | None, removals: Sequence[str], now: datetime) -> Attempted:
    """Judge the removals of an attempt so far; nothing is kept of visitors. Raises `NotARemoval`.

    Raises `PuzzleInRun` for a puzzle that a run of the player shows.
    """
    _require_no_run(puzzle, player, now)
    judgement = judge(puzzle, removals)
    if player is None or not (judgement.loss or judgement.is_solved):
        return Attempted(judgement, None)
    return Attempted(judgement, keep(puzzle, player, judgement, now))


def give_up(puzzle: Puzzle, player: Player | None, now: datetime) -> Rated | None:
    """Count an attempt as failed, because its player asks for the solution. Raises `PuzzleInRun`."""
    _require_no_run(puzzle, player, now)
    return keep(puzzle, player, Judgement(0, is_solved=False, loss=None), now) if player else None


def keep_all(player: Player, results: Sequence[tuple[str, bool, int]], now: datetime) -> None:
    """Keep the puzzles of a run as attempts that are not rated: id, whether it was solved, removals found.

    The transaction is the caller's. A puzzle that was attempted before is not rated later; those that failed can be
    played again, also in a run.
    """
    locked_strength(player)
    solved = [puzzle for puzzle, is_solved, _ in results if is_solved]
    failed_attempts(player).filter(puzzle__in=solved).update(solved_later_at=now)
    PuzzleAttempt.objects.bulk_create(
        [
            PuzzleAttempt(player=player, puzzle=puzzle, at=now, is_solved=is_solved, found=found)
            for puzzle, is_solved, found in results
        ],
        ignore_conflicts=True,
    )


@transaction.atomic
def keep(puzzle: Puzzle, player: Player, judgement: Judgement, now: datetime) -> Rated | None:
    """Keep an attempt that is over: the first one is rated."""
    # The lock of the player's rating lets the attempts of two tabs follow each other: the second finds the first.
    before = locked_strength(player)
    first = PuzzleAttempt.objects.filter(player=player, puzzle=puzzle.id).first()
    if first is not None:
        if judgement.is_solved:
            failed_attempts(player).filter(pk=first.pk).update(solved_later_at=now)
        return None
    rated = rate_attempt(player, before, puzzle, is_solved=judgement.is_solved)
    PuzzleAttempt.objects.create(
        player=player,
        puzzle=puzzle.id,
        at=now,
        is_solved=judgement.is_solved,
        found=judgement.found,
        mean_before=rated.before.mean,
        mean=rated.after.mean,
        puzzle_mean=rated.puzzle.mean,
    )
    return rated


def _require_no_run(puzzle: Puzzle, player: Player | None, now: datetime) -> None:
    """Raise `PuzzleInRun` if a running run of a player shows a puzzle: it would tell the way there."""
    shown = Q(ended_at=None, puzzle=puzzle.id) & (Q(ends_at=None) | Q(ends_at__gt=now))
    if player and PuzzleRun.objects.filter(shown, player=player).exists():
        raise PuzzleInRun(f"your run shows the puzzle {puzzle.id}")
