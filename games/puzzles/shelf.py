"""All puzzles of a server by id and by rating, in some 120 bytes each."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from games.puzzles.lines import Line
from games.puzzles.packing import ID_LENGTH

if TYPE_CHECKING:
    from numpy.typing import NDArray

_ID = re.compile(f"[0-9a-f]{{{ID_LENGTH}}}")
_NEWLINE = ord("\n")
_RATING_LENGTH = 4
_SIXTEENS = 16 ** np.arange(ID_LENGTH - 1, -1, -1, dtype=np.int64)
_TENS = 10 ** np.arange(_RATING_LENGTH - 1, -1, -1, dtype=np.int64)


class Shelf:
    """The puzzles of some files, whose lines have been checked. A puzzle that is in several of them is there once."""

    def __init__(self, files: Sequence[Path]) -> None:
        self._data = b"".join(_whole_lines(file) for file in files)
        data = np.frombuffer(self._data, np.uint8)
        ends = np.flatnonzero(data == _NEWLINE)
        starts = np.concatenate(([0], ends + 1))[:-1]
        keys, first = np.unique(_numbers_at(data, starts, _SIXTEENS), return_index=True)
        self._keys, self._starts, self._ends = keys, starts[first], ends[first]
        self._seeds = _numbers_at(data, self._ends - _RATING_LENGTH, _TENS).astype(np.int16)
        self._by_seed = np.lexsort((keys, self._seeds))
        self._sorted_seeds = self._seeds[self._by_seed]

    def __len__(self) -> int:
        return len(self._keys)

    def __contains__(self, puzzle_id: str) -> bool:
        return self._place(puzzle_id) is not None

    def line(self, puzzle_id: str) -> Line | None:
        """Return the line of a puzzle, None if there is none."""
        place = self._place(puzzle_id)
        return None if place is None else self._line(place)

    def seed(self, puzzle_id: str) -> int:
        """Return the rating with which a puzzle begins, which is there."""
        return int(self._seeds[self._place(puzzle_id)])

    def between(self, first: int, last: int) -> list[str]:
        """Return ids in the order of ratings, from one place to before another."""
        return [f"{key:0{ID_LENGTH}x}" for key in self._keys[self._by_seed[first:last]].tolist()]

    def place_of(self, rating: float) -> int:
        """Return the first place in the order of ratings whose puzzle begins with this one or more."""
        return int(np.searchsorted(self._sorted_seeds, round(rating)))

    def _line(self, place: int) -> Line:
        return Line.read(self._data[self._starts[place] : self._ends[place]].decode("ascii"))

    def _place(self, puzzle_id: str) -> int | None:
        if not _ID.fullmatch(puzzle_id):
            return None
        key = int(puzzle_id, 16)
        place = int(np.searchsorted(self._keys, key))
        return place if place < len(self) and self._keys[place] == key else None


def keep_whole_lines(file: Path) -> None:
    """Make a file if there is none, and cut half a line off its end, which a killed command left."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.touch()
    with file.open("r+b") as opened:
        opened.truncate(len(_whole_lines(file)))


def _whole_lines(file: Path) -> bytes:
    """Return the lines of a file without half a one that a killed command left; nothing if there is no file."""
    data = file.read_bytes() if file.exists() else b""
    return data[: data.rfind(b"\n") + 1]


def _numbers_at(data: NDArray[np.uint8], places: NDArray[np.int64], powers: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the hexadecimal numbers at some places, where a blank counts as 0."""
    numbers: NDArray[np.int64] = _DIGITS[data[places[:, None] + np.arange(len(powers))]] @ powers
    return numbers


_DIGITS = np.zeros(256, np.int64)
_DIGITS[list(b"0123456789abcdef")] = np.arange(16)
