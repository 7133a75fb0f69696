"""Compile every kernel, or load what another process has compiled."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from fcntl import LOCK_EX, flock
from functools import cache

import numpy as np

from games.rules import CARDS, RULE_SETS, Deck, Position, RuleSet
from games.solver.compiling import FOLDER
from games.solver.orders import Progress, Pyramid
from games.solver.searches import search_shapes, searches_of
from games.solver.solution import find_win, is_winnable, solve

FEW_NODES = 100


def prepare() -> None:
    """Have all machine code at hand: half a minute of processor time, or less than a second where it is kept."""
    for slug in ("standard", "cell"):
        prepare_search(RULE_SETS[slug])
    start = Position.deal(Deck(CARDS[:52]), RULE_SETS["standard"])
    stock = np.array([[card.rank for card in start.stock]], np.uint8)
    every_card = Progress.of(start, {card: place for place, card in enumerate(start.stock)})
    with _one_at_a_time("orders"):
        Pyramid(start).lengths(every_card, stock, node_limit=FEW_NODES)


@cache
def prepare_search(rules: RuleSet) -> None:
    """Have the machine code of those searches at hand which play these rules."""
    steps = (step for is_any in (False, True) for step in searches_of(rules, is_any=is_any))
    for slug in sorted({"standard" if step.search is search_shapes else "cell" for step in steps}):
        with _one_at_a_time(slug):
            for question in (solve, find_win, is_winnable):
                question(Position.deal(Deck(CARDS[:52]), RULE_SETS[slug]), node_limit=FEW_NODES)


@contextmanager
def _one_at_a_time(part: str) -> Iterator[None]:
    """Wait for another process that prepares the same part: what it has compiled only has to be loaded then."""
    if FOLDER is None:
        yield
        return
    with (FOLDER / f"compiling-{part}").open("w") as file:
        flock(file, LOCK_EX)
        yield
