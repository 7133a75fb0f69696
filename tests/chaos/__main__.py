"""A long storm, with figures: CHAOS_EVENTS=600 CHAOS_SEED=1 python -m tests.chaos"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from pathlib import Path
from random import SystemRandom
from time import monotonic

from tests.chaos.storm import Figures, Storm
from tests.processes import own_database


def main() -> None:
    events = int(os.environ.get("CHAOS_EVENTS") or 600)
    seed = int(os.environ.get("CHAOS_SEED") or SystemRandom().randrange(10**6))
    print(f"CHAOS_SEED={seed} CHAOS_EVENTS={events}", flush=True)
    begun = monotonic()
    with tempfile.TemporaryDirectory() as folder, own_database(Path(folder)) as environment:
        figures = asyncio.run(_storm(environment, events, seed))
    print(f"\nnothing lost, nothing doubled, nobody stuck in {monotonic() - begun:.0f} s")
    for name, value in figures._asdict().items():
        print(f"  {name:<12}{value:>8}")


async def _storm(environment: dict[str, str], events: int, seed: int) -> Figures:
    return await Storm(environment, events, seed, lambda line: print(line, end="\r", file=sys.stderr, flush=True)).run()


if __name__ == "__main__":
    main()
