"""Findings: the reports of detectors, with everything that a person needs to check them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from leaderboards.detectors.thresholds import VERSION

Number = int | float | str


class Strength(StrEnum):
    """The most that a finding can do on its own."""

    CASE = "case"  # opens a case
    WATCH = "watch"  # is shown to reviewers
    SUPPORT = "support"  # adds to other evidence, never enough alone
    PRIORITY = "priority"  # moves a case up the queue, no evidence of anything


@dataclass(frozen=True, slots=True)
class Finding:
    """Evidence about an account or one of its games.

    `score` is compared with `threshold`; `version` is that of the thresholds and of the sampler. `innocent` lists
    other possible explanations; `games` are those that it is based on, the most significant first.
    """

    detector: str
    strength: Strength
    score: float
    threshold: float
    explanation: str
    numbers: Mapping[str, Number] = field(default_factory=dict)
    innocent: tuple[str, ...] = ()
    games: tuple[str, ...] = ()
    version: str = VERSION


def strongest_first(found: Iterable[Finding]) -> list[Finding]:
    """Return findings in the order of their strengths."""
    return sorted(found, key=lambda finding: list(Strength).index(finding.strength))


def false_record(game: str, why: str) -> Finding:
    """Return the finding about a game whose record cannot be what was played."""
    return Finding(
        detector="verification",
        strength=Strength.CASE,
        score=1,
        threshold=1,
        explanation=f"Game {game}: {why}",
        innocent=("A fault of the program that wrote the record: compare with the server's log.",),
        games=(game,),
    )
