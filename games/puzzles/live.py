"""The runs that are played over this process. Removals that arrive together are one statement.

A removal that fits a run as it is remembered, and after which it goes on, is written on condition that the run is still
so, which needs neither a lock nor a read. Any other is left to `runs.remove`, which reads the run first.
"""

from collections import OrderedDict
from collections.abc import Sequence
from concurrent.futures import Future
from copy import copy
from datetime import datetime
from typing import NamedTuple

from games.doors.refusals import Refusal
from games.players.models import Player
from games.puzzles.models import PuzzleRun
from games.puzzles.runs import Step, remove, take
from games.puzzles.statements import Turn, write_turns
from games.puzzles.wire import RunStep
from games.runtime.batching import BatchThread
from games.runtime.clock import clock

MOST_REMEMBERED = 5000

_remembered: OrderedDict[str, PuzzleRun] = OrderedDict()  # as they were last written; known only to the thread


class Removal(NamedTuple):
    """The removals so far in the puzzle that a run shows, the last one being new."""

    player: Player
    run_id: str
    number: int
    moves: list[str]
    now: datetime


def judge_soon(player: Player, run_id: str, number: int, moves: list[str]) -> Future[RunStep]:
    """Judge a removal together with all others that wait. The future raises what `runs.remove` raises."""
    return _thread.submit(Removal(player, run_id, number, moves, clock.now()))


def stop() -> None:
    """Judge the waiting removals and close the connection; a later removal reopens it."""
    _thread.stop()


def _judge_all(removals: Sequence[Removal]) -> list[RunStep | Exception]:
    expected = _expected_steps(removals)
    written = write_turns([Turn(_remembered[run_id], step.run, step.row) for run_id, (_, step) in expected.items()])
    by_place = {place: step for run_id, (place, step) in expected.items() if run_id in written}
    return [_outcome(removal, by_place.get(place)) for place, removal in enumerate(removals)]


def _expected_steps(removals: Sequence[Removal]) -> dict[str, tuple[int, Step]]:
    """Return the steps that follow if no other process took one, and their places, by run: the first of each."""
    expected: dict[str, tuple[int, Step]] = {}
    for place, removal in enumerate(removals):
        if removal.run_id not in expected and (step := _expected_step(removal)):
            expected[removal.run_id] = place, step
    return expected


def _expected_step(removal: Removal) -> Step | None:
    """Return None where the run has to be read first: it is unknown, ends, or seems not to be as the player saw it."""
    run = _remembered.get(removal.run_id)
    if run is None or run.player_id != removal.player.pk:
        return None
    try:
        step = take(copy(run), removal.number, removal.moves, removal.now)
    except Refusal:
        return None
    return None if step.is_last else step


def _outcome(removal: Removal, written: Step | None) -> RunStep | Exception:
    try:
        step = written or remove(*removal)
    except Refusal as refusal:
        return refusal
    _remembered[step.run.pk] = copy(step.run)
    _remembered.move_to_end(step.run.pk)
    while len(_remembered) > MOST_REMEMBERED:
        _remembered.popitem(last=False)
    return RunStep.of(step, removal.now)


_thread: BatchThread[Removal, RunStep] = BatchThread("removals", _judge_all)
