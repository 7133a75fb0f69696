"""Shared parts of management commands: progress bars and arguments."""

from __future__ import annotations

from argparse import ArgumentTypeError
from collections.abc import Iterable
from typing import Any, TypeVar

from django.core.management.base import OutputWrapper
from tqdm import tqdm

Item = TypeVar("Item")


class _Terminal:
    """A command's standard error without Django's line ends and colours, which would put each update on a red line."""

    def __init__(self, stderr: OutputWrapper) -> None:
        self._stderr = stderr

    def write(self, text: str) -> None:
        self._stderr.write(text, str, "")

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stderr, name)


def progress(stderr: OutputWrapper, items: Iterable[Item], unit: str) -> tqdm[Item]:
    """Return items with a progress bar that stays on one line of a terminal, and is silent elsewhere."""
    return tqdm(items, unit=unit, file=_Terminal(stderr), disable=None)


def progress_bar(stderr: OutputWrapper, total: int, unit: str) -> tqdm[object]:
    """Return a bar like that of `progress`, to be updated by hand.

    To print a line meanwhile, clear the bar first; the next update draws it again.
    """
    nothing: Iterable[object] = ()
    return tqdm(nothing, total=total, unit=unit, file=_Terminal(stderr), disable=None)


def at_least_one(text: str) -> int:
    """Read the value of an argument. Raises `ArgumentTypeError`."""
    if not (text.isascii() and text.isdigit() and int(text)):
        raise ArgumentTypeError(f"{text!r} is not a whole number of 1 or more")
    return int(text)
