"""A long storm, with figures: FAULTS=1000 SEED=1 python -m tests.chaos"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from pathlib import Path
from random import SystemRandom
from time import monotonic

from tests.chaos.storm import HISTORY, Figures, Storm
from tests.processes import own_database


def main() -> None:
    faults = int(os.environ.get("FAULTS") or 1000)
    seed = int(os.environ.get("SEED") or SystemRandom().randrange(10**6))
    print(f"SEED={seed} FAULTS={faults}", flush=True)
    begun = monotonic()
    with tempfile.TemporaryDirectory() as folder, own_database(Path(folder)) as environment:
        figures = asyncio.run(_storm(environment, faults, seed))
    print(f"\nnothing lost, doubled or out of order in {monotonic() - begun:.0f} s ({HISTORY})")
    for kind, count in figures.faults.most_common():
        print(f"  {kind:<26}{count:>8}   the next moves after {figures.slowest[kind]:.1f} s at most")
    for name, value in figures._asdict().items():
        if name not in {"faults", "slowest"}:
            print(f"  {name:<26}{value:>8}")


async def _storm(environment: dict[str, str], faults: int, seed: int) -> Figures:
    return await Storm(environment, faults, seed, lambda line: print(line, end="\r", file=sys.stderr, flush=True)).run()


if __name__ == "__main__":
    main()
