"""The size of a finished game on PostgreSQL with all indexes, its log as rows and sealed, and the cost of sealing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator

from tests.load.bench import Row


def rows() -> Iterator[Row]:
    """Start PostgreSQL, measure there, and yield what was measured. `SEALED_GAMES` says with how many games."""
    command = [sys.executable, "-m", "tests.with_servers", sys.executable, "-m", __name__]
    environment = {**os.environ, "PYRAMID_LOG_LEVEL": "ERROR", "PYRAMID_DAILY_RULE_SETS": "standard"}
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout or ():
            yield Row(*json.loads(line))
    if process.returncode:
        raise RuntimeError(f"measuring sealed logs ended with {process.returncode}")


if __name__ == "__main__":
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pyramid_server.settings")
    django.setup()
    from tests.load.sealed_seed import measured

    for row in measured():
        print(json.dumps(row), flush=True)
