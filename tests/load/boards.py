"""Score tables of ten thousand and a million entries on PostgreSQL and Redis, in milliseconds of wall time.

Both servers are started for this run, so what is compared waits for the same machine. REST is measured inside the
process, from the request to the rendered answer, without a socket.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from statistics import median, quantiles
from time import perf_counter

from tests.load.bench import Row

SMALL, LARGE = 10_000, 1_000_000
SAMPLES = 300


def rows() -> Iterator[Row]:
    """Start PostgreSQL and Redis, measure there, and yield what was measured."""
    command = [sys.executable, "-m", "tests.with_servers", sys.executable, "-m", __name__]
    environment = {**os.environ, "PYRAMID_LOG_LEVEL": "ERROR"}
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout or ():
            yield Row(*json.loads(line))
    if process.returncode:
        raise RuntimeError(f"measuring score tables ended with {process.returncode}")


def measure(what: str, action: Callable[[], object], samples: int = SAMPLES) -> Iterator[Row]:
    """Do something many times and yield the median and the 99th percentile of what it took."""
    action()
    taken = []
    for _ in range(samples):
        begun = perf_counter()
        action()
        taken.append((perf_counter() - begun) * 1e3)
    yield Row(f"boards: {what}, median", median(taken), "ms")
    yield Row(f"boards: {what}, p99", quantiles(taken, n=100)[98], "ms")


def measured() -> Iterator[Row]:
    from tests.load import boards_seed  # noqa: PLC0415  models exist only after the setup below

    boards = boards_seed.seed(SMALL, LARGE)
    yield Row(f"boards: loading the copy of {LARGE:,} entries anew", boards_seed.seconds_to_rebuild(boards[LARGE]), "s")
    for size, board in boards.items():
        yield from boards_seed.reading(board, size, measure)
    yield from boards_seed.writing(boards[LARGE], measure)


if __name__ == "__main__":
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pyramid_server.settings")
    django.setup()
    random.seed(2026)
    for row in measured():
        print(json.dumps(row), flush=True)
