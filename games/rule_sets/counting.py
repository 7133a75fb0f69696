"""Count how many random deals can be won: seeded, in parts, so that anyone can repeat or continue a count."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from time import perf_counter
from typing import NamedTuple, TextIO

from games.deals.shuffle import bytes_from, shuffled_deck
from games.rule_sets.win_rates import Count
from games.rules import RULE_SETS, Deck, Position, RuleSet
from games.solver.preparing import prepare_search
from games.solver.solution import verdict_with_nodes

VERDICTS = {True: "won", False: "lost", None: "undecided"}


class Judged(NamedTuple):
    """The verdict on a deal, the nodes of the search, 0 where counting cards is enough, and its milliseconds."""

    rules: str
    deal: int
    verdict: str
    nodes: int
    ms: float


class BadLine(Exception):
    """A line is not one of a file of verdicts."""


def random_deal(number: int, rules: RuleSet) -> Deck:
    """Return a numbered deal: the same cards under all rules with as many decks, so that rules can be compared."""
    return shuffled_deck(bytes_from(f"win rates|{number}"), rules.deck_size)


def judge(rules: RuleSet, deal: int, deck: Deck, node_limit: int | None) -> Judged:
    """Say whether a deck can be won."""
    position = Position.deal(deck, rules)
    prepare_search(rules)  # loading it does not count in the time of a process's first deal
    started = perf_counter()
    winnable, nodes = verdict_with_nodes(position, node_limit=node_limit)
    return Judged(rules.slug, deal, VERDICTS[winnable], nodes, round((perf_counter() - started) * 1000, 2))


def judge_deals(slug: str, node_limit: int | None, deals: Sequence[int]) -> list[Judged]:
    """Judge numbered deals."""
    rules = RULE_SETS[slug]
    return [judge(rules, deal, random_deal(deal, rules), node_limit) for deal in deals]


def count(rows: Iterable[Judged]) -> Count:
    """Count the verdicts of different deals."""
    verdicts = [row.verdict for row in rows]
    return Count(len(verdicts), verdicts.count(VERDICTS[True]), verdicts.count(VERDICTS[None]))


def write(rows: Iterable[Judged], file: TextIO) -> None:
    """Write a line of CSV for each verdict."""
    file.writelines(f"{row.rules},{row.deal},{row.verdict},{row.nodes},{row.ms}\n" for row in rows)


def read(lines: Iterable[str]) -> Iterator[Judged]:
    """Yield the verdicts that such lines have. Raises `BadLine`."""
    for line in lines:
        yield _judged(line)


def _judged(line: str) -> Judged:
    try:
        rules, deal, verdict, nodes, ms = line.split(",")
        judged = Judged(rules, int(deal), verdict, int(nodes), float(ms))
    except ValueError as error:
        raise BadLine(f"not a verdict: {line[:80]}") from error
    if verdict not in VERDICTS.values():
        raise BadLine(f"not a verdict: {line[:80]}")
    return judged
