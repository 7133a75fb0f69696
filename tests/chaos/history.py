"""The operations of players and their answers, in the order in which they were seen, as a file to check again."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from time import monotonic
from typing import Any, Literal, NamedTuple, cast

Type = Literal["invoke", "ok", "fail", "info"]  # info: it may or may not have happened


class Operation(NamedTuple):
    """One line. `process` does one thing at a time; `f` is act, read, show, end or fault."""

    number: int
    time: float
    process: str
    type: Type
    f: str
    key: str  # a game, or the kind of a fault
    value: Any


class History:
    """Grows while players play."""

    def __init__(self) -> None:
        self.operations: list[Operation] = []

    def add(self, process: str, kind: Type, f: str, key: str, value: object = None) -> None:
        self.operations.append(Operation(len(self.operations), monotonic(), process, kind, f, key, value))

    def write(self, path: Path, kept: dict[str, Any]) -> None:
        """Write everything, and at the end what the database has kept."""
        path.parent.mkdir(parents=True, exist_ok=True)
        lines = [*(operation._asdict() for operation in self.operations), {"kept": kept}]
        path.write_text("".join(json.dumps(line) + "\n" for line in lines))


def read(lines: Iterable[str]) -> tuple[list[Operation], dict[str, Any]]:
    """Return the operations of a file and what was kept. Raises `ValueError` if it does not end with that."""
    *operations, last = map(json.loads, lines)
    if "kept" not in last:
        raise ValueError("the history breaks off")
    return [Operation(**operation) for operation in operations], cast("dict[str, Any]", last["kept"])
