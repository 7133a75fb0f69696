"""Measure in a process of its own, on databases that are made for it: python -m tests.bench.apart module"""

from __future__ import annotations

import importlib
import json
import os
import random
import secrets
import subprocess
import sys
from collections.abc import Iterator
from tempfile import TemporaryDirectory

from tests.bench.table import Row


def rows_on_servers(module: str, *options: str, **settings: str) -> Iterator[Row]:
    """Yield what a module measures on PostgreSQL and Redis; `options` are those of `tests.with_servers`."""
    return _rows(module, [sys.executable, "-m", "tests.with_servers", *options], settings)


def rows_on_sqlite(module: str, **settings: str) -> Iterator[Row]:
    """Yield what a module measures on SQLite, in an empty file."""
    with TemporaryDirectory() as folder:
        own = {"DATABASE_URL": f"sqlite:///{folder}/own.sqlite3", "PYRAMID_SECRET_KEY": secrets.token_urlsafe(50)}
        yield from _rows(module, [], own | settings)


def _rows(module: str, before: list[str], settings: dict[str, str]) -> Iterator[Row]:
    command = [*before, sys.executable, "-m", __name__, module]
    environment = {**os.environ, "PYRAMID_LOG_LEVEL": "ERROR", **settings}
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout or ():
            yield Row(*json.loads(line))
    if process.returncode:
        raise RuntimeError(f"measuring {module} ended with {process.returncode}")


def main(module: str) -> None:
    import django  # noqa: PLC0415  models exist only after the setup

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pyramid_server.settings")
    django.setup()
    random.seed(2026)
    for row in importlib.import_module(module).measured():
        print(json.dumps(row), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
