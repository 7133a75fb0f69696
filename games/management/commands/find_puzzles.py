"""Find puzzles in generated deals."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Collection, Iterator
from itertools import chain
from itertools import count as numbers_from
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from games.doors.commands import LightCommand, at_least_one, progress_bar
from games.doors.parallel import in_parallel
from games.puzzles.finding import find_in_deals
from games.puzzles.library import read_ids
from games.puzzles.lines import Line
from games.puzzles.packing import BadPuzzle, Packed

TOGETHER = 20
"""Deals in a row in which a process looks before it hands in what it found."""
PLANNED = 100_000
"""Deals that processes have before them at a time."""


class Command(LightCommand):
    help = (
        "Find positions of standard in which exactly one of several removals keeps the win, in the generated deals 1, "
        "2, 3 and so on. Deal 17 has the same puzzle on every machine; no daily deal is looked at. Each line of the "
        "file is the id of a puzzle, the puzzle and the rating with which it begins; what the file has already, "
        "whatever its suits, is not added again. A file that exists is continued: FILE.next has the deal to go on with."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.epilog = "Example: manage.py find_puzzles --count 1000 --jobs 2 --out puzzles.txt"
        parser.add_argument(
            "--count", type=at_least_one, required=True, metavar="N", help="how many the file will have"
        )
        parser.add_argument("--jobs", type=at_least_one, default=1, metavar="J", help="how many at a time (default: 1)")
        parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="add a line for each puzzle")

    def handle(self, *, count: int, jobs: int, out: Path, **options: Any) -> None:
        try:
            known = _known(out)
            found = _new(known, _next_deal(out), jobs)
            with progress_bar(self.stderr, count, "puzzle") as bar, out.open("a", encoding="ascii") as file:
                bar.update(len(known))
                while len(known) < count:
                    puzzle, deal = next(found)
                    file.write(f"{Line.of(puzzle)}\n")
                    file.flush()
                    # A run that is killed between the two finds this puzzle again, which is then known.
                    _go_on_after(out, deal)
                    known.add(puzzle.id)
                    bar.update()
        except OSError as error:
            raise CommandError(str(error)) from error
        except (BadPuzzle, UnicodeDecodeError) as error:
            raise CommandError(f"{out}: {error}") from error
        self.stdout.write(f"{len(known)} puzzles from the deals 1 to {_next_deal(out) - 1}")


def _new(known: Collection[str], first: int, jobs: int) -> Iterator[tuple[Packed, int]]:
    """Yield each puzzle that is not known when its turn comes, with its deal."""
    for start in numbers_from(first, PLANNED):
        parts = [range(deal, deal + TOGETHER) for deal in range(start, start + PLANNED, TOGETHER)]
        puzzles = chain.from_iterable(in_parallel(find_in_deals, parts, jobs))
        for deal, puzzle in enumerate(puzzles, start):
            if puzzle and puzzle.id not in known:
                yield puzzle, deal


def _known(out: Path) -> set[str]:
    """Return the ids of the puzzles that a file has, without half a line that a killed run left. Raises `BadPuzzle`."""
    if not out.exists():
        return set()
    with out.open("r+", encoding="ascii", newline="") as file:  # a character is a byte, with Windows line ends too
        text = file.read()
        whole = text[: text.rfind("\n") + 1]
        if text and not whole:  # what is here, nobody could tell from half a line
            raise BadPuzzle("it has no whole line; if it may be replaced, delete it")
        ids = set(read_ids(whole))
        file.truncate(len(whole))
    return ids


def _next_deal(out: Path) -> int:
    """Return the deal with which a file goes on. Raises `BadPuzzle`."""
    file = _file_of_next(out)
    if not (out.exists() and file.exists()):
        return 1
    text = file.read_text(encoding="ascii").strip()
    if not text.isdigit():
        raise BadPuzzle(f"{file.name} does not have the number of a deal")
    return int(text)


def _go_on_after(out: Path, deal: int) -> None:
    file, new = _file_of_next(out), out.with_name(f"{out.name}.new")
    new.write_text(f"{deal + 1}\n", encoding="ascii")
    new.replace(file)


def _file_of_next(out: Path) -> Path:
    return out.with_name(f"{out.name}.next")
