"""The speed of the solver: processor milliseconds per deck on one thread, including all work for the deck."""

from __future__ import annotations

import csv
import subprocess
import sys
from collections.abc import Callable, Iterator
from random import Random
from resource import RUSAGE_SELF, getrusage
from time import process_time
from typing import TypeVar

from games.rules import CARDS, RULE_SETS, Deck, Play, Position, RuleSet
from games.solver import Solution, find_win, is_winnable, solve
from games.solver.preparing import prepare_search
from games.solver.verdict import verdict
from tests.bench.table import Row
from tests.processes import PROJECT

A = TypeVar("A")
ALL_DECKS, MANY_DECKS, FEW_DECKS = 750, 150, 40


def rows() -> Iterator[Row]:
    yield from measure("shortest, relaxed", deals("relaxed", ALL_DECKS), solve)
    yield Row("solver: import and first answer, compiled before", alone("solve_all", 1)[0], "ms")
    yield Row("solver: most memory of a process with these decks", alone("solve_all", ALL_DECKS)[1], "MB")
    for slug in ("cell", "cheops", "two-pyramids"):
        yield Row(f"solver: memory that searches up to the limit take, {slug}", alone("search_hard", slug)[1], "MB")
    for slug in ("standard", "covered-pairs"):
        yield from measure(f"shortest, {slug}", deals(slug, ALL_DECKS), solve)
        yield from measure(f"verdict, {slug}", deals(slug, ALL_DECKS), is_winnable)
        yield from measure(f"verdict without numba, {slug}", deals(slug, ALL_DECKS), verdict)
    middles = [play.position for play in mid_game(deals("relaxed", ALL_DECKS))]
    yield from measure("shortest, relaxed, mid-game", middles, solve)
    yield from measure("verdict, relaxed, mid-game", middles, is_winnable)
    for rules in RULE_SETS.values():
        if rules.decks == 1:
            yield from measure(f"shortest, {rules.slug}", deals(rules.slug, MANY_DECKS), solve)
    for rules in RULE_SETS.values():
        yield from measure(f"verdict, {rules.slug}", deals(rules.slug, FEW_DECKS), is_winnable)


def measure(what: str, questions: list[A], answer: Callable[[A], object]) -> Iterator[Row]:
    """Ask each question and yield mean, median, 99th percentile and worst, and how many stay open, if any do."""
    answer(questions[0])  # compiled and loaded
    taken, still_open = [], 0
    for question in questions:
        begun = process_time()
        found = answer(question)
        taken.append((process_time() - begun) * 1e3)
        still_open += (found.is_winnable if isinstance(found, Solution) else found) is None
    yield from summary(f"solver: {what}", taken)
    if still_open:
        yield Row(f"solver: {what}, unknown", 100 * still_open / len(taken), "%")


def summary(what: str, taken: list[float]) -> Iterator[Row]:
    """Return mean, median, 99th percentile and worst of what was taken, in milliseconds."""
    taken = sorted(taken)
    yield Row(f"{what}, mean of {len(taken)}", sum(taken) / len(taken), "ms")
    yield Row(f"{what}, median", taken[len(taken) // 2], "ms")
    yield Row(f"{what}, p99", taken[int(len(taken) * 0.99)], "ms")
    yield Row(f"{what}, worst", taken[-1], "ms")


def alone(what: str, argument: object) -> tuple[float, float]:
    """Return the processor milliseconds and the megabytes that a function here prints in a new process."""
    code = f"import tests.bench.solver as load; load.{what}({argument!r})"
    done = subprocess.run([sys.executable, "-c", code], check=True, cwd=PROJECT, capture_output=True, text=True)
    milliseconds, megabytes = done.stdout.split()
    return float(milliseconds), float(megabytes)


def solve_all(number: int) -> None:
    """Solve deals of `relaxed` and print what the process has used."""
    for position in deals("relaxed", number):
        solve(position)
    print(*used())


def search_hard(slug: str) -> None:
    """Ask both questions about deals of a game that is hard to search, and print what that has used."""
    prepare_search(RULE_SETS[slug])
    milliseconds, megabytes = used()
    for position in deals(slug, FEW_DECKS):
        find_win(position)
        solve(position)
    print(used()[0] - milliseconds, used()[1] - megabytes)


def used() -> tuple[float, float]:
    """Return the processor milliseconds and the most megabytes that this process has used."""
    usage = getrusage(RUSAGE_SELF)
    return (usage.ru_utime + usage.ru_stime) * 1e3, usage.ru_maxrss / 1024


def deals(slug: str, number: int) -> list[Position]:
    """Return the first decks with known answers, or random ones for a game of two decks."""
    rules = RULE_SETS[slug]
    if rules.decks > 1:
        return random_deals(rules, number)
    with (PROJECT / "tests/data/decks.csv").open() as file:
        decks = [Deck.from_text(row["deck"]) for row in csv.DictReader(file)]
    return [Position.deal(deck, rules) for deck in decks[:number]]


def random_deals(rules: RuleSet, number: int) -> list[Position]:
    random, cards = Random(2026), CARDS[: rules.deck_size]
    return [Position.deal(Deck(tuple(random.sample(cards, len(cards)))), rules) for _ in range(number)]


def mid_game(starts: list[Position]) -> list[Play]:
    """Return what random play makes of deals in 8 to 25 moves."""
    random, found = Random(2026), []
    for start in starts:
        play = Play(start)
        for _ in range(random.randint(8, 25)):
            moves = play.position.legal_moves
            if moves and play.result is None:
                play.do(random.choice(moves), play.version)
        found.append(play)
    return found
