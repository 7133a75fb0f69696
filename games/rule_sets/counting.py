"""Count how many random deals can be won: seeded, in parts, so that anyone can repeat or continue a count."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from time import process_time
from typing import NamedTuple, TextIO

from games.deals.shuffle import bytes_from, shuffled_deck
from games.rule_sets.lengths import Lengths
from games.rule_sets.win_rates import Count
from games.rules import RULE_SETS, Deck, Position, RuleSet
from games.solver.preparing import prepare_search
from games.solver.solution import solve, verdict_with_nodes

VERDICTS = {True: "won", False: "lost", None: "undecided"}


class Judged(NamedTuple):
    """The verdict on a deal, the nodes of the search, 0 where counting cards is enough, and its milliseconds of CPU.

    The actions of a shortest win are there only if they were asked for and the deal is won.
    """

    rules: str
    deal: int
    verdict: str
    nodes: int
    ms: float
    shortest: int | None = None


class BadLine(Exception):
    """A line is not one of a file of verdicts."""


def random_deal(number: int, rules: RuleSet) -> Deck:
    """Return a numbered deal: the same cards under all rules with as many decks, so that rules can be compared."""
    return shuffled_deck(bytes_from(f"win rates|{number}"), rules.deck_size)


def columns(*, shortest: bool) -> tuple[str, ...]:
    """Return the columns of a file of verdicts."""
    return Judged._fields if shortest else Judged._fields[:-1]


def judge(rules: RuleSet, deal: int, deck: Deck, node_limit: int | None, *, shortest: bool = False) -> Judged:
    """Say whether a deck can be won, and if so and asked for, in how many actions."""
    position = Position.deal(deck, rules)
    prepare_search(rules)  # loading it does not count in the time of a process's first deal
    started = process_time()
    if shortest:
        solution = solve(position, node_limit=node_limit)
        winnable, nodes, length = solution.is_winnable, solution.nodes, solution.length
    else:
        (winnable, nodes), length = verdict_with_nodes(position, node_limit=node_limit), None
    return Judged(rules.slug, deal, VERDICTS[winnable], nodes, round((process_time() - started) * 1000, 2), length)


def judge_deals(slug: str, node_limit: int | None, deals: Sequence[int], *, shortest: bool = False) -> list[Judged]:
    """Judge numbered deals."""
    rules = RULE_SETS[slug]
    return [judge(rules, deal, random_deal(deal, rules), node_limit, shortest=shortest) for deal in deals]


def count(rows: Iterable[Judged]) -> Count:
    """Count the verdicts of different deals."""
    verdicts = [row.verdict for row in rows]
    return Count(len(verdicts), verdicts.count(VERDICTS[True]), verdicts.count(VERDICTS[None]))


def count_lengths(rows: Collection[Judged]) -> Lengths:
    """Count the shortest wins of different deals by their length."""
    wins = Counter(row.shortest for row in rows if row.shortest is not None)
    return Lengths(len(rows), sum(row.ms for row in rows) / len(rows), dict(sorted(wins.items())))


def write(rows: Iterable[Judged], file: TextIO, *, shortest: bool = False) -> None:
    """Write a line of CSV for each verdict."""
    size = len(columns(shortest=shortest))
    file.writelines(",".join("" if field is None else str(field) for field in row[:size]) + "\n" for row in rows)


def read(lines: Iterable[str], *, shortest: bool = False) -> Iterator[Judged]:
    """Yield the verdicts that such lines have. Raises `BadLine`."""
    for line in lines:
        yield _judged(line, shortest)


def _judged(line: str, shortest: bool) -> Judged:
    try:
        rules, deal, verdict, nodes, ms, *rest = line.split(",")
        (length,) = rest if shortest else (*rest, "")
        judged = Judged(rules, int(deal), verdict, int(nodes), float(ms), int(length) if length else None)
    except ValueError as error:
        raise BadLine(f"not a verdict: {line[:80]}") from error
    has_length = judged.shortest is not None
    if verdict not in VERDICTS.values() or has_length != (shortest and verdict == VERDICTS[True]):
        raise BadLine(f"not a verdict: {line[:80]}")
    return judged
