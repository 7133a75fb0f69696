"""Check puzzles from a file that others may have made, line by line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from games.puzzles.finding import is_puzzle
from games.puzzles.lines import Line
from games.puzzles.packing import ID_LENGTH, BadPuzzle, Packed
from games.puzzles.shelf import Shelf


class Numbered(NamedTuple):
    """A line of a file, from 1."""

    number: int
    text: str


def new_lines(file: Path, known: Shelf) -> Iterator[Numbered]:
    """Yield the lines of a file whose puzzles are not known."""
    with file.open(encoding="ascii") as lines:
        for number, line in enumerate(lines, 1):
            if line[:ID_LENGTH] not in known:
                yield Numbered(number, line.rstrip("\n"))


def checked(lines: Sequence[Numbered]) -> list[Line]:
    """Return the puzzles of lines. Raises `BadPuzzle`, with the number of the line, for an invalid one."""
    return [_checked(*line) for line in lines]


def _checked(number: int, text: str) -> Line:
    try:
        line = Line.read(text)
        puzzle = Packed.from_text(line.text)
        if not is_puzzle(puzzle) or Line.of(puzzle) != line:
            raise BadPuzzle(f"not a puzzle: {text[:80]}")
    except BadPuzzle as error:
        raise BadPuzzle(f"line {number}: {error}") from error
    return line
