"""Shared parts of management commands: what they check, progress bars and arguments."""

from __future__ import annotations

from argparse import ArgumentTypeError
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from math import inf
from threading import Event, RLock, Thread
from time import time
from typing import Any, TypeVar

from django.core.management.base import BaseCommand, OutputWrapper
from tqdm import tqdm

Item = TypeVar("Item")


SETTINGS = "settings"  # checks of what the operator has set


class LightCommand(BaseCommand):
    """A command that checks the settings at its start, and not all code: that would load every page."""

    requires_system_checks = (SETTINGS,)


BETWEEN_LINES = 10  # seconds between two lines of progress where there is no terminal, and before the first


class _Terminal:
    """A command's standard error without Django's line ends and colours, which would put each update on a red line."""

    def __init__(self, stderr: OutputWrapper) -> None:
        self._stderr = stderr

    def write(self, text: str) -> None:
        self._stderr.write(text, str, "")

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stderr, name)


class _Lines(_Terminal):
    """The same where there is no terminal, such as a log: each update that says something is a line."""

    def write(self, text: str) -> None:
        if line := text.strip("\r\n "):
            super().write(f"{line}\n")


class _Steady(tqdm):  # type: ignore[type-arg]  # only its stubs have a parameter
    """A bar that a thread draws, so that it goes on while a single item takes long."""

    def __init__(self, *, every: float, **options: Any) -> None:
        self._ended = Event()
        super().__init__(**options)
        Thread(target=self._draw, args=(every,), daemon=True).start()

    def close(self) -> None:
        self._ended.set()
        super().close()

    def _draw(self, every: float) -> None:
        with suppress(OSError):  # nobody looks any more: the pipe is closed, or the terminal gone
            while not self._ended.wait(every):
                with self.get_lock():  # type: ignore[no-untyped-call]
                    if not self._ended.is_set():
                        self.refresh(nolock=True)  # whose own lock would stay locked after an error
                        self.last_print_t = time()  # so that `close` knows that there is something to complete


# The default is shared by processes too, for which Python from 3.14 on starts one more that stays.
_Steady.set_lock(RLock())


def progress(stderr: OutputWrapper, items: Collection[Item], unit: str) -> Iterator[Item]:
    """Yield items with a progress bar: one line of a terminal; elsewhere a line now and then, if they take long."""
    with progress_bar(stderr, len(items), unit) as bar:
        for item in items:
            yield item
            bar.update()


def progress_bar(stderr: OutputWrapper, total: int, unit: str) -> tqdm[object]:
    """Return a bar like that of `progress`, to be updated by hand.

    To print a line meanwhile, clear the bar first; the next update draws it again.
    """
    return _Steady(total=total, unit=unit, **_options(stderr))


@contextmanager
def at_work(stderr: OutputWrapper, task: str) -> Iterator[None]:
    """Show what is being done and for how long, where there is nothing to count."""
    with _Steady(desc=task, bar_format="{desc}: {elapsed}", leave=False, **_options(stderr)):
        yield


def _options(stderr: OutputWrapper) -> dict[str, Any]:
    if stderr.isatty():
        return {"file": _Terminal(stderr), "every": 1}
    # Updates draw nothing, only the thread does.
    return {"file": _Lines(stderr), "delay": BETWEEN_LINES, "mininterval": inf, "ncols": 80, "every": BETWEEN_LINES}


def at_least_one(text: str) -> int:
    """Read the value of an argument. Raises `ArgumentTypeError`."""
    if not (text.isascii() and text.isdigit() and int(text)):
        raise ArgumentTypeError(f"{text!r} is not a whole number of 1 or more")
    return int(text)
