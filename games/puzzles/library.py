"""The puzzles that come with the server: a file that only ever grows at its end, and no table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import NamedTuple

from games.deals.shuffle import bytes_from, shuffled
from games.puzzles.clearing import pyramid_cards, removals, without
from games.puzzles.packing import BadPuzzle, Packed
from games.puzzles.refusals import UnknownPuzzle
from games.puzzles.seeding import seed_of
from games.puzzles.themes import Theme, themes_of
from games.rules import CARDS, Card, Move, Position
from games.rules.cards import RANKS, SUITS

FILE = Path(__file__).with_name("puzzles.txt")
"""A line for each puzzle (`manage.py find_puzzles`)."""
_KEPT = 256


@dataclass(frozen=True)
class Puzzle:
    """A puzzle in the cards in which everyone sees it."""

    id: str
    packed: Packed
    seed: int
    """The rating with which it begins."""

    @property
    def position(self) -> Position:
        return self.packed.position

    @property
    def decisions(self) -> int:
        """The number of removals that the player has to find."""
        return self.packed.decisions

    @cached_property
    def choices(self) -> int:
        """The number of removals that are possible at the beginning."""
        return len(removals(self.position))

    @cached_property
    def themes(self) -> list[Theme]:
        return themes_of(self.packed)

    @cached_property
    def line(self) -> list[Move]:
        """The moves of the win, with all draws."""
        return self.packed.line

    def position_after(self, count: int) -> Position:
        """Return the position in which the first removals have been found."""
        position = self.position
        for move in self.packed.win[:count]:
            position = without(position, move)
        return position

    def is_right(self, move: Move, count: int) -> bool:
        """Return True if a removal is the one to find after so many."""
        position, right = self.position_after(count), self.packed.win[count]
        return pyramid_cards(position, move) == pyramid_cards(position, right)


@lru_cache(_KEPT)
def find_puzzle(puzzle_id: str) -> Puzzle:
    """Return a puzzle. Raises `UnknownPuzzle`."""
    line = _lines().get(puzzle_id)
    if line is None:
        raise UnknownPuzzle(f"there is no puzzle {puzzle_id[:20]}")
    return Puzzle(puzzle_id, Packed.from_text(line.text, lambda ranks: _dressed(puzzle_id, ranks)), line.seed)


def puzzle_ids() -> Sequence[str]:
    """Return the ids of all puzzles, in the order of the file."""
    return _ids()


@cache
def seeds() -> dict[str, int]:
    """Return the rating with which each puzzle begins, by its id."""
    return {puzzle_id: line.seed for puzzle_id, line in _lines().items()}


class Line(NamedTuple):
    """A puzzle in a file: its id, which would take most of the time to compute, its text, and its first rating."""

    id: str
    text: str
    seed: int

    @classmethod
    def of(cls, puzzle: Packed) -> Line:
        return cls(puzzle.id, puzzle.text, seed_of(puzzle))

    @classmethod
    def read(cls, line: str) -> Line:
        """Read a line. Raises `BadPuzzle`."""
        match line.split(" "):
            case [puzzle_id, text, seed] if seed.isascii() and seed.isdigit():
                return cls(puzzle_id, text, int(seed))
        raise BadPuzzle(f"not a puzzle: {line[:80]}")

    def __str__(self) -> str:
        return f"{self.id} {self.text} {self.seed}"


def read_ids(lines: str) -> Iterator[str]:
    """Yield the ids of the puzzles in a file's text. Raises `BadPuzzle`."""
    return (Packed.from_text(Line.read(line).text).id for line in lines.splitlines())


@cache
def _lines() -> dict[str, Line]:
    lines = map(Line.read, FILE.read_text(encoding="ascii").splitlines())
    return {line.id: line for line in lines}


@cache
def _ids() -> tuple[str, ...]:
    return tuple(_lines())


def _dressed(puzzle_id: str, ranks: Sequence[int]) -> list[Card]:
    """Return cards of these ranks, in suits that depend only on the puzzle."""
    stream = bytes_from(f"suits|{puzzle_id}")
    suits = {rank: iter(shuffled(range(len(SUITS)), stream)) for rank in range(1, len(RANKS) + 1)}
    return [CARDS[(rank - 1) * len(SUITS) + next(suits[rank])] for rank in ranks]
