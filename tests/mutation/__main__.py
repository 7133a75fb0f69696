"""Give code one small fault at a time and list those that no test notices: python -m tests.mutation games/journal"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

from tests.mutation.operators import Mutant, mutants_of
from tests.mutation.targets import chosen
from tests.mutation.trial import POLL_SECONDS, Trial

# What takes long to import and is nobody's to change.
LIBRARIES = [
    "channels",
    "django.contrib.auth",
    "hypothesis",
    "msgspec",
    "numba",
    "prometheus_client",
    "psycopg",
    "redis",
]
TIMEOUT_FACTOR = 4.0  # times as long as without a fault
LEAST_SECONDS = 30.0


class Count(NamedTuple):
    """Faults that tests have noticed, and those that they have not."""

    killed: int = 0
    survived: int = 0


def main() -> None:
    for library in LIBRARIES:
        import_module(library)
    jobs = int(os.environ.get("MUTANTS_JOBS") or 2)
    total = Count()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["HYPOTHESIS_STORAGE_DIRECTORY"] = folder  # examples of code that is wrong on purpose
        os.environ["MIGRATED_DATABASE"] = _migrated(Path(folder))
        for path, tests in chosen(sys.argv[1:]).items():
            count = _try_all(path, tests, jobs)
            print(f"{path}: {count.killed} killed, {count.survived} survived", flush=True)
            total = Count(total.killed + count.killed, total.survived + count.survived)
    print(f"{sum(total)} mutants, {total.killed} killed, {total.survived} survived")


def _migrated(folder: Path) -> str:
    """Return an empty database with all tables, of which each trial has a copy: to migrate takes longer than tests."""
    path = f"{folder}/migrated.sqlite3"
    environment = {**os.environ, "DATABASE_URL": f"sqlite:///{path}", "PYRAMID_SECRET_KEY": "mutants" * 8}
    subprocess.run([sys.executable, "manage.py", "migrate", "-v0"], env=environment, check=True)
    return path


def _try_all(path: Path, tests: Sequence[str], jobs: int) -> Count:
    source = path.read_text()
    seconds = max(LEAST_SECONDS, TIMEOUT_FACTOR * _seconds_unchanged(path, source, tests))
    mutants = list(mutants_of(source))
    killed = survived = 0
    for mutant, passed in _tried(path, mutants, tests, seconds, jobs):
        killed, survived = killed + (not passed), survived + passed
        if passed:
            print(f"{path}:{mutant.line}\n  - {mutant.before}\n  + {mutant.after}", flush=True)
        print(f"{path}: {killed + survived} of {len(mutants)}, {survived} survived", end="\r", file=sys.stderr)
    return Count(killed, survived)


def _seconds_unchanged(path: Path, source: str, tests: Sequence[str]) -> float:
    trial = Trial(path, source, tests, seconds=600)
    while not trial.has_ended():
        time.sleep(POLL_SECONDS)
    assert trial.passed, f"the tests of {path} fail without a fault"
    return time.monotonic() - trial.started_at


def _tried(
    path: Path, mutants: list[Mutant], tests: Sequence[str], seconds: float, jobs: int
) -> Iterator[tuple[Mutant, bool]]:
    """Try so many mutants at once, and yield each with whether its tests passed."""
    waiting, running = list(reversed(mutants)), dict[Mutant, Trial]()
    try:
        while waiting or running:
            while waiting and len(running) < jobs:
                mutant = waiting.pop()
                running[mutant] = Trial(path, mutant.source, tests, seconds)
            time.sleep(POLL_SECONDS)
            for mutant in [mutant for mutant, trial in running.items() if trial.has_ended()]:
                yield mutant, bool(running.pop(mutant).passed)
    finally:  # interrupted
        for trial in running.values():
            trial.stop()


if __name__ == "__main__":
    main()
