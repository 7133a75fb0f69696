"""Games that end: durable, published, on their six boards with their ranks. PostgreSQL waits for the disk, Redis runs.

Processor time is that of the process that ends the games, with all its threads; PostgreSQL's and Redis' is not in it.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator

from tests.load.bench import Row


def rows() -> Iterator[Row]:
    """Start PostgreSQL and Redis, measure there, and yield what was measured."""
    command = [sys.executable, "-m", "tests.with_servers", "--fsync", sys.executable, "-m", __name__]
    environment = {**os.environ, "PYRAMID_LOG_LEVEL": "ERROR"}
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout or ():
            yield Row(*json.loads(line))
    if process.returncode:
        raise RuntimeError(f"measuring the ends of games ended with {process.returncode}")


if __name__ == "__main__":
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pyramid_server.settings")
    django.setup()
    from tests.load.scores_seed import measured

    for row in measured():
        print(json.dumps(row), flush=True)
