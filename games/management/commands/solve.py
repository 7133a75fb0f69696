"""Solve positions and decks: a shortest line to the win, or the proof that there is none."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import cache, partial
from multiprocessing import get_context
from time import perf_counter
from typing import Any, NamedTuple

from django.core.management.base import BaseCommand, CommandError

from games.rules import CARDS, RULE_SETS, Deck, Position, RulesError, RuleSet
from games.solver import solve

STANDARD_INPUT = "-"
PILE_MARKS = "/|"  # every position has one of them, no deck has


class Command(BaseCommand):
    help = (
        "Print for each position or deck whether it can be won, in how many moves, the nodes and milliseconds that "
        "it took to find out, and a shortest line. What the rules refuse gets a line on the standard error each, and "
        "then the exit code is 1."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "text",
            nargs="?",
            default=STANDARD_INPUT,
            metavar="POSITION-OR-DECK",
            help="as in docs/notation.md; without it, or with -, one per line of the standard input",
        )
        parser.add_argument("--rules", default="standard", metavar="SLUG", help="the rule set (default: standard)")
        parser.add_argument("--node-limit", type=at_least_one, metavar="N", help="call it unknown beyond N nodes")
        parser.add_argument("--jobs", type=at_least_one, default=1, metavar="N", help="processes to use (default: 1)")

    def handle(self, *, text: str, rules: str, node_limit: int | None, jobs: int, **options: Any) -> None:
        try:
            work = partial(answer, RULE_SETS[rules].slug, node_limit)
        except RulesError as error:
            raise CommandError(f"{error.code}: {error}") from error
        lines = standard_input() if text == STANDARD_INPUT else [Line("", text)]
        refused = False
        for line in in_order(work, lines, jobs):
            refused = refused or line.is_refused
            (self.stderr if line.is_refused else self.stdout).write(f"{line.where}{line.text}")
        if refused:
            raise SystemExit(1)


class Line(NamedTuple):
    """A line read or written; `where` is said before a refusal."""

    where: str
    text: str
    is_refused: bool = False


def at_least_one(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text)):
        raise ArgumentTypeError(f"a number from 1 on, not {text!r}")
    return int(text)


def standard_input() -> Iterator[Line]:
    """Yield the lines that are not blank."""
    for number, text in enumerate(sys.stdin, 1):
        if text.strip():
            yield Line(f"line {number}: ", text.strip())


def in_order(work: Callable[[Line], Line], lines: Iterable[Line], jobs: int) -> Iterator[Line]:
    if jobs == 1:
        yield from map(work, lines)
    else:
        # A new process of its own: a fork would inherit this one's threads and connections.
        with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
            yield from pool.map(work, lines)


def answer(slug: str, node_limit: int | None, line: Line) -> Line:
    """Return what is to be printed for a line."""
    try:
        position = read(line.text, RULE_SETS[slug])
        load_search(slug)
        started = perf_counter()
        solution = solve(position, node_limit=node_limit)
    except RulesError as error:
        return Line(line.where, f"{error.code}: {error}", is_refused=True)
    milliseconds = (perf_counter() - started) * 1000
    length = "-" if solution.length is None else solution.length
    figures = f"{solution.status} length={length} nodes={solution.nodes} ms={milliseconds:.1f}"
    return Line("", " ".join([figures, *(move.text for move in solution.moves)]))


@cache
def load_search(slug: str) -> None:
    """Load the compiled search, so that the figures of a process's first line are not those of its start."""
    rules = RULE_SETS[slug]
    solve(Position.deal(Deck(CARDS[: rules.deck_size]), rules), node_limit=1)


def read(text: str, rules: RuleSet) -> Position:
    """Read a position, or the first one of a deck. Raises `NotationError`."""
    if any(mark in text for mark in PILE_MARKS):
        return Position.from_text(text, rules)
    return Position.deal(Deck.from_text(text), rules)
