"""The tables of a first migration, made together."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations import AddConstraint, AddField, AddIndex, CreateModel
from django.db.migrations.operations.base import Operation


class CreateModels(Operation):
    """Create several models one after the other.

    After each of them alone, Django makes the classes of all related models again: most of the time of migrating.
    """

    def __init__(self, operations: Sequence[Operation]) -> None:
        self.operations = operations

    def state_forwards(self, app_label: str, state: Any) -> None:
        vars(state).pop("apps", None)  # the classes, which are made when they are asked for
        for operation in self.operations:
            operation.state_forwards(app_label, state)

    def database_forwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: Any, to_state: Any
    ) -> None:
        for operation in self.operations:
            operation.database_forwards(app_label, schema_editor, from_state, to_state)

    def database_backwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: Any, to_state: Any
    ) -> None:
        for operation in reversed(self.operations):
            operation.database_backwards(app_label, schema_editor, from_state, to_state)

    def describe(self) -> str:
        return "Create models"


def at_once(operations: Sequence[Operation]) -> list[Operation]:
    """Return the operations with those that create models, where they follow each other, as one."""
    grouped: list[Operation] = []
    for is_creation, neighbours in groupby(_whole(operations), lambda operation: isinstance(operation, CreateModel)):
        group = list(neighbours)
        grouped += [CreateModels(group)] if is_creation else group
    return grouped


def _whole(operations: Sequence[Operation]) -> list[Operation]:
    """Return the operations with indexes and constraints as parts of their models, where these are created before."""
    whole: list[Operation] = []
    places: dict[str, int] = {}
    for operation in operations:
        if isinstance(operation, AddIndex | AddConstraint) and operation.model_name_lower in places:
            place = places[operation.model_name_lower]
            whole[place : place + 1] = whole[place].reduce(operation, "")  # type: ignore[assignment]  # one creation
            continue
        if isinstance(operation, CreateModel):
            places[operation.name_lower] = len(whole)
        elif isinstance(operation, AddField):  # for which a constraint may be
            places.pop(operation.model_name_lower, None)
        else:
            places.clear()
        whole.append(operation)
    return whole
