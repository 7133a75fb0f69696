"""Hold up everything that a server would write."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager

import psycopg


@contextmanager
def frozen_log(url: str) -> Iterator[None]:
    """Let nobody append to the log of any game while the block runs; reading goes on."""
    if url.startswith("sqlite"):
        with closing(sqlite3.connect(url.removeprefix("sqlite:///"), timeout=90, isolation_level=None)) as database:
            database.execute("BEGIN IMMEDIATE")
            yield
    else:
        with psycopg.connect(url) as connection:
            connection.execute("LOCK TABLE games_move IN EXCLUSIVE MODE")
            yield
