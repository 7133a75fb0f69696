"""How fast the solver is: processor milliseconds a deck on one thread, all work for the deck included."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator
from random import Random
from time import process_time

from games.rules import CARDS, RULE_SETS, Deck, Position, RuleSet
from games.solver import is_winnable, solve
from games.solver.verdict import verdict
from tests.load.bench import Row
from tests.processes import PROJECT

DECKS, FEW_DECKS = 750, 20


def rows() -> Iterator[Row]:
    yield from measure("shortest, relaxed", known_decks("relaxed", DECKS), solve)
    yield from measure("shortest, relaxed, mid-game", mid_game(known_decks("relaxed", DECKS)), solve)
    for slug in ("standard", "covered-pairs"):
        yield from measure(f"verdict without a search, {slug}", known_decks(slug, DECKS), verdict)
        yield from measure(f"shortest, {slug}", known_decks(slug, DECKS // 5), solve)
    for rules in RULE_SETS.values():
        yield from measure(f"verdict, {rules.slug}", random_decks(rules, FEW_DECKS), is_winnable)


def measure(what: str, positions: list[Position], answer: Callable[[Position], object]) -> Iterator[Row]:
    """Ask about each position and yield mean, 99th percentile and worst."""
    answer(positions[0])  # compiled and loaded
    taken = []
    for position in positions:
        begun = process_time()
        answer(position)
        taken.append((process_time() - begun) * 1e3)
    taken.sort()
    yield Row(f"solver: {what}, mean of {len(taken)}", sum(taken) / len(taken), "ms")
    yield Row(f"solver: {what}, p99", taken[int(len(taken) * 0.99)], "ms")
    yield Row(f"solver: {what}, worst", taken[-1], "ms")


def known_decks(slug: str, number: int) -> list[Position]:
    with (PROJECT / "tests/data/decks.csv").open() as file:
        decks = [Deck.from_text(row["deck"]) for row in csv.DictReader(file)]
    return [Position.deal(deck, RULE_SETS[slug]) for deck in decks[:number]]


def random_decks(rules: RuleSet, number: int) -> list[Position]:
    random, cards = Random(2026), CARDS[: rules.deck_size]
    return [Position.deal(Deck(tuple(random.sample(cards, len(cards)))), rules) for _ in range(number)]


def mid_game(positions: list[Position]) -> list[Position]:
    """Return where random play has led after 8 to 25 moves."""
    random, found = Random(2026), []
    for start in positions:
        position = start
        for _ in range(random.randint(8, 25)):
            if position.legal_moves:
                position = position.after(random.choice(position.legal_moves))
        found.append(position)
    return found
