"""The proof that a result was sealed, on a day with 10,000 results: processor time of a request."""

from __future__ import annotations

from collections.abc import Iterator

from tests.bench.apart import rows_on_servers
from tests.bench.table import Row


def rows() -> Iterator[Row]:
    return rows_on_servers("tests.bench.proofs_seed", PYRAMID_DAILY_RULE_SETS="standard")
