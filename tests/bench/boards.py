"""Score tables of ten thousand and a million entries on PostgreSQL and Redis, in milliseconds of wall time.

Both servers are started for this run, so what is compared waits for the same machine. REST is measured inside the
process, from the request to the rendered answer, without a socket.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from statistics import median, quantiles
from time import perf_counter

from tests.bench.apart import rows_on_servers
from tests.bench.table import Row

SMALL, LARGE = 10_000, 1_000_000
SAMPLES = 300


def rows() -> Iterator[Row]:
    """Start PostgreSQL and Redis, measure there, and yield what was measured."""
    return rows_on_servers(__name__)


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
    from tests.bench import boards_seed  # noqa: PLC0415  models exist only after the setup

    boards = boards_seed.seed(SMALL, LARGE)
    yield Row(
        f"boards: loading the copy of {LARGE:,} entries again", boards_seed.seconds_to_rebuild(boards[LARGE]), "s"
    )
    for size, board in boards.items():
        yield from boards_seed.reading(board, size, measure)
    yield from boards_seed.writing(boards[LARGE], measure)
