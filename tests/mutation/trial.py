"""Run tests against a module with a fault, in a forked process in which everything is imported; no file is changed."""

from __future__ import annotations

import gc
import inspect
import os
import shutil
import signal
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from types import CodeType, FunctionType
from typing import NoReturn

POLL_SECONDS = 0.02
PASSED, FAILED, BROKEN = range(3)


class Trial:
    """Work in a process of its own, which may leave files behind in `folder`. `passed` is None until it has ended."""

    def __init__(self, work: Callable[[], bool], folder: Path) -> None:
        self.passed: bool | None = None
        self._folder = folder
        folder.mkdir()
        sys.stdout.flush()
        self._process = os.fork()
        if not self._process:
            os.setpgid(0, 0)
            _be_child(work, folder)
        with suppress(PermissionError):  # the child was quicker
            os.setpgid(self._process, self._process)

    def has_ended(self) -> bool:
        """Look whether the work has ended."""
        process, status = os.waitpid(self._process, os.WNOHANG)
        if not process:
            return False
        code = os.waitstatus_to_exitcode(status)
        self.passed = code == PASSED
        assert code != BROKEN, "a trial could not be made; MUTANTS_OUTPUT=file says why"
        self.stop()
        shutil.rmtree(self._folder)
        return True

    def stop(self) -> None:
        """End the work, and whatever it has started."""
        with suppress(ProcessLookupError):
            os.killpg(self._process, signal.SIGKILL)


def _be_child(work: Callable[[], bool], folder: Path) -> NoReturn:
    code = FAILED
    try:
        output = os.open(os.environ.get("MUTANTS_OUTPUT", os.devnull), os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        os.dup2(output, 1)
        os.dup2(output, 2)
        os.environ["PYTEST_DEBUG_TEMPROOT"] = str(folder)
        code = PASSED if work() else FAILED
    except Exception:  # noqa: BLE001  tests catch theirs, so this is one of the tool
        traceback.print_exc()
        code = BROKEN
    finally:
        sys.stderr.flush()
        os._exit(code)  # threads that a fault has left waiting would never end


def exchange(path: Path, source: str) -> None:
    """Give all functions and methods of an imported module the code they have in another source of it."""
    file = str(path.resolve())
    before, after = (_functions_of(compile(text, file, "exec")) for text in (path.read_text(), source))
    gc.unfreeze()  # what a server has frozen when it starts is not among the objects otherwise
    new = {(old.co_qualname, old.co_firstlineno): code for old, code in zip(before, after, strict=True)}
    for function in gc.get_objects():
        if type(function) is FunctionType and function.__code__.co_filename == file:  # a lazy object has another class
            old = function.__code__
            function.__code__ = new.get((old.co_qualname, old.co_firstlineno), old)


def _functions_of(code: CodeType) -> Iterator[CodeType]:
    """Yield the code of the functions in a module and of the methods in its classes."""
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            if constant.co_flags & inspect.CO_OPTIMIZED:
                yield constant
            else:  # a class
                yield from _functions_of(constant)
