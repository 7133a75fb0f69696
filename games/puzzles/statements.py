"""Turns of runs as SQL."""

from collections.abc import Callable, Collection, Sequence
from typing import Any, NamedTuple

from django.db import connection, transaction
from django.db.models import Model

from games.puzzles.models import PuzzleRun, RunStep
from games.runtime.rows_at_once import as_stored, execute, execute_returning_ids

_BEFORE = {"solved": "int", "mistakes": "int", "removed": "text"}  # which no turn leaves as they were
_AFTER = {**_BEFORE, "hasty": "int", "puzzle": "text", "shown_at": "timestamptz", "ends_at": "timestamptz"}
_STEP = {
    "run_id": "text",
    "number": "int",
    "puzzle": "text",
    "is_solved": "bool",
    "found": "int",
    "elapsed_ms": "int",
}

_GO_ON = "UPDATE {table} AS run SET {values} FROM {turns} WHERE run.id = {id} AND {is_as_before} RETURNING {returned}"
_ADD_STEPS = "INSERT INTO {table} ({names}) SELECT {columns} FROM {turns}"
_TOGETHER = "WITH went AS ({go_on}), stepped AS ({add_steps}) SELECT id FROM went"


class Turn(NamedTuple):
    """A run as it was and as it is after a removal, with the puzzle that the removal has decided, if it has."""

    before: PuzzleRun
    after: PuzzleRun
    step: RunStep | None


def write_turns(turns: Sequence[Turn]) -> set[str]:
    """Write the turns, at most one for each run, whose run is as it was before; return the ids of these runs."""
    if not turns:
        return set()
    rows = [_row(turn) for turn in sorted(turns, key=lambda turn: turn.after.pk)]
    if connection.vendor == "postgresql":
        return execute_returning_ids(connection, _IN_POSTGRESQL, rows)
    with transaction.atomic():
        written = execute_returning_ids(connection, _GO_ON_IN_SQLITE, rows)
        if steps := [row for row in rows if row["id"] in written and row["step"]]:
            execute(connection, _ADD_STEPS_IN_SQLITE, steps)
    return written


def _row(turn: Turn) -> dict[str, Any]:
    return {
        "id": turn.after.pk,
        "before": _values(turn.before, _BEFORE),
        "after": _values(turn.after, _AFTER),
        "step": turn.step and _values(turn.step, _STEP),
    }


def _values(model: Model, columns: Collection[str]) -> dict[str, Any]:
    return {name: as_stored(connection, getattr(model, name)) for name in columns}


def _in_postgresql(part: str, name: str, kind: str) -> str:
    return f"(turn -> '{part}' ->> '{name}')::{kind}"


def _in_sqlite(part: str, name: str, _kind: str) -> str:
    return f"value ->> '$.{part}.{name}'"


def _go_on(of: Callable[[str, str, str], str], **parts: str) -> str:
    values = ", ".join(f"{name} = {of('after', name, kind)}" for name, kind in _AFTER.items())
    same = [f"run.{name} = {of('before', name, kind)}" for name, kind in _BEFORE.items()]
    is_as_before = " AND ".join(["run.ended_at IS NULL", *same])
    return _GO_ON.format(table=PuzzleRun._meta.db_table, values=values, is_as_before=is_as_before, **parts)


def _add_steps(of: Callable[[str, str, str], str], turns: str) -> str:
    columns = ", ".join(of("step", name, kind) for name, kind in _STEP.items())
    return _ADD_STEPS.format(table=RunStep._meta.db_table, names=", ".join(_STEP), columns=columns, turns=turns)


_IN_POSTGRESQL = _TOGETHER.format(
    go_on=_go_on(
        _in_postgresql, turns="json_array_elements(%s::json) AS turn", id="turn ->> 'id'", returned="run.id, turn"
    ),
    add_steps=_add_steps(_in_postgresql, "went WHERE json_typeof(turn -> 'step') = 'object'"),
)
_GO_ON_IN_SQLITE = _go_on(_in_sqlite, turns="json_each(?)", id="value ->> '$.id'", returned="id")
_ADD_STEPS_IN_SQLITE = _add_steps(_in_sqlite, "json_each(?)")
