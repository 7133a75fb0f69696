"""Tables of a club of 500 members beside those of everyone, and the clubs of a week, in processor time of the server.

PostgreSQL and Redis are started for this run, and their time is not in the figures. A request is measured inside the
process, from its first line to the rendered answer, without a socket.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from time import process_time, sleep

from tests.bench.apart import rows_on_servers
from tests.bench.table import Row

ENTRIES, MEMBERS = 20_000, 500
SAMPLES, FEW_SAMPLES = 300, 10


def rows() -> Iterator[Row]:
    """Start PostgreSQL and Redis, measure there, and yield what was measured."""
    return rows_on_servers(__name__)


def measured() -> Iterator[Row]:
    from tests.bench import clubs_seed  # noqa: PLC0415  models exist only after the setup

    seeded = clubs_seed.seed(ENTRIES, MEMBERS)
    for what, ask, forget in clubs_seed.requests(seeded):
        yield Row(f"clubs: {what}, from memory", milliseconds(ask, SAMPLES), "ms")
        yield Row(f"clubs: {what}, read from the database", milliseconds(ask, SAMPLES, forget), "ms")
    for what, work in clubs_seed.work(seeded):
        yield Row(f"clubs: {what}", milliseconds(work, FEW_SAMPLES), "ms")


def milliseconds(ask: Callable[[], object], samples: int, before: Callable[[], object] = lambda: None) -> float:
    """Return the processor time of a request in this process."""
    ask()
    taken = 0.0
    for _ in range(samples):
        before()
        begun = process_time()
        ask()
        taken += process_time() - begun
    return taken / samples * 1e3


def when_heard(is_heard: Callable[[], object]) -> None:
    """Wait until notices of other processes are heard, without which nothing is kept."""
    while not is_heard():
        sleep(0.01)
