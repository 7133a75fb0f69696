"""The desk with ten thousand open cases on PostgreSQL: processor time, wall time, queries.

Pages are measured inside the process, from the request to the rendered answer, without a socket. Processor time
includes that of the database's process.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from statistics import median
from time import perf_counter, process_time

from tests.bench.apart import rows_on_servers
from tests.bench.table import Row

CASES, SAMPLES = 10_000, 40


def rows() -> Iterator[Row]:
    """Start PostgreSQL and Redis, measure there, and yield what was measured."""
    return rows_on_servers(__name__)


def measured() -> Iterator[Row]:
    from tests.bench import desk_seed  # noqa: PLC0415  models exist only after the setup

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
