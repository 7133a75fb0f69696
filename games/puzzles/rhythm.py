"""A rhythm that no person keeps: some puzzles are harder than others, so that people take longer for them."""

from collections.abc import Iterable, Sequence
from statistics import fmean, pstdev

from games.puzzles.models import RunStep

FEWEST_SOLVED = 20
LEAST_VARIATION = 0.15
"""Of the coefficients of variation of a person's times, whose logarithms vary by 0.35, one in 20,000 is less."""


def is_regular(steps: Iterable[RunStep]) -> bool:
    """Return True if the times of a run, for a puzzle or for a removal, are as regular as a clock's."""
    solved = [step for step in steps if step.is_solved]
    if len(solved) < FEWEST_SOLVED:
        return False
    for_puzzles = [step.elapsed_ms for step in solved]
    for_removals = [step.elapsed_ms / step.found for step in solved]
    return min(_variation(for_puzzles), _variation(for_removals)) < LEAST_VARIATION


def _variation(times: Sequence[float]) -> float:
    return pstdev(times) / max(fmean(times), 1)
