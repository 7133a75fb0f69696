"""Solve positions and decks: a shortest line to the win, or the proof that there is none."""

import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from functools import partial
from time import perf_counter
from typing import Any, NamedTuple

from django.core.management.base import CommandError

from games.doors.commands import LightCommand, at_least_one
from games.doors.parallel import in_parallel
from games.rules import RULE_SETS, RulesError
from games.solver import solve
from games.solver.json_lines import position_of
from games.solver.preparing import prepare_search

STANDARD_INPUT = "-"


class Command(LightCommand):
    help = (
        "For each position or deck, print whether it can be won, the number of moves, the nodes and milliseconds "
        "that the search took, and a shortest line. Each invalid line is reported on standard error, and the exit "
        "code is then 1."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.epilog = "Example: manage.py solve --rules relaxed --jobs 2 < decks.txt"
        parser.add_argument(
            "text",
            nargs="?",
            default=STANDARD_INPUT,
            metavar="POSITION-OR-DECK",
            help="as in docs/notation.md; without it, or with -, one per line of standard input",
        )
        parser.add_argument("--rules", default="standard", metavar="SLUG", help="the rule set (default: standard)")
        parser.add_argument(
            "--node-limit", type=at_least_one, metavar="N", help="give up after N nodes and answer unknown"
        )
        parser.add_argument("--jobs", type=at_least_one, default=1, metavar="N", help="how many at a time (default: 1)")

    def handle(self, *, text: str, rules: str, node_limit: int | None, jobs: int, **options: Any) -> None:
        try:
            work = partial(answer, RULE_SETS[rules].slug, node_limit)
        except RulesError as error:
            raise CommandError(f"{error.code}: {error}") from error
        if text == STANDARD_INPUT and sys.stdin.isatty():
            self.stderr.write("Reading positions and decks from the terminal, one per line; Ctrl-D ends.", str)
        lines = standard_input() if text == STANDARD_INPUT else [Line("", text)]
        refused = False
        for line in in_parallel(work, lines, jobs):
            refused = refused or line.is_refused
            (self.stderr if line.is_refused else self.stdout).write(f"{line.where}{line.text}")
        if refused:
            raise SystemExit(1)


class Line(NamedTuple):
    """A line of input or output; `where` precedes a refusal."""

    where: str
    text: str
    is_refused: bool = False


def standard_input() -> Iterator[Line]:
    """Yield the non-blank lines."""
    for number, text in enumerate(sys.stdin, 1):
        if text.strip():
            yield Line(f"line {number}: ", text.strip())


def answer(slug: str, node_limit: int | None, line: Line) -> Line:
    try:
        position = position_of(line.text, RULE_SETS[slug])
        prepare_search(position.rules)  # loading the search does not count in the time of a process's first line
        started = perf_counter()
        solution = solve(position, node_limit=node_limit)
    except RulesError as error:
        return Line(line.where, f"{error.code}: {error}", is_refused=True)
    milliseconds = (perf_counter() - started) * 1000
    length = "-" if solution.length is None else solution.length
    figures = f"{solution.status} length={length} nodes={solution.nodes} ms={milliseconds:.1f}"
    return Line("", " ".join([figures, *(move.text for move in solution.moves)]))
