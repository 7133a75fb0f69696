"""Times that no hand makes: bursts, sprints, gaps as regular as a clock's; and weaker signs that only support others.

A person who plays an engine's line has human times: timing confirms and never acquits.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from math import log
from statistics import fmean, pstdev

from games.rules import Kind
from leaderboards.detectors.findings import Finding, Strength
from leaderboards.detectors.games import JudgedStep, RankedGame
from leaderboards.detectors.thresholds import THRESHOLDS

KEPT_GAMES = 10
INNOCENT = (
    "A stalled connection delivers many actions at once: compare the client's own times, where there are any.",
    "An assistive device or a keyboard with macros: ask the player.",
)


@dataclass(frozen=True, slots=True)
class Sum:
    """The number and mean of some values."""

    count: int = 0
    mean: float = 0.0

    def __add__(self, other: Sum) -> Sum:
        count = self.count + other.count
        mean = (self.count * self.mean + other.count * other.mean) / count if count else 0.0
        return Sum(count, mean)

    @classmethod
    def of(cls, values: list[float]) -> Sum:
        return cls(len(values), fmean(values)) if values else cls()


@dataclass(frozen=True, slots=True)
class Hand:
    """The timing of a game. The sums are of logarithms of gaps, except `echo`, the sum of their lag-1 products."""

    fastest_run_ms: int | None  # the shortest time of ten actions in a row with enough removals
    is_sprint: bool
    variation: float | None  # of gaps, None where there are too few
    choices: Sum = Sum()
    forced: Sum = Sum()
    news: Sum = Sum()  # after a card that was never seen before
    no_news: Sum = Sum()
    echo: Sum = Sum()


@dataclass(frozen=True, slots=True)
class Timing:
    """The timing of all games of an account."""

    games: int = 0
    fast: tuple[str, ...] = ()
    regular: tuple[str, ...] = ()
    least_ms: float | None = None
    least_variation: float | None = None
    choices: Sum = Sum()
    forced: Sum = Sum()
    news: Sum = Sum()
    no_news: Sum = Sum()
    echo: Sum = Sum()

    def after(self, game: str, hand: Hand) -> Timing:
        is_burst = hand.fastest_run_ms is not None and hand.fastest_run_ms < THRESHOLDS.burst_ms
        is_regular = hand.variation is not None and hand.variation < THRESHOLDS.least_variation
        return replace(
            self,
            games=self.games + 1,
            fast=_with(self.fast, game, is_burst or hand.is_sprint),
            regular=_with(self.regular, game, is_regular),
            least_ms=_least(self.least_ms, hand.fastest_run_ms),
            least_variation=_least(self.least_variation, hand.variation),
            **{name: getattr(self, name) + getattr(hand, name) for name in _SUMS},
        )


_SUMS = ("choices", "forced", "news", "no_news", "echo")


def read(game: RankedGame) -> Hand:
    steps = game.steps
    is_long = game.play.position.is_won and game.play.moves >= THRESHOLDS.sprint_moves
    kept = _timed(steps)
    timed = [(before, step, log(gap + THRESHOLDS.added_to_gap_ms)) for before, step, gap in kept]
    moves = [(before, step, time) for before, step, time in timed if step.action.kind is not Kind.UNDO]
    return Hand(
        fastest_run_ms=_fastest_run(steps),
        is_sprint=is_long and game.play.elapsed_ms - steps[0].at_ms < THRESHOLDS.sprint_ms,
        variation=_variation([gap for _, _, gap in kept]),
        choices=Sum.of([time for _, step, time in moves if not step.is_forced]),
        forced=Sum.of([time for _, step, time in moves if step.is_forced and step.action.kind is Kind.DRAW]),
        news=Sum.of([time for before, _, time in moves if before.turned]),
        no_news=Sum.of([time for before, _, time in moves if not before.turned]),
        echo=_echo([time for _, _, time in timed]),
    )


def findings(timing: Timing) -> list[Finding]:
    found = []
    if len(timing.fast) >= THRESHOLDS.fast_games:
        found.append(_finding_of_speed(timing))
    if len(timing.regular) >= THRESHOLDS.regular_games:
        found.append(_finding_of_regularity(timing))
    if signs := _signs(timing):
        found.append(_finding_of_signs(timing, signs))
    return found


def _finding_of_speed(timing: Timing) -> Finding:
    return Finding(
        detector="machine timing",
        strength=Strength.CASE,
        score=len(timing.fast),
        threshold=THRESHOLDS.fast_games,
        explanation=(
            f"In {len(timing.fast)} of {timing.games} games {THRESHOLDS.burst_actions} actions in a row, removals "
            f"among them, took under {THRESHOLDS.burst_ms / 1000} s, or a win of {THRESHOLDS.sprint_moves} moves or "
            f"more under {THRESHOLDS.sprint_ms // 1000} s. A removal takes a hand two clicks."
        ),
        numbers={"fast games": len(timing.fast), "fastest run ms": timing.least_ms or 0},
        innocent=INNOCENT,
        games=timing.fast,
    )


def _finding_of_regularity(timing: Timing) -> Finding:
    return Finding(
        detector="machine timing",
        strength=Strength.CASE,
        score=timing.least_variation or 0.0,
        threshold=THRESHOLDS.least_variation,
        explanation=(
            f"In {len(timing.regular)} of {timing.games} games the times between actions hardly differ: their "
            f"coefficient of variation is below {THRESHOLDS.least_variation}, as low as "
            f"{timing.least_variation or 0:.2f}. People have about twice that, because some decisions are harder."
        ),
        numbers={"regular games": len(timing.regular), "least variation": timing.least_variation or 0.0},
        innocent=INNOCENT,
        games=timing.regular,
    )


def _signs(timing: Timing) -> dict[str, float]:
    """Return the weak signs, each with its name and value."""
    if timing.games < THRESHOLDS.fewest_timed_games:
        return {}
    at_choices = timing.choices.mean - timing.forced.mean if timing.forced.count >= THRESHOLDS.fewest_gaps else 1.0
    after_news = timing.news.mean - timing.no_news.mean if timing.news.count >= THRESHOLDS.fewest_gaps else 1.0
    signs = {}
    if at_choices < THRESHOLDS.least_slowdown:
        signs["slower before choices"] = at_choices
    if after_news < THRESHOLDS.least_slowdown:
        signs["slower after a new card"] = after_news
    if timing.echo.count and abs(timing.echo.mean) < THRESHOLDS.least_correlation:
        signs["correlation of neighbouring gaps"] = timing.echo.mean
    return signs


def _finding_of_signs(timing: Timing, signs: dict[str, float]) -> Finding:
    listed = ", ".join(f"{name}: {number:+.2f}" for name, number in signs.items())
    return Finding(
        detector="timing signs",
        strength=Strength.SUPPORT,
        score=len(signs),
        threshold=1,
        explanation=(
            f"Over {timing.games} games the times do not depend on what happens as those of people do ({listed}, "
            "as differences of logarithms and as a correlation; people have more). It only supports other evidence."
        ),
        numbers=signs,
        innocent=("A player who thinks ahead and plays in a steady rhythm.", *INNOCENT),
    )


def _fastest_run(steps: tuple[JudgedStep, ...]) -> int | None:
    """Return the least time of ten actions in a row with enough removals; drumming on the stock is human."""
    size = THRESHOLDS.burst_actions
    runs = (steps[first : first + size] for first in range(len(steps) - size + 1))
    busy = (run for run in runs if sum(step.is_removal for step in run) >= THRESHOLDS.burst_removals)
    return min((run[-1].at_ms - run[0].at_ms for run in busy), default=None)


def _timed(steps: tuple[JudgedStep, ...]) -> list[tuple[JudgedStep, JudgedStep, int]]:
    """Return the steps with their predecessors and the gaps between, without the first step and long breaks."""
    gaps = [(before, step, step.at_ms - before.at_ms) for before, step in pairwise(steps)]
    return [(before, step, gap) for before, step, gap in gaps if gap <= THRESHOLDS.longest_gap_ms]


def _variation(gaps: list[int]) -> float | None:
    """Return the coefficient of variation of gaps, None where there are too few."""
    if len(gaps) < THRESHOLDS.fewest_gaps:
        return None
    added = [gap + THRESHOLDS.added_to_gap_ms for gap in gaps]
    return pstdev(added) / fmean(added)


def _echo(times: list[float]) -> Sum:
    """Return the lag-1 correlation of times within a game, weighted by their number."""
    if len(times) < 3:
        return Sum()
    mean, spread = fmean(times), pstdev(times)
    if spread < 1e-9:
        return Sum(len(times) - 1, 1.0)
    products = [(a - mean) * (b - mean) / spread**2 for a, b in pairwise(times)]
    return Sum(len(products), fmean(products))


def _with(games: tuple[str, ...], game: str, belongs: bool) -> tuple[str, ...]:
    return (*games, game)[:KEPT_GAMES] if belongs else games


def _least(known: float | None, new: float | None) -> float | None:
    return min((number for number in (known, new) if number is not None), default=None)
