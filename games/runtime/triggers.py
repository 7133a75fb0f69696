"""Triggers as operations of migrations, declared once for both databases."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.operations.base import Operation

Execute = Callable[[str], object]


@dataclass(frozen=True)
class Triggers:
    """Triggers and their functions in PostgreSQL as scripts, in SQLite as the body of each trigger by its name."""

    postgresql: str = ""
    postgresql_without: str = ""
    sqlite: Mapping[str, str] = field(default_factory=dict)

    def __or__(self, more: Triggers) -> Triggers:
        return Triggers(
            self.postgresql + more.postgresql,
            more.postgresql_without + self.postgresql_without,
            {**self.sqlite, **more.sqlite},
        )

    def create(self, vendor: str, execute: Execute) -> None:
        """Create the triggers; on SQLite, existing ones stay as they are."""
        statements = [f"CREATE TRIGGER IF NOT EXISTS {name} {body}" for name, body in self.sqlite.items()]
        _execute(vendor, execute, self.postgresql, statements)

    def drop(self, vendor: str, execute: Execute) -> None:
        """Drop the triggers; on SQLite, missing ones are ignored."""
        statements = [f"DROP TRIGGER IF EXISTS {name}" for name in self.sqlite]
        _execute(vendor, execute, self.postgresql_without, statements)


def complaining(app: str) -> Triggers:
    """Return the function, only needed by PostgreSQL, with which the triggers of an app's tables refuse a statement."""
    return Triggers(
        f"""
CREATE FUNCTION {_complaint_of(app)}() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE integrity_constraint_violation USING MESSAGE = TG_ARGV[0];
END $$;
""",
        f"DROP FUNCTION {_complaint_of(app)};\n",
    )


def refusing(name: str, events: str, table: str, complaint: str, *, when: str | Mapping[str, str] = "") -> Triggers:
    """Return triggers that refuse `INSERT`, `UPDATE OR DELETE` and so on of rows of a table.

    The condition is in the words of PostgreSQL; where SQLite has others, there is one by vendor.
    """
    if isinstance(when, str):
        when = {"postgresql": when, "sqlite": when.replace("IS DISTINCT FROM", "IS NOT")}
    each = {f"{name}_{event.lower()}": f"BEFORE {event} ON {table}" for event in events.split(" OR ")}
    return _refusing_in_postgresql(name, events, table, complaint, when["postgresql"]) | in_sqlite(
        each, complaint, when=when["sqlite"]
    )


def following(name: str, events: Sequence[str], table: str, statement: str, *, when: str) -> Triggers:
    """Return triggers that carry out a statement after each change of a row for which the condition holds."""
    function = f"BEGIN\n{statement};\nRETURN NULL;\nEND"
    in_order = {
        f"{name}_{number}": f"AFTER {event} ON {table} WHEN {when} BEGIN {statement}; END"
        for number, event in enumerate(events, start=1)
    }
    after = f"AFTER {' OR '.join(events)}"
    return in_postgresql(name, after, table, function, each=_when(when)) | Triggers(sqlite=in_order)


def refusing_truncation(table: str, complaint: str) -> Triggers:
    """Return a trigger that refuses to empty a table without looking at its rows, which only PostgreSQL can."""
    return _called(f"{table}_truncation", "BEFORE TRUNCATE", table, f"{_complaint_of(table)}('{complaint}')")


def frozen(table: str, complaint: str, emptied: str = "") -> Triggers:
    """Return triggers that refuse to change or delete rows of a table, one by one or, in other words, all at once."""
    app, _, name = table.partition("_")
    rows = refusing(f"{app}_guard_{name}", "UPDATE OR DELETE", table, complaint)
    return rows | refusing_truncation(table, emptied or complaint)


def in_postgresql(name: str, events: str, table: str, function: str, *, each: str = "FOR EACH ROW") -> Triggers:
    """Return a trigger of PostgreSQL with a function of the same name.

    `events` begins with `BEFORE` or `AFTER`; `each` ends with the condition, if there is one.
    """
    created = Triggers(
        f"CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$\n{function.strip()} $$;\n",
        f"DROP FUNCTION {name};\n",
    )
    return created | _called(name, events, table, f"{name}()", each)


def in_sqlite(events: Mapping[str, str], complaint: str, *, when: str = "") -> Triggers:
    """Return triggers of SQLite that refuse events, such as `BEFORE UPDATE ON games_move`, by the trigger's name."""
    condition = f" WHEN {when.strip()}" if when else ""
    refusal = f"BEGIN SELECT RAISE(ABORT, '{complaint}'); END"
    return Triggers(sqlite={name: f"{event}{condition} {refusal}" for name, event in events.items()})


def differ(columns: Sequence[str]) -> str:
    """Return the condition that an update changes any of the columns."""
    new, old = (", ".join(f"{row}.{column}" for column in columns) for row in ("NEW", "OLD"))
    return f"({new}) IS DISTINCT FROM ({old})"


class CreateTriggers(Operation):
    """Create triggers; on the way back they are dropped."""

    reduces_to_sql = True

    def __init__(self, triggers: Triggers) -> None:
        self.triggers = triggers

    def state_forwards(self, app_label: str, state: Any) -> None:
        """Leave the models alone: they do not know triggers."""

    def database_forwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: Any, to_state: Any
    ) -> None:
        self.triggers.create(schema_editor.connection.vendor, schema_editor.execute)

    def database_backwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: Any, to_state: Any
    ) -> None:
        self.triggers.drop(schema_editor.connection.vendor, schema_editor.execute)

    def describe(self) -> str:
        return "Create triggers"


def _complaint_of(table: str) -> str:
    return f"{table.split('_', 1)[0]}_guard_history"


def _refusing_in_postgresql(name: str, events: str, table: str, complaint: str, when: str) -> Triggers:
    """Ask in the trigger, which calls no function where the condition is false, or in the function about other rows."""
    if "SELECT" not in when:
        return _called(name, f"BEFORE {events}", table, f"{_complaint_of(table)}('{complaint}')", _when(when))
    refusal = f"RAISE integrity_constraint_violation USING MESSAGE = '{complaint}'"
    function = f"BEGIN\nIF {when} THEN {refusal}; END IF;\nRETURN COALESCE(NEW, OLD);\nEND"
    return in_postgresql(name, f"BEFORE {events}", table, function)


def _when(condition: str) -> str:
    return f"FOR EACH ROW WHEN ({condition})" if condition else "FOR EACH ROW"


def _called(name: str, events: str, table: str, call: str, each: str = "") -> Triggers:
    return Triggers(
        f"CREATE TRIGGER {name} {events} ON {table} {each} EXECUTE FUNCTION {call};\n",
        f"DROP TRIGGER {name} ON {table};\n",
    )


def _execute(vendor: str, execute: Execute, script: str, statements: list[str]) -> None:
    for statement in [script] if vendor == "postgresql" else statements:
        if statement:
            execute(statement)
