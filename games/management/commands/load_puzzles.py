"""Load puzzles from a file of any size."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from games.doors.commands import LightCommand, at_least_one, progress_bar
from games.doors.parallel import in_parallel
from games.puzzles.library import loaded, shelf
from games.puzzles.lines import Line
from games.puzzles.loading import checked, new_lines
from games.puzzles.packing import BadPuzzle
from games.puzzles.shelf import keep_whole_lines

TOGETHER, AT_ONCE = 50, 20_000
"""The lines that a process checks before it hands them in, and those that are read before any is checked."""


class Command(LightCommand):
    help = (
        "Load puzzles from a file that manage.py find_puzzles has written, here or elsewhere, into var/puzzles.txt. "
        "Each is checked by the rules: that one removal alone keeps the win, that its line wins, its id and its "
        "rating. What is there already is passed over, so that an interrupted run goes on where it ended. Servers have "
        "the new puzzles once they are started again; each node needs the same file."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.epilog = "Example: manage.py load_puzzles more-puzzles.txt --jobs 2"
        parser.add_argument("file", type=Path, metavar="FILE", help="the puzzles to load")
        parser.add_argument("--jobs", type=at_least_one, default=1, metavar="J", help="how many at a time (default: 1)")

    def handle(self, *, file: Path, jobs: int, **options: Any) -> None:
        out, known, added = loaded(), shelf(), set[str]()
        try:
            total = sum(1 for _ in new_lines(file, known))
            keep_whole_lines(out)
            with progress_bar(self.stderr, total, "puzzle") as bar, out.open("a", encoding="ascii") as kept:
                for lines in _checked(file, jobs):
                    new = {line.id: f"{line}\n" for line in lines if line.id not in added}
                    kept.writelines(new.values())
                    kept.flush()
                    added |= new.keys()
                    bar.update(len(lines))
        except OSError as error:
            raise CommandError(str(error)) from error
        except (BadPuzzle, UnicodeDecodeError) as error:
            raise CommandError(f"{file}: {error}") from error
        self.stdout.write(f"{len(added)} new puzzles; there are {len(known) + len(added)}")


def _checked(file: Path, jobs: int) -> Iterator[list[Line]]:
    """Yield the new puzzles of a file, some at a time."""
    lines = new_lines(file, shelf())
    while batch := list(islice(lines, AT_ONCE)):
        parts = [batch[first : first + TOGETHER] for first in range(0, len(batch), TOGETHER)]
        yield from in_parallel(checked, parts, jobs)
