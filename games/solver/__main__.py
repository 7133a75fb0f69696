"""Compile the kernels, so that no later process has to wait for it: python -m games.solver"""

from __future__ import annotations

from games.rules import CARDS, RULE_SETS, Deck, Position
from games.solver import solve

FEW_NODES = 100

# One rule set for each of the two searches.
for slug in ("relaxed", "cell"):
    solve(Position.deal(Deck(CARDS[:52]), RULE_SETS[slug]), node_limit=FEW_NODES)
