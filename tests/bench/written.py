"""The bytes that a player leaves beside the game itself (`sealed`): a guest with a token, places on boards."""

from __future__ import annotations

from collections.abc import Iterator

from tests.bench.apart import rows_on_servers
from tests.bench.table import Row


def rows() -> Iterator[Row]:
    """Start PostgreSQL, measure there, and yield what was measured."""
    return rows_on_servers("tests.bench.written_seed", PYRAMID_DAILY_RULE_SETS="standard")
