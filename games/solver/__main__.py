"""Compile the kernels in advance, so that no other process has to wait for it: python -m games.solver"""

import numpy as np

from games.rules import CARDS, RULE_SETS, Deck, Position
from games.solver import solve
from games.solver.orders import Progress, Pyramid

FEW_NODES = 100

# One rule set for each of the two searches.
for slug in ("relaxed", "cell"):
    solve(Position.deal(Deck(CARDS[:52]), RULE_SETS[slug]), node_limit=FEW_NODES)

START = Position.deal(Deck(CARDS[:52]), RULE_SETS["standard"])
STOCK = np.array([[card.rank for card in START.stock]], np.uint8)
EVERY_CARD = Progress.of(START, {card: place for place, card in enumerate(START.stock)})
Pyramid(START).lengths(EVERY_CARD, STOCK, node_limit=FEW_NODES)
