"""Games that end: durable, published, on their six boards with their ranks. PostgreSQL waits for the disk, Redis runs.

Processor time is that of the process that ends the games, with all its threads; PostgreSQL's and Redis' is not in it.
"""

from __future__ import annotations

from collections.abc import Iterator

from tests.bench.apart import rows_on_servers
from tests.bench.table import Row


def rows() -> Iterator[Row]:
    """Start PostgreSQL and Redis, measure there, and yield what was measured."""
    return rows_on_servers("tests.bench.scores_seed", "--fsync")
