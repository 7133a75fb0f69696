"""Streaks and storms: puzzle after puzzle, judged by the server and timed by its clock.

A streak ends with the first mistake. A storm lasts three minutes, and a mistake costs ten seconds of them. Each change
is a row before it is an answer, under a lock on the run: two tabs play the same run.
"""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction

from games.deals.shuffle import bytes_from
from games.players.models import Player
from games.puzzles.attempting import keep_all
from games.puzzles.choosing import puzzle_between
from games.puzzles.judging import Judgement, judge
from games.puzzles.library import Puzzle, find_puzzle
from games.puzzles.models import PuzzleRun, RunStep
from games.puzzles.refusals import RunOver, StalePuzzle, UnknownRun
from games.puzzles.rhythm import is_regular
from games.runtime.limits import Hit, count

Kind = PuzzleRun.Kind
STORM = timedelta(minutes=3)
PENALTY = timedelta(seconds=10)
"""The time that a mistake costs in a storm."""
STEPS = 100
"""The puzzles of all ratings, in so many equal parts: the first puzzle of a run comes from the easiest, and so on."""
REACTION_MS, REMOVAL_MS = 500, 130
"""The least time that a person takes to look at a position, and for each removal, which is two clicks."""
MOST_HASTY = 2
TOGETHER = 200


@dataclass(frozen=True)
class Step:
    """A removal as judged: the run after it, a row if it has decided the puzzle, and whether it ends the run."""

    run: PuzzleRun
    puzzle: Puzzle
    judgement: Judgement
    row: RunStep | None
    is_last: bool


def start(player: Player, kind: Kind, now: datetime) -> PuzzleRun:
    """Return the running run of a player, a new one if there is none. Raises `Throttled`."""
    with transaction.atomic():
        running = _running(player, kind, now)
        if running is not None:
            return running
        count(Hit("puzzle_runs", str(player.pk)))
        seed = secrets.token_hex(16)
        run, _ = PuzzleRun.objects.get_or_create(
            player=player,
            kind=kind,
            ended_at=None,
            defaults={
                "seed": seed,
                "best_before": best_of(player, kind),
                "puzzle": puzzle_at(seed, 1),
                "started_at": now,
                "shown_at": now,
                "ends_at": now + STORM if kind is Kind.STORM else None,
            },
        )
        return run


def running(player: Player, kind: Kind, now: datetime) -> PuzzleRun | None:
    """Return the running run of a player; one whose time is up is ended."""
    with transaction.atomic():
        return _running(player, kind, now)


def read_run(player: Player, run_id: str, now: datetime) -> PuzzleRun:
    """Return a run of a player; one whose time is up is ended. Raises `UnknownRun`."""
    with transaction.atomic():
        run = _locked(player, run_id)
        if run.ended_at is None and run.is_over(now):
            _end(run, run.ends_at or now)
        return run


def puzzle_at(seed: str, number: int) -> str:
    """Return the id of a puzzle of a run: it follows from the seed, so that no tab can choose."""
    part = min(number, STEPS)
    chance = bytes_from(f"run|{seed}|{number}")
    return puzzle_between((part - 1) / STEPS, part / STEPS, int.from_bytes(bytes(next(chance) for _ in range(4))))


@transaction.atomic
def remove(player: Player, run_id: str, number: int, removals: list[str], now: datetime) -> Step:
    """Judge the removals so far in the puzzle that a run shows, the last one being new.

    Raises `UnknownRun`, `RunOver`, `StalePuzzle` if it shows another puzzle or position, and `NotARemoval`.
    """
    step = take(_locked(player, run_id), number, removals, now)
    if step.row is not None:
        step.row.save()
    if step.is_last:
        _end(step.run, now)
    else:
        step.run.save()
    return step


