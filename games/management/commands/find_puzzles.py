"""Find puzzles in generated deals."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from games.doors.commands import LightCommand, at_least_one, in_processes, progress_bar
from games.puzzles.finding import find_in_deals
from games.puzzles.library import read_ids
from games.puzzles.lines import Line
from games.puzzles.packing import BadPuzzle, Packed

TOGETHER = 20
"""Deals in a row in which a process looks before it hands in what it found."""
PER_PUZZLE = 15
"""About so many deals have one puzzle."""


class Command(LightCommand):
    help = (
        "Find positions of standard in which exactly one of several removals keeps the win, in the generated deals 1, "
        "2, 3 and so on. Deal 17 has the same puzzle on every machine; no daily deal is looked at. Each line of the "
        "file is the id of a puzzle, the puzzle and the rating with which it begins; what the file has already, "
        "whatever its suits, is not added again."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.epilog = "Example: manage.py find_puzzles --count 1000 --jobs 2 --out puzzles.txt"
        parser.add_argument("--count", type=at_least_one, required=True, metavar="N", help="how many to find")
        parser.add_argument("--jobs", type=at_least_one, default=1, metavar="J", help="processes to use (default: 1)")
        parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="add a line for each puzzle")
        parser.add_argument(
            "--first",
            type=at_least_one,
            default=1,
            metavar="DEAL",
            help="begin with this deal: to add to a file, the one that the last run named (default: 1)",
        )

    def handle(self, *, count: int, jobs: int, out: Path, first: int, **options: Any) -> None:
        try:
            known = _known(out)
            found, deal = 0, first
            with progress_bar(self.stderr, count, "puzzle") as bar, out.open("a", encoding="ascii") as file:
                for puzzle in _found(first, count, jobs):
                    deal += 1
                    if puzzle is None or puzzle.id in known:
                        continue
                    known.add(puzzle.id)
                    file.write(f"{Line.of(puzzle)}\n")
                    file.flush()
                    bar.update()
                    found += 1
                    if found == count:
                        break
        except (BadPuzzle, OSError, UnicodeDecodeError) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"{found} puzzles in the deals {first} to {deal - 1}; to go on, --first {deal}")


def _found(first: int, count: int, jobs: int) -> Iterator[Packed | None]:
    """Yield the puzzle, or None, of one deal after another."""
    block = max(TOGETHER * jobs, count * PER_PUZZLE)
    while True:
        parts = [range(start, min(start + TOGETHER, first + block)) for start in range(first, first + block, TOGETHER)]
        yield from chain.from_iterable(in_processes(find_in_deals, parts, jobs))
        first += block


def _known(out: Path) -> set[str]:
    """Return the ids of the puzzles that a file has, without half a line that a killed run left. Raises `BadPuzzle`."""
    if not out.exists():
        return set()
    with out.open("r+", encoding="ascii") as file:
        text = file.read()
        whole = text[: text.rfind("\n") + 1]
        ids = set(read_ids(whole))
        file.truncate(len(whole))
    return ids
