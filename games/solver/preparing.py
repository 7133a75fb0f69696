"""Compile every kernel, or load what another process has compiled."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from fcntl import LOCK_EX, flock

import numpy as np

from games.rules import CARDS, RULE_SETS, Deck, Position
from games.solver.compiling import FOLDER
from games.solver.orders import Progress, Pyramid
from games.solver.solution import solve

FEW_NODES = 100


def prepare() -> None:
    """Have all machine code at hand: half a minute of processor time, or less than a second where it is kept.

    Processes that begin together wait for the first one.
    """
    with _one_at_a_time():
        # One rule set for each of the two searches.
        for slug in ("relaxed", "cell"):
            solve(Position.deal(Deck(CARDS[:52]), RULE_SETS[slug]), node_limit=FEW_NODES)
        start = Position.deal(Deck(CARDS[:52]), RULE_SETS["standard"])
        stock = np.array([[card.rank for card in start.stock]], np.uint8)
        every_card = Progress.of(start, {card: place for place, card in enumerate(start.stock)})
        Pyramid(start).lengths(every_card, stock, node_limit=FEW_NODES)


@contextmanager
def _one_at_a_time() -> Iterator[None]:
    if FOLDER is None:
        yield
        return
    with (FOLDER / "being-compiled").open("w") as file:
        flock(file, LOCK_EX)
        yield
