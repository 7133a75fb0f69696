"""The verdicts behind the table of the family, packed as small as people can still read them."""

from __future__ import annotations

import gzip
from itertools import groupby
from operator import attrgetter
from pathlib import Path

from games.rule_sets.counting import BadLine, Judged, read
from tests.release.versions import ReleaseError


def pack_verdicts(file: Path, target: Path) -> None:
    """Write a line for each rule set of a file of `manage.py rates`. The same verdicts are always the same bytes.

    Raises `ReleaseError`.
    """
    _, *lines = file.read_text(encoding="ascii").splitlines()
    target.write_bytes(gzip.compress(as_letters(lines).encode(), mtime=0))


def as_letters(lines: list[str]) -> str:
    """Return a line for each rule set: its name, and a letter for each deal from 1 on: w, l or u for undecided.

    Raises `ReleaseError` if a deal is missing.
    """
    try:
        rows = sorted(read(lines), key=attrgetter("rules", "deal"))
    except BadLine as error:
        raise ReleaseError(str(error)) from error
    return "".join(f"{rules} {_letters(rules, list(judged))}\n" for rules, judged in groupby(rows, attrgetter("rules")))


def _letters(rules: str, judged: list[Judged]) -> str:
    for expected, row in enumerate(judged, 1):
        if row.deal != expected:
            raise ReleaseError(f"there is not exactly one verdict on deal {expected} of {rules}")
    return "".join(row.verdict[0] for row in judged)
