"""Copied lines: the same choices as an earlier game of somebody else, where other players chose differently.

A line consists of stages: the set of cards removed between two draws. Undone moves are left out. Identical lines alone
prove nothing, since most winners of an easy deal play alike; so each shared choice counts by its rarity.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from math import exp, log

from games.rules import Kind, Position
from leaderboards.detectors.findings import Finding, Strength
from leaderboards.detectors.fortunes import NOTHING, Fortune
from leaderboards.detectors.games import JudgedStep, RankedGame
from leaderboards.detectors.thresholds import THRESHOLDS

KEPT_COPIES = 10
INNOCENT = (
    "Both follow the same published advice, or learned from each other.",
    "The original copied from this account: compare who has such lines with others too.",
    "Two people who often sit at one screen.",
)


@dataclass(frozen=True, slots=True)
class Line:
    """The choices of a game: one for each stage that began with a choice, from the first removal on."""

    game: str
    account: str
    started_ms: int
    ended_ms: int
    drew_first: bool  # True if the whole stock was seen before the first removal
    chosen: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Match:
    """The earlier line that a line fits best; the score is a logarithm of odds."""

    original: str
    score: float
    same: int
    different: int
    compared: int


@dataclass(frozen=True, slots=True)
class Copies:
    """The matches of an account's games so far."""

    fortune: Fortune = NOTHING
    games: int = 0  # games that match some earlier line better than chance
    examples: tuple[tuple[str, str], ...] = ()  # (game, original)

    def after(self, game: str, match: Match) -> Copies:
        fits = match.score > 0
        return replace(
            self,
            fortune=self.fortune.after((exp(match.score),)),
            games=self.games + fits,
            examples=(*self.examples, (game, match.original))[-KEPT_COPIES:] if fits else self.examples,
        )


def line_of(game: RankedGame) -> Line:
    chosen: dict[str, tuple[str, ...]] = {}
    has_begun = False
    for before, stage in _stages(game.line):
        has_begun = has_begun or bool(stage)
        if has_begun and any(move.kind is Kind.REMOVE for move in before.legal_moves):
            chosen.setdefault(before.text, stage)
    return Line(game.id, game.account, game.started_ms, game.ended_ms, _drew_first(game), chosen)


class Cohort:
    """The lines of all games on one deal."""

    def __init__(self, lines: Iterable[Line]) -> None:
        self._lines = list(lines)
        self._chosen: dict[str, Counter[tuple[str, ...]]] = defaultdict(Counter)
        for line in self._lines:
            for position, stage in line.chosen.items():
                self._chosen[position][stage] += 1

    def best_match(self, line: Line) -> Match | None:
        """Return the earlier line of another account that a line fits best; None if too few can be compared."""
        peers = [other for other in self._lines if other.drew_first == line.drew_first]
        earlier = [other for other in peers if other.account != line.account and other.ended_ms <= line.started_ms]
        if len(peers) < THRESHOLDS.fewest_lines or not earlier:
            return None
        matches = (self._match(line, other, len(earlier)) for other in earlier)
        return max(matches, key=lambda match: match.score)

    def _match(self, line: Line, other: Line, compared: int) -> Match:
        shared = line.chosen.keys() & other.chosen.keys()
        same = [position for position in shared if line.chosen[position] == other.chosen[position]]
        different = len(shared) - len(same)
        score = sum(self._rarity(position, line.chosen[position]) for position in same)
        score += THRESHOLDS.different_stage * different - log(compared)
        return Match(other.game, score, len(same), different, compared)

    def _rarity(self, position: str, stage: tuple[str, ...]) -> float:
        """Return ln(1 / share of the others there who chose the same, and one more).

        Where nobody else has been it is 0: two champions get there too, and agree because both are right.
        """
        met = self._chosen[position]
        return log((max(0, met.total() - 2) + 1) / (max(0, met[stage] - 2) + 1))


def finding(copies: Copies) -> Finding | None:
    """Return a finding if the matches of an account make a case."""
    score = log(copies.fortune.highest)
    if copies.games < THRESHOLDS.copied_games or score < THRESHOLDS.copied_case:
        return None
    listed = "; ".join(f"{game} follows {original}" for game, original in copies.examples)
    return Finding(
        detector="copied line",
        strength=Strength.CASE,
        score=score,
        threshold=THRESHOLDS.copied_case,
        explanation=(
            f"{copies.games} of {copies.fortune.games} games follow a line that somebody else had finished "
            f"before, even where few others made the same choice: {listed}."
        ),
        numbers={"logarithm of the odds": score, "games that follow": copies.games, "games": copies.fortune.games},
        innocent=INNOCENT,
        games=tuple(game for game, _ in copies.examples),
    )


def _stages(line: tuple[JudgedStep, ...]) -> list[tuple[Position, tuple[str, ...]]]:
    """Return for each stage the position it began with and the cards removed in it, sorted."""
    stages: list[tuple[Position, list[str]]] = []
    for step in line:
        if not stages:
            stages.append((step.before, []))
        if step.action.kind is Kind.DRAW:
            stages.append((step.after, []))
        elif step.is_removal:
            stages[-1][1].append(step.action.text)
    return [(before, tuple(sorted(removed))) for before, removed in stages]


def _drew_first(game: RankedGame) -> bool:
    """Return True if every card of the stock was seen before the first removal."""
    first = next((number for number, step in enumerate(game.steps) if step.is_removal), len(game.steps))
    return sum(len(step.turned) for step in game.steps[:first]) == len(game.play.start.stock)
