"""The size of a finished game on PostgreSQL with all indexes, its log as rows and sealed, and the cost of sealing."""

from __future__ import annotations

from collections.abc import Iterator

from tests.bench.apart import rows_on_servers
from tests.bench.table import Row


def rows() -> Iterator[Row]:
    """Start PostgreSQL, measure there, and yield what was measured. `SEALED_GAMES` says with how many games."""
    return rows_on_servers("tests.bench.sealed_seed", PYRAMID_DAILY_RULE_SETS="standard")
