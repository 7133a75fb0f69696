"""A long storm, with figures: FAULTS=1000 SEED=1 KIND="disk full" python -m tests.chaos"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import SystemRandom
from time import monotonic

from tests.chaos.databases import Databases, can_mount, running_databases
from tests.chaos.storm import HISTORY, Figures, Storm
from tests.clocks import LIBRARY
from tests.processes import own_database


def main() -> None:
    faults = int(os.environ.get("FAULTS") or 1000)
    seed = int(os.environ.get("SEED") or SystemRandom().randrange(10**6))
    print(f"SEED={seed} FAULTS={faults}", flush=True)
    begun = monotonic()
    with _databases() as (databases, environment):
        figures = asyncio.run(_storm(environment, faults, seed, databases))
    print(f"\nnothing lost, doubled or out of order in {monotonic() - begun:.0f} s ({HISTORY})")
    for kind, count in figures.faults.most_common():
        print(f"  {kind:<26}{count:>8}   the next moves after {figures.slowest[kind]:.1f} s at most")
    for name, value in figures._asdict().items():
        if name not in {"faults", "slowest"}:
            print(f"  {name:<26}{value:>8}")


@contextmanager
def _databases() -> Iterator[tuple[Databases | None, dict[str, str]]]:
    """Start a primary and a standby; return None in their place where clocks and disks cannot be had."""
    if os.environ.get("REDIS_URL") and LIBRARY is not None and can_mount():
        with running_databases() as (databases, environment):
            yield databases, environment
        return
    print("without full disks, clocks that jump and failovers, which need root, libfaketime and PostgreSQL")
    with tempfile.TemporaryDirectory() as folder, own_database(Path(folder)) as environment:
        yield None, environment


async def _storm(environment: dict[str, str], faults: int, seed: int, databases: Databases | None) -> Figures:
    def show(line: str) -> None:
        print(line, end="\r", file=sys.stderr, flush=True)

    return await Storm(environment, faults, seed, show, databases, os.environ.get("KIND") or None).run()


if __name__ == "__main__":
    main()
