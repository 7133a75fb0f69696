"""Connections to the database, made to last: requests are answered on threads that stay, each with one of its own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

SQLITE_OPTIONS = {
    # FULL: an acknowledged move survives a power cut, not only a crash of the process.
    "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;",
    # A transaction that begins by reading and then writes could not wait for another writer; it would fail at once.
    "transaction_mode": "IMMEDIATE",
    "timeout": 10,
}
POSTGRESQL_OPTIONS = {"connect_timeout": 2}


def lasting(database: dict[str, Any], folder: Path) -> dict[str, Any]:
    """Return settings of a database with what lasting connections need; a relative SQLite path starts at a folder."""
    options = database.get("OPTIONS", {})
    if database["ENGINE"] == "django.db.backends.sqlite3":
        own = {"NAME": folder / database["NAME"], "OPTIONS": SQLITE_OPTIONS}
    else:
        own = {"CONN_HEALTH_CHECKS": True, "OPTIONS": options | POSTGRESQL_OPTIONS}
    return database | {"CONN_MAX_AGE": None} | own
