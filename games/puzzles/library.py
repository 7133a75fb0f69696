"""The puzzles of a server: a file that comes with it and one that it has loaded, which only grow at their ends."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from django.conf import settings

from games.deals.shuffle import bytes_from, shuffled
from games.puzzles.clearing import pyramid_cards, removals, without
from games.puzzles.lines import Line
from games.puzzles.packing import ID_LENGTH, Packed
from games.puzzles.refusals import UnknownPuzzle
from games.puzzles.themes import Theme, themes_of
from games.rules import CARDS, Card, Move, Position
from games.rules.cards import RANKS, SUITS

if TYPE_CHECKING:
    from games.puzzles.shelf import Shelf

FILE = Path(__file__).with_name("puzzles.txt")
"""A line for each puzzle (`manage.py find_puzzles`)."""
_KEPT = 256


@dataclass(frozen=True)
class Puzzle:
    """A puzzle in the cards in which everyone sees it."""

    id: str
    text: str
    seed: int
    """The rating with which it begins."""

    @cached_property
    def packed(self) -> Packed:
        """The puzzle with its whole win."""
        return Packed.from_text(self.text, self._dressed)

    @cached_property
    def _to_play(self) -> Packed:
        return Packed.from_text(self.text, self._dressed, only_decisions=True)

    @property
    def position(self) -> Position:
        return self._to_play.position

    @property
    def decisions(self) -> int:
        """The number of removals that the player has to find."""
        return self._to_play.decisions

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
        for move in self._to_play.win[:count]:
            position = without(position, move)
        return position

    def is_right(self, move: Move, count: int) -> bool:
        """Return True if a removal is the one to find after so many."""
        position, right = self.position_after(count), self._to_play.win[count]
        return pyramid_cards(position, move) == pyramid_cards(position, right)

    def _dressed(self, ranks: Sequence[int]) -> list[Card]:
        """Return cards of these ranks, in suits that depend only on the puzzle."""
        stream = bytes_from(f"suits|{self.id}")
        suits = {rank: iter(shuffled(range(len(SUITS)), stream)) for rank in range(1, len(RANKS) + 1)}
        return [CARDS[(rank - 1) * len(SUITS) + next(suits[rank])] for rank in ranks]


@lru_cache(_KEPT)
def find_puzzle(puzzle_id: str) -> Puzzle:
    """Return a puzzle. Raises `UnknownPuzzle`."""
    line = shelf().line(puzzle_id)
    if line is None:
        raise UnknownPuzzle(f"there is no puzzle {puzzle_id[:20]}")
    return Puzzle(*line)


def first_puzzle() -> Puzzle:
    """Return the first puzzle that every server has."""
    with FILE.open(encoding="ascii") as lines:
        return Puzzle(*Line.read(next(lines).rstrip()))


@cache
def puzzle_ids() -> Sequence[str]:
    """Return the ids of the puzzles that every server has, in the order of their file."""
    return tuple(line[:ID_LENGTH] for line in FILE.read_text(encoding="ascii").splitlines())


@cache
def shelf() -> Shelf:
    """Return all puzzles of this server."""
    from games.puzzles.shelf import Shelf  # noqa: PLC0415  it loads numpy, which a server that shows none does without

    return Shelf([FILE, loaded()])


def loaded() -> Path:
    """Return the file of the puzzles that were loaded, which need not exist (`manage.py load_puzzles`)."""
    return Path(settings.LOCAL_FILES) / "puzzles.txt"


def read_ids(lines: str) -> Iterator[str]:
    """Yield the ids of the puzzles in a file's text. Raises `BadPuzzle`."""
    return (Packed.from_text(Line.read(line).text).id for line in lines.splitlines())
