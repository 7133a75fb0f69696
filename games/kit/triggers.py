"""Triggers as operations of migrations, written once for each database."""

from __future__ import annotations

from collections.abc import Callable, Mapping
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
            self.postgresql_without + more.postgresql_without,
            {**self.sqlite, **more.sqlite},
        )

    @property
    def of_sqlite(self) -> Triggers:
        """Return those of SQLite alone, which loses them when it changes a table: it copies the table without them."""
        return Triggers(sqlite=self.sqlite)

    def create(self, vendor: str, execute: Execute) -> None:
        """Create the triggers; on SQLite, existing ones stay as they are."""
        statements = [f"CREATE TRIGGER IF NOT EXISTS {name} {body}" for name, body in self.sqlite.items()]
        _execute(vendor, execute, self.postgresql, statements)

    def drop(self, vendor: str, execute: Execute) -> None:
        """Drop the triggers; on SQLite, missing ones are ignored."""
        statements = [f"DROP TRIGGER IF EXISTS {name}" for name in self.sqlite]
        _execute(vendor, execute, self.postgresql_without, statements)


def against_truncation(function: str, complaints: Mapping[str, str]) -> Triggers:
    """Return triggers that refuse to truncate tables; the function complains with its argument. SQLite only deletes."""
    return Triggers(
        "".join(
            f"CREATE TRIGGER {table}_truncation BEFORE TRUNCATE ON {table}"
            f" EXECUTE FUNCTION {function}('{complaint}');\n"
            for table, complaint in complaints.items()
        ),
        "".join(f"DROP TRIGGER {table}_truncation ON {table};\n" for table in complaints),
    )


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


class DropTriggers(CreateTriggers):
    """Drop triggers; on the way back they are created."""

    def database_forwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: Any, to_state: Any
    ) -> None:
        super().database_backwards(app_label, schema_editor, from_state, to_state)

    def database_backwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: Any, to_state: Any
    ) -> None:
        super().database_forwards(app_label, schema_editor, from_state, to_state)

    def describe(self) -> str:
        return "Drop triggers"


def _execute(vendor: str, execute: Execute, script: str, statements: list[str]) -> None:
    for statement in [script] if vendor == "postgresql" else statements:
        if statement:
            execute(statement)
