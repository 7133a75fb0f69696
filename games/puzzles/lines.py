"""The lines of the files of puzzles."""

from typing import NamedTuple, Self

from games.puzzles.packing import BadPuzzle, Packed
from games.puzzles.seeding import seed_of


class Line(NamedTuple):
    """A puzzle in a file: its id, which would take most of the time to compute, its text, and its first rating."""

    id: str
    text: str
    seed: int

    @classmethod
    def of(cls, puzzle: Packed) -> Self:
        return cls(puzzle.id, puzzle.text, seed_of(puzzle))

    @classmethod
    def read(cls, line: str) -> Self:
        """Read a line. Raises `BadPuzzle`."""
        match line.split(" "):
            case [puzzle_id, text, seed] if seed.isascii() and seed.isdigit():
                return cls(puzzle_id, text, int(seed))
        raise BadPuzzle(f"not a puzzle: {line[:80]}")

    def __str__(self) -> str:
        return f"{self.id} {self.text} {self.seed}"
