"""Days of many players on PostgreSQL, divided by month and sealed: what they take on disk, and a backup of them."""

from __future__ import annotations

from collections.abc import Iterator

from tests.bench.apart import rows_on_servers
from tests.bench.table import Row


def rows() -> Iterator[Row]:
    """Start PostgreSQL, measure there, and yield what was measured. `DAYS` and `PLAYERS` say how much."""
    return rows_on_servers("tests.bench.days_seed", "--fsync", PYRAMID_DAILY_RULE_SETS="standard")
