"""Rate first attempts: each is a race of two between a player and a puzzle."""

from typing import NamedTuple

from games.players.models import Player
from games.puzzles.library import Puzzle
from games.puzzles.models import PuzzleRating, SolverRating
from games.races.strength import NEWCOMER, Strength, after_race

SEED_DEVIATION = 80.0
"""The uncertainty of the rating with which a puzzle begins."""


class Rated(NamedTuple):
    """A player's strength before and after an attempt, and that of the puzzle before it."""

    before: Strength
    after: Strength
    puzzle: Strength


def rate(player: Strength, puzzle: Strength, *, is_solved: bool) -> tuple[Strength, Strength]:
    """Return the strengths of a player and of a puzzle after an attempt."""
    one, other = after_race([player, puzzle], [1, 2] if is_solved else [2, 1])
    return one, other


def locked_strength(player: Player) -> Strength:
    """Return a player's strength, and lock it until the transaction ends."""
    start = {"attempts": 0, "mean": NEWCOMER.mean, "deviation": NEWCOMER.deviation}
    SolverRating.objects.get_or_create(player=player, defaults=start)
    return _strength(SolverRating.objects.select_for_update().get(player=player))


def rate_attempt(player: Player, before: Strength, puzzle: Puzzle, *, is_solved: bool) -> Rated:
    """Rate an attempt of a player whose strength is locked.

    Only people with accounts change the rating of a puzzle: guests and bots come in any number.
    """
    moves_puzzle = not player.is_guest and not player.is_bot and player.banned_at is None
    strength = _locked_puzzle(puzzle) if moves_puzzle else strength_of_puzzle(puzzle)
    after, puzzle_after = rate(before, strength, is_solved=is_solved)
    SolverRating.objects.filter(player=player).update(**_row(after))
    if moves_puzzle:
        PuzzleRating.objects.filter(puzzle=puzzle.id).update(**_row(puzzle_after))
    return Rated(before, after, strength)


def strength_of(player: Player) -> Strength:
    """Return a player's strength at puzzles."""
    row = SolverRating.objects.filter(player=player).first()
    return _strength(row) if row else NEWCOMER


def strength_of_puzzle(puzzle: Puzzle) -> Strength:
    """Return the strength of a puzzle."""
    row = PuzzleRating.objects.filter(puzzle=puzzle.id).first()
    return _strength(row) if row else _start_of(puzzle)


def _locked_puzzle(puzzle: Puzzle) -> Strength:
    PuzzleRating.objects.get_or_create(puzzle=puzzle.id, defaults=_row(_start_of(puzzle)))
    return _strength(PuzzleRating.objects.select_for_update().get(puzzle=puzzle.id))


def _start_of(puzzle: Puzzle) -> Strength:
    return Strength(float(puzzle.seed), SEED_DEVIATION, 0)


def _strength(row: SolverRating | PuzzleRating) -> Strength:
    return Strength(row.mean, row.deviation, row.attempts)


def _row(strength: Strength) -> dict[str, float]:
    return {"attempts": strength.races, "mean": strength.mean, "deviation": strength.deviation}
