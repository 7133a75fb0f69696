"""Analyse a finished game: find the effect of each action on the shortest way to the win. Plain Python, no I/O."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Literal

from games import solver
from games.rules import Action, Kind, Move, Play, Position, Suits

if TYPE_CHECKING:
    # At run time it would load the search into every process that can analyse.
    from games.solver import KnownPositions, Solution

# Bounds the search of a whole game: the more positions, the fewer nodes for each.
MOST_NODES = 10_000_000
# A game with two decks is rarely decided at all, and its nodes cost more.
MOST_NODES_OF_TWO_DECKS = 1_000_000
MOST_COSTLY = 3

# The fewest actions to the win, None if there is no win, `UNKNOWN` if the search did not finish.
UNKNOWN: Literal["unknown"] = "unknown"
Distance = int | Literal["unknown"] | None


class Verdict(StrEnum):
    """The effect of an action on the chance to win."""

    BEST = "best"
    SLOWER = "slower"
    LOST = "lost"
    HOPELESS = "hopeless"
    REGAINED = "regained"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class AnalysedAction:
    """An action that led to `version`, with the shortest distance to the win before and after it.

    `cost` is how many actions it wasted, below 0 for an undo that saved some; None unless both distances are numbers.
    `best` is the text of a best move from the position before, None where none is known.
    """

    version: int
    action: str
    before: Distance
    after: Distance
    cost: int | None
    verdict: Verdict
    best: str | None


@dataclass(frozen=True, slots=True)
class Analysis:
    """The analysis of a whole game, as plain values.

    `shortest` is the distance at the start. From version `lost_at` on the game could not be won any more; None if it
    was won, or could be to the end, or that is unknown. `critical` are the versions of the actions that mattered most.
    `accuracy` is 0 to 100, None for a game without a decision; its formula is in docs/analysis.md.
    """

    shortest: Distance
    lost_at: int | None
    accuracy: float | None
    critical: tuple[int, ...]
    steps: tuple[AnalysedAction, ...]


def analyse(
    play: Play,
    progress: Callable[[int, int], object] = lambda done, total: None,
    known: KnownPositions | None = None,
) -> Analysis:
    """Analyse a play whose cards are all known, calling `progress` with the positions solved so far and their total.

    `known` are positions of other analyses. Positions beyond the bound on the search are `UNKNOWN`. Raises
    `NotationError` for unseen cards.
    """
    positions = _positions(play)
    solutions = _solutions(positions, progress, known)
    actions = [timed.action for timed in play.actions]
    steps = tuple(
        _analysed(version, action, solutions[version - 1], solutions[version])
        for version, action in enumerate(actions, 1)
    )
    decisions = [
        step
        for step, action, before in zip(steps, actions, positions, strict=False)
        if isinstance(action, Move) and len(before.legal_moves) > 1
    ]
    distances = [_distance(solution) for solution in solutions]
    return Analysis(distances[0], _lost_at(distances), _accuracy(decisions), _critical(steps), steps)


def in_suits(analysed: Analysis, suits: Suits) -> Analysis:
    """Return the analysis of the same game in other suits."""

    def text(action: str) -> str:
        return suits.of_action(Action.from_text(action)).text

    steps = (replace(step, action=text(step.action), best=step.best and text(step.best)) for step in analysed.steps)
    return replace(analysed, steps=tuple(steps))


def _positions(play: Play) -> list[Position]:
    again = Play(play.start)
    positions = [again.position]
    for timed in play.actions:
        again.do(*timed)
        positions.append(again.position)
    return positions


def _solutions(
    positions: Sequence[Position], progress: Callable[[int, int], object], known: KnownPositions | None
) -> list[Solution]:
    """Return the solution of each position, solving repeated ones once."""
    different = list(dict.fromkeys(positions))
    reported = _reporting(different, progress)
    most = MOST_NODES if positions[0].rules.decks == 1 else MOST_NODES_OF_TWO_DECKS
    solved = solver.distances(reported, node_limit=max(1, most // len(different)), known=known)
    solution_of = dict(zip(different, solved, strict=True))
    return [solution_of[position] for position in positions]


def _reporting(positions: Sequence[Position], progress: Callable[[int, int], object]) -> Iterator[Position]:
    for done, position in enumerate(positions):
        progress(done, len(positions))
        yield position
    progress(len(positions), len(positions))


def _distance(solution: Solution) -> Distance:
    return UNKNOWN if solution.is_winnable is None else solution.length


def _analysed(version: int, action: Action, before: Solution, after: Solution) -> AnalysedAction:
    was, now = _distance(before), _distance(after)
    spent = 0 if action.kind is Kind.HINT else 1
    cost = now + spent - was if isinstance(was, int) and isinstance(now, int) else None
    best = before.moves[0].text if before.moves else None
    verdict = _verdict(was, now, cost)
    return AnalysedAction(
        version, action.text, was, now, cost, verdict, action.text if verdict is Verdict.BEST else best
    )


def _verdict(was: Distance, now: Distance, cost: int | None) -> Verdict:
    if UNKNOWN in (was, now):
        return Verdict.UNKNOWN
    if cost is not None:
        return Verdict.SLOWER if cost > 0 else Verdict.BEST
    if was is None:
        return Verdict.HOPELESS if now is None else Verdict.REGAINED
    return Verdict.LOST


def _lost_at(distances: Sequence[Distance]) -> int | None:
    """Return the version from which on the game was unwinnable to the end."""
    winnable = (version for version in range(len(distances), 0, -1) if distances[version - 1] is not None)
    lost_at = next(winnable, 0)
    return lost_at if lost_at < len(distances) else None


def _critical(steps: Sequence[AnalysedAction]) -> tuple[int, ...]:
    """Return the versions of the action that lost the win and of the few others that cost most."""
    lost = [step.version for step in steps if step.verdict is Verdict.LOST]
    slower = sorted((-step.cost, step.version) for step in steps if step.cost is not None and step.cost > 0)
    return tuple(sorted([*lost, *(version for _, version in slower[:MOST_COSTLY])]))


def _accuracy(decisions: Sequence[AnalysedAction]) -> float | None:
    """Return the mean value of the decisions made while the game could be won, in percent."""
    worth = [_worth(step) for step in decisions if step.verdict in (Verdict.BEST, Verdict.SLOWER, Verdict.LOST)]
    return round(100 * sum(worth) / len(worth), 1) if worth else None


def _worth(step: AnalysedAction) -> float:
    """Return the progress per action spent: 1 if none was wasted, 1/2 if half of them were, 0 for a lost win."""
    return 0.0 if step.cost is None else 1 / (1 + step.cost)
