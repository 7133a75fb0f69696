"""Run tests against a module with a fault, in a child process; no file is changed."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from types import CodeType
from typing import NoReturn

import pytest

POLL_SECONDS = 0.02
OPTIONS = [
    "--exitfirst",
    "--quiet",
    "--assert=plain",
    "--override-ini=filterwarnings=",
    "-p",
    "no:cacheprovider",
    "--reuse-db",
]


class _Loader(SourceFileLoader):
    """Loads a module from a given text in place of its file."""

    def __init__(self, name: str, path: Path, source: str) -> None:
        super().__init__(name, str(path))
        self._source = source

    def get_code(self, fullname: str) -> CodeType:
        return compile(self._source, self.path, "exec")


class _Finder(MetaPathFinder):
    """Finds a single module, the one with the fault."""

    def __init__(self, path: Path, source: str) -> None:
        self._package = path.name == "__init__.py"
        self._name = ".".join((path.parent if self._package else path.with_suffix("")).parts)
        self._path, self._source = path.resolve(), source

    def find_spec(self, fullname: str, path: Sequence[str] | None, target: object = None) -> ModuleSpec | None:
        if fullname != self._name:
            return None
        folder = [str(self._path.parent)] if self._package else None
        loader = _Loader(fullname, self._path, self._source)
        return spec_from_file_location(fullname, self._path, loader=loader, submodule_search_locations=folder)


class Trial:
    """Tests that run against a source in place of a file's. `passed` is None until they have ended."""

    def __init__(self, path: Path, source: str, runs: Sequence[str], seconds: float) -> None:
        self.passed: bool | None = None
        self.started_at = time.monotonic()
        self._until = self.started_at + seconds
        sys.stdout.flush()
        self._process = os.fork()
        if not self._process:
            _run(path, source, runs)
        with suppress(PermissionError):  # the child was quicker
            os.setpgid(self._process, self._process)

    def has_ended(self) -> bool:
        """Look whether the tests have ended; those that take too long fail."""
        process, status = os.waitpid(self._process, os.WNOHANG)
        if process:
            self.passed = os.waitstatus_to_exitcode(status) == 0
        elif time.monotonic() > self._until:
            self.stop()
        return self.passed is not None

    def stop(self) -> None:
        """End the tests, and whatever they have started."""
        os.killpg(self._process, signal.SIGKILL)
        os.waitpid(self._process, 0)
        self.passed = False


def _run(path: Path, source: str, runs: Sequence[str]) -> NoReturn:
    """Be the child: nothing of the project may have been imported before the fork."""
    output = os.open(os.environ.get("MUTANTS_OUTPUT", os.devnull), os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.dup2(output, 1)
    os.dup2(output, 2)
    sys.meta_path.insert(0, _Finder(path, source))
    os._exit(not all(_passes(run) for run in runs))


def _passes(run: str) -> bool:
    """Run tests in a process of their own: pytest and Django can be set up only once in each."""
    process = os.fork()
    if not process:
        code = 1
        try:
            code = pytest.main([*OPTIONS, *run.split()])
        finally:
            os._exit(code)  # threads that a fault has left waiting would never end
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) == pytest.ExitCode.OK
