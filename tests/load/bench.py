"""Measure and print a table: `make bench`, or `python -m tests.load.bench rules live` for some of it.

Figures are processor time, not wall time, so that a busy machine matters little; compare within one run only.
"""

from __future__ import annotations

import importlib
import platform
import sys
from typing import NamedTuple

SUBJECTS = (
    "rules",
    "solver",
    "orders",
    "searching",
    "live",
    "races",
    "player_day",
    "ending",
    "passwords",
    "boards",
    "scores",
    "sealed",
    "proofs",
    "written",
    "reexecution",
    "desk",
    "detectors",
)


class Row(NamedTuple):
    """One line of the table; `figure` is written with three significant digits."""

    what: str
    figure: float
    unit: str


def main(subjects: list[str]) -> None:
    print(f"Python {platform.python_version()}, {platform.machine()}")
    for subject in subjects or SUBJECTS:
        module = importlib.import_module(f"tests.load.{subject}")
        for row in module.rows():
            print(f"{row.what:<58} {written(row.figure):>12} {row.unit}", flush=True)


def written(figure: float) -> str:
    """Return a figure with three significant digits, thousands apart."""
    return f"{float(f'{figure:.3g}'):,.10g}"


if __name__ == "__main__":
    main(sys.argv[1:])
