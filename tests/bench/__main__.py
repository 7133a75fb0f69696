"""Measure and print a table: `make bench`, or `python -m tests.bench rules live` for some of it.

Figures are processor time, not wall time, so that a busy machine matters little; compare within one run only.
"""

from __future__ import annotations

import importlib
import platform
import sys

from tests.bench.table import written

SUBJECTS = (
    "rules",
    "solver",
    "orders",
    "searching",
    "live",
    "races",
    "player_day",
    "storm",
    "doors",
    "ending",
    "passwords",
    "boards",
    "clubs",
    "scores",
    "sealed",
    "proofs",
    "log",
    "written",
    "days",
    "reexecution",
    "desk",
    "detectors",
)


def main(subjects: list[str]) -> None:
    print(f"Python {platform.python_version()}, {platform.machine()}")
    for subject in subjects or SUBJECTS:
        module = importlib.import_module(f"tests.bench.{subject}")
        for row in module.rows():
            print(f"{row.what:<58} {written(row.figure):>12} {row.unit}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
