"""A plugin of pytest: once all tests are collected, it tries them on one fault after the other."""

from __future__ import annotations

import ctypes
import json
import os
import signal
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import count, zip_longest
from multiprocessing.sharedctypes import RawValue
from pathlib import Path
from typing import NamedTuple
from unittest import mock

import pytest
from coverage import Coverage, CoverageData
from django.db import connections
from django.test import utils

from tests.mutation.operators import Mutant, mutants_of
from tests.mutation.trial import POLL_SECONDS, Trial, exchange

# The time that a test may take: so many times as long as without a fault.
TIMEOUT_FACTOR = 4.0
LEAST_SECONDS = 20.0


class Count(NamedTuple):
    """Faults that tests have noticed, and those that they have not."""

    killed: int = 0
    survived: int = 0


class Unchanged(NamedTuple):
    """The tests of a module without a fault: which reach each line, and the seconds that each takes."""

    tests_of_line: dict[int, set[str]]
    seconds: dict[str, float]

    def tests_of(self, mutant: Mutant) -> set[str]:
        """Return the tests that reach a fault: all, if it is not known where it matters."""
        if not mutant.lines:
            return set(self.seconds)
        return set().union(*(self.tests_of_line.get(line, ()) for line in mutant.lines))


class Campaign:
    """Gives each of some modules every fault, and prints those that none of the module's tests notices."""

    def __init__(self, targets: dict[Path, list[str]], jobs: int, every: int, folder: Path) -> None:
        self._targets, self._jobs, self._every, self._folder = targets, jobs, every, folder
        self._numbers = count()
        self._noticed: dict[str, ctypes.c_int] = {}  # by test: how many faults, counted by all processes

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        self._noticed = {item.nodeid: RawValue("i") for item in session.items}
        total = Count()
        for path, tests in self._targets.items():
            items = {item.nodeid: item for item in session.items if _is_of(item, tests)}
            counted = self._try_all(path, items)
            print(f"{path}: {counted.killed} killed, {counted.survived} survived", flush=True)
            total = Count(total.killed + counted.killed, total.survived + counted.survived)
        print(f"{sum(total)} mutants, {total.killed} killed, {total.survived} survived")
        return True

    def _try_all(self, path: Path, items: dict[str, pytest.Item]) -> Count:
        unchanged = self._try_unchanged(path, items)
        mutants = list(mutants_of(path.read_text()))[:: self._every]
        killed = survived = 0
        for mutant, passed in self._tried(path, mutants, items, unchanged):
            killed, survived = killed + (not passed), survived + passed
            if passed:
                print(f"{path}:{mutant.line}\n  - {mutant.before}\n  + {mutant.after}", flush=True)
            print(f"{path}: {killed + survived} of {len(mutants)}, {survived} survived", end="\r", file=sys.stderr)
        return Count(killed, survived)

    def _try_unchanged(self, path: Path, items: dict[str, pytest.Item]) -> Unchanged:
        reached, seconds = (self._folder / f"{name}-{next(self._numbers)}" for name in ("reached", "seconds"))
        trial = self._trial(lambda: _pass_observed(path, list(items.values()), reached, seconds))
        while not trial.has_ended():
            time.sleep(POLL_SECONDS)
        taken = json.loads(seconds.read_text())
        assert trial.passed, f"without a fault {next(test for test in items if test not in taken)} fails"
        data = CoverageData(str(reached))
        data.read()
        tests_of_line = data.contexts_by_lineno(str(path.resolve()))
        return Unchanged(
            defaultdict(set, {line: set(filter(None, tests)) for line, tests in tests_of_line.items()}),
            taken,
        )

    def _tried(
        self, path: Path, mutants: Sequence[Mutant], items: dict[str, pytest.Item], unchanged: Unchanged
    ) -> Iterator[tuple[Mutant, bool]]:
        """Try a few mutants at once, and yield each with whether its tests passed."""
        waiting, running = list(reversed(mutants)), dict[Mutant, Trial]()
        try:
            while waiting or running:
                while waiting and len(running) < self._jobs:
                    mutant = waiting.pop()
                    running[mutant] = self._try(path, mutant, items, unchanged)
                time.sleep(POLL_SECONDS)
                for mutant in [mutant for mutant, trial in running.items() if trial.has_ended()]:
                    yield mutant, bool(running.pop(mutant).passed)
        finally:  # interrupted
            for trial in running.values():
                trial.stop()

    def _try(self, path: Path, mutant: Mutant, items: dict[str, pytest.Item], unchanged: Unchanged) -> Trial:
        # A test that notices one fault notices others; of the rest the quickest come first.
        tests = sorted(
            unchanged.tests_of(mutant), key=lambda test: (-self._noticed[test].value, unchanged.seconds[test])
        )

        def pass_all() -> bool:
            exchange(path, mutant.source)
            passed = len(list(_passing([items[test] for test in tests], unchanged.seconds)))
            if passed < len(tests):
                self._noticed[tests[passed]].value += 1
            return passed == len(tests)

        return self._trial(pass_all)

    def _trial(self, work: Callable[[], bool]) -> Trial:
        def work_on_a_copy() -> bool:
            _use_migrated_database()
            return work()

        return Trial(work_on_a_copy, self._folder / f"trial-{next(self._numbers)}")


def _use_migrated_database() -> None:
    """Have tests use their copy as it is: only to see that nothing is to be migrated takes longer than most of them."""

    def setup_databases(**options: object) -> None:
        for connection in connections.all():
            connection.settings_dict["NAME"] = connection.settings_dict["TEST"]["NAME"]

    mock.patch.object(utils, "setup_databases", setup_databases).start()


def _is_of(item: pytest.Item, tests: list[str]) -> bool:
    return any(Path(item.nodeid.partition("::")[0]).is_relative_to(test) for test in tests)


def _passing(items: Sequence[pytest.Item], seconds: Mapping[str, float]) -> Iterator[pytest.Item]:
    """Run tests, and yield each that passes, up to the first that does not.

    A test that takes far longer than its `seconds`, if known, ends the process.
    """
    for item, following in zip_longest(items, items[1:]):
        if item.nodeid in seconds:
            signal.setitimer(signal.ITIMER_REAL, max(LEAST_SECONDS, TIMEOUT_FACTOR * seconds[item.nodeid]))
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        if item.session.testsfailed:
            return
        yield item


def _pass_observed(path: Path, items: Sequence[pytest.Item], reached: Path, seconds: Path) -> bool:
    """Run tests, and write which lines of a file each of them reaches, and how long it takes."""
    os.environ["COVERAGE_CORE"] = "ctrace"  # the only one that knows which test it is
    coverage = Coverage(data_file=str(reached), include=[str(path)], config_file=False, messages=False)
    coverage.start()
    coverage.switch_context(items[0].nodeid)
    taken, began = {}, time.monotonic()
    for item in _passing(items, seconds={}):
        taken[item.nodeid], began = time.monotonic() - began, time.monotonic()
        coverage.switch_context(items[len(taken)].nodeid if len(taken) < len(items) else "")
    coverage.stop()
    coverage.save()
    seconds.write_text(json.dumps(taken))
    return len(taken) == len(items)
