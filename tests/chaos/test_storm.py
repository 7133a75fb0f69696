from __future__ import annotations

from pathlib import Path
from random import SystemRandom

from tests.chaos.storm import KILL_EVERY, Storm
from tests.processes import own_database

FAULTS = 10  # each node is killed; `make storm` is a long one


async def test_nothing_is_lost_doubled_or_out_of_order_while_nodes_die_and_networks_are_divided(tmp_path: Path) -> None:
    seed = SystemRandom().randrange(10**6)
    print(f"to see it again: make storm SEED={seed} FAULTS={FAULTS}")  # shown on failure
    with own_database(tmp_path) as environment:
        figures = await Storm(environment, FAULTS, seed, lambda line: None).run()
    assert figures.faults.total() == FAULTS
    assert figures.faults["node killed"] >= FAULTS // KILL_EVERY
    assert figures.connections > figures.games
    assert min(figures.over_rest, figures.takeovers, figures.watched) > 0
    assert figures.races >= 2
