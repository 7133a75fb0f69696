"""The review desk with ten thousand open cases on PostgreSQL: processor time, wall time, queries.

Pages are measured inside the process, from the request to the rendered answer, without a socket. Processor time
includes that of the database's process.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from statistics import median
from time import perf_counter, process_time

from tests.load.bench import Row

CASES, SAMPLES = 10_000, 40


def rows() -> Iterator[Row]:
    """Start PostgreSQL and Redis, measure there, and yield what was measured."""
    command = [sys.executable, "-m", "tests.with_servers", sys.executable, "-m", __name__]
    environment = {**os.environ, "PYRAMID_LOG_LEVEL": "ERROR"}
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout or ():
            yield Row(*json.loads(line))
    if process.returncode:
        raise RuntimeError(f"measuring the desk ended with {process.returncode}")


def measured() -> Iterator[Row]:
    from tests.load import desk_seed  # noqa: PLC0415  models exist only after the setup below

    desk = desk_seed.seed(CASES)
    for what, address in desk.pages.items():
        yield from _measure(f"desk: {what}, {CASES:,} cases", partial(desk.get, address), desk.database_seconds)
        yield Row(f"desk: {what}, queries", desk.queries(address), "")


def _measure(what: str, action: Callable[[], object], database: Callable[[], float]) -> Iterator[Row]:
    action()
    taken, cpu = [], process_time() + database()
    for _ in range(SAMPLES):
        begun = perf_counter()
        action()
        taken.append((perf_counter() - begun) * 1e3)
    yield Row(f"{what}, processor time", (process_time() + database() - cpu) * 1e3 / SAMPLES, "ms")
    yield Row(f"{what}, median", median(taken), "ms")


if __name__ == "__main__":
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pyramid_server.settings")
    django.setup()
    for row in measured():
        print(json.dumps(row), flush=True)
