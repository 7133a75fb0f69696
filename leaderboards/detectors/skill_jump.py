"""A sudden rise in skill: the latest games against all earlier ones. It only moves a case up the queue."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import sqrt

from leaderboards.detectors.findings import Finding, Strength
from leaderboards.detectors.games import RankedGame
from leaderboards.detectors.thresholds import THRESHOLDS

MOST = 14.0  # a game further above par, or lost, counts as this
LEAST_SPREAD = 1.0
INNOCENT = (
    "Somebody learned to plan ahead, or read a guide.",
    "Somebody plays with more care since it counts.",
    "Another person plays on the account: ask.",
)


@dataclass(frozen=True, slots=True)
class Skill:
    """Moves above par of an account's games: the latest, and count, sum and sum of squares of those before."""

    latest: tuple[float, ...] = ()
    count: int = 0
    total: float = 0.0
    squares: float = 0.0

    def after(self, distance: float) -> Skill:
        """Return the skill with one more game."""
        latest = (*self.latest, distance)
        if len(latest) <= THRESHOLDS.jump_games:
            return replace(self, latest=latest)
        left = latest[0]
        return Skill(latest[1:], self.count + 1, self.total + left, self.squares + left * left)


def distance(game: RankedGame) -> float | None:
    """Return the moves above par of a game, at most `MOST`; None if par is unknown."""
    if game.par is None:
        return None
    return MOST if game.gap is None else min(MOST, float(game.gap))


def finding(skill: Skill) -> Finding | None:
    """Return a finding if the latest games are far better than those before."""
    if skill.count < THRESHOLDS.jump_games:
        return None
    before, now = skill.total / skill.count, sum(skill.latest) / len(skill.latest)
    spread = max(LEAST_SPREAD, sqrt(max(0.0, skill.squares / skill.count - before**2)))
    score = (before - now) / (spread * sqrt(1 / len(skill.latest) + 1 / skill.count))
    if score < THRESHOLDS.jump_score:
        return None
    return Finding(
        detector="skill jump",
        strength=Strength.PRIORITY,
        score=score,
        threshold=THRESHOLDS.jump_score,
        explanation=(
            f"The latest {len(skill.latest)} games took {now:.1f} moves above par on average, the {skill.count} before "
            f"them {before:.1f} ({MOST:.0f} stands for more or a loss). It is not evidence; it only says "
            "where to look first."
        ),
        numbers={"before": before, "now": now, "games before": skill.count},
        innocent=INNOCENT,
    )
