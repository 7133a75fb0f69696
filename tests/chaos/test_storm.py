from __future__ import annotations

from pathlib import Path
from random import SystemRandom

from tests.chaos.storm import KILL_EVERY, Storm
from tests.processes import own_database

EVENTS = 10  # each node is killed; `make chaos` is a long storm


async def test_no_acknowledged_move_is_lost_or_doubled_while_nodes_are_killed_and_lines_cut(tmp_path: Path) -> None:
    seed = SystemRandom().randrange(10**6)
    print(f"to see it again: make chaos CHAOS_SEED={seed} CHAOS_EVENTS={EVENTS}")  # shown on failure
    with own_database(tmp_path) as environment:
        figures = await Storm(environment, EVENTS, seed, lambda line: None).run()
    assert figures.cuts + figures.kills == EVENTS
    assert figures.kills >= EVENTS // KILL_EVERY
    assert figures.connections > figures.games
    assert min(figures.over_rest, figures.takeovers, figures.watched) > 0
    assert figures.races >= 2
