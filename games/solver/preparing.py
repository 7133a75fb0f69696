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
from games.solver.packing import is_packable
from games.solver.solution import solve

FEW_NODES = 100


def prepare() -> None:
    """Have all machine code at hand: half a minute of processor time, or less than a second where it is kept."""
    for slug in ("relaxed", "cell"):
        prepare_search(RULE_SETS[slug])
    start = Position.deal(Deck(CARDS[:52]), RULE_SETS["standard"])
    stock = np.array([[card.rank for card in start.stock]], np.uint8)
    every_card = Progress.of(start, {card: place for place, card in enumerate(start.stock)})
    with _one_at_a_time("orders"):
        Pyramid(start).lengths(every_card, stock, node_limit=FEW_NODES)


@cache
def prepare_search(rules: RuleSet) -> None:
    """Have the machine code of that of the two searches at hand which plays these rules."""
    example = RULE_SETS["relaxed" if is_packable(rules) else "cell"]
    with _one_at_a_time(example.slug):
        solve(Position.deal(Deck(CARDS[:52]), example), node_limit=FEW_NODES)


@contextmanager
def _one_at_a_time(part: str) -> Iterator[None]:
    """Wait for another process that prepares the same part: what it has compiled only has to be loaded then."""
    if FOLDER is None:
        yield
        return
    with (FOLDER / f"compiling-{part}").open("w") as file:
        flock(file, LOCK_EX)
        yield