def take(run: PuzzleRun, number: int, removals: list[str], now: datetime) -> Step:
    """Judge the removals so far and change the run accordingly; nothing is stored. Raises as `remove` does."""
    if run.is_over(now):
        raise RunOver(f"the run {run.id} is over")
    if number != run.number or removals[:-1] != run.removals:
        raise StalePuzzle(f"the run shows puzzle {run.number} after {len(run.removals)} removals")
    puzzle = find_puzzle(run.puzzle)
    judgement = judge(puzzle, removals)
    row = None
    if judgement.loss or judgement.is_solved:
        row = _finish_puzzle(run, puzzle, judgement, now)
    else:
        run.removed = " ".join(removals)
    is_last = judgement.loss is not None and (run.kind == Kind.STREAK or run.is_over(now))
    return Step(run, puzzle, judgement, row, is_last)


def give_up_run(player: Player, run_id: str, now: datetime) -> PuzzleRun:
    """End a run as it is. Again changes nothing. Raises `UnknownRun`."""
    with transaction.atomic():
        run = _locked(player, run_id)
        if run.ended_at is None:
            _end(run, min(now, run.ends_at or now))
        return run


def end_overdue_storms(now: datetime) -> int:
    """End storms whose time is up, and return how many."""
    overdue = PuzzleRun.objects.filter(kind=Kind.STORM, ended_at=None, ends_at__lte=now)
    ids = list(overdue.order_by("ends_at").values_list("pk", flat=True)[:TOGETHER])
    for run_id in ids:
        with transaction.atomic():
            run = PuzzleRun.objects.select_for_update().get(pk=run_id)
            if run.ended_at is None:
                _end(run, run.ends_at or now)
    return len(ids)


def is_human(run: PuzzleRun) -> bool:
    """Return False for a run in which puzzles were solved faster than a person solves them, or as regularly as none."""
    return run.hasty <= MOST_HASTY and not is_regular(run.steps.all())


def lock_waiting(most: int) -> list[PuzzleRun]:
    """Return runs that wait for their tables, and lock them until the transaction ends."""
    waiting = PuzzleRun.objects.select_for_update().filter(waits=True).prefetch_related("steps")
    return list(waiting.order_by("ended_at", "pk")[:most])


def mark_entered(runs: Sequence[PuzzleRun]) -> None:
    """Note that runs wait no longer."""
    PuzzleRun.objects.filter(pk__in=[run.pk for run in runs]).update(waits=False)


def best_of(player: Player, kind: str) -> int:
    """Return the most puzzles that a player has solved in a run of a kind."""
    runs = PuzzleRun.objects.filter(player=player, kind=kind).order_by("-solved")
    return runs.values_list("solved", flat=True).first() or 0


def _running(player: Player, kind: Kind, now: datetime) -> PuzzleRun | None:
    run = PuzzleRun.objects.select_for_update().filter(player=player, kind=kind, ended_at=None).first()
    if run is not None:
        run.player = player  # which would be read otherwise
    if run is not None and run.is_over(now):
        _end(run, run.ends_at or now)
        return None
    return run


def _locked(player: Player, run_id: str) -> PuzzleRun:
    try:
        run = PuzzleRun.objects.select_for_update().get(pk=run_id, player=player)
    except PuzzleRun.DoesNotExist:
        raise UnknownRun(f"you have no run {run_id[:20]}") from None
    run.player = player  # which would be read otherwise
    return run


def _finish_puzzle(run: PuzzleRun, puzzle: Puzzle, judgement: Judgement, now: datetime) -> RunStep:
    elapsed_ms = (now - run.shown_at) // timedelta(milliseconds=1)
    row = RunStep(
        run=run,
        number=run.number,
        puzzle=puzzle.id,
        is_solved=judgement.is_solved,
        found=judgement.found,
        elapsed_ms=max(0, elapsed_ms),
    )
    if judgement.is_solved:
        run.solved += 1
        run.hasty += elapsed_ms < REACTION_MS + REMOVAL_MS * puzzle.decisions
    else:
        run.mistakes += 1
        run.ends_at = run.ends_at and run.ends_at - PENALTY
    run.puzzle, run.removed, run.shown_at = puzzle_at(run.seed, run.number), "", now
    return row


def _end(run: PuzzleRun, at: datetime) -> None:
    """End a run: its puzzles count as attempted, and it waits for its tables."""
    run.ended_at, run.waits = at, True
    run.save()
    keep_all(run.player, [(step.puzzle, step.is_solved, step.found) for step in run.steps.all()], at)
