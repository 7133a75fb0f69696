"""Shared parts of management commands: progress bars and arguments."""

from __future__ import annotations

from argparse import ArgumentTypeError
from collections.abc import Iterable
from typing import Any, TypeVar

from django.core.management.base import OutputWrapper
from tqdm import tqdm

Item = TypeVar("Item")


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


def progress(stderr: OutputWrapper, items: Iterable[Item], unit: str) -> tqdm[Item]:
    """Return items with a progress bar: one line of a terminal; elsewhere a line now and then, if they take long."""
    return tqdm(items, unit=unit, **_options(stderr))


def progress_bar(stderr: OutputWrapper, total: int, unit: str) -> tqdm[object]:
    """Return a bar like that of `progress`, to be updated by hand.

    To print a line meanwhile, clear the bar first; the next update draws it again.
    """
    nothing: Iterable[object] = ()
    return tqdm(nothing, total=total, unit=unit, **_options(stderr))


def _options(stderr: OutputWrapper) -> dict[str, Any]:
    if stderr.isatty():
        return {"file": _Terminal(stderr)}
    return {"file": _Lines(stderr), "delay": BETWEEN_LINES, "mininterval": BETWEEN_LINES, "ncols": 80}


def at_least_one(text: str) -> int:
    """Read the value of an argument. Raises `ArgumentTypeError`."""
    if not (text.isascii() and text.isdigit() and int(text)):
        raise ArgumentTypeError(f"{text!r} is not a whole number of 1 or more")
    return int(text)
