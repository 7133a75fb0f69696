"""Permanent connections to the database: requests are answered on permanent threads, each with its own connection."""

from pathlib import Path
from typing import Any

SQLITE_OPTIONS = {
    # FULL: an acknowledged move survives a power cut, not only a crash of the process.
    "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;",
    # A deferred transaction that reads and then writes cannot wait for another writer; it would fail at once.
    "transaction_mode": "IMMEDIATE",
    "timeout": 10,
}
# A machine that is gone is noticed within some twenty seconds; deadlines (pyramid_server/postgresql) see to the rest,
# so that a connection takes as long as this only if the server answers others meanwhile.
POSTGRESQL_OPTIONS = {
    "connect_timeout": 20,
    "keepalives_idle": 10,
    "keepalives_interval": 3,
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,
}


def lasting(database: dict[str, Any], folder: Path) -> dict[str, Any]:
    """Return the settings of a database with permanent connections; a relative SQLite path starts at a folder."""
    options = database.get("OPTIONS", {})
    if database["ENGINE"] == "django.db.backends.sqlite3":
        own = {"NAME": folder / database["NAME"], "OPTIONS": SQLITE_OPTIONS}
    else:
        own = {
            "ENGINE": "pyramid_server.postgresql",
            "CONN_HEALTH_CHECKS": True,
            "OPTIONS": POSTGRESQL_OPTIONS | options,
        }
    return database | {"CONN_MAX_AGE": None} | own
