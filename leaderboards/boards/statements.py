"""Pass rows of numbers and texts as one parameter of a statement, in both databases."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec
from django.db import connection
from django.db.models.expressions import RawSQL

INTEGER, TEXT = "bigint", "text"


def rows_as_table(columns: Mapping[str, str]) -> str:
    """Return a derived table with these columns (name: type), whose rows are one parameter from `rows_as_text`."""
    if connection.vendor == "postgresql":
        fields = (f"(value ->> {index})::{kind} AS {name}" for index, (name, kind) in enumerate(columns.items()))
        return f"(SELECT {', '.join(fields)} FROM json_array_elements(%s::json))"  # noqa: S608  names are ours
    fields = (f"value ->> {index} AS {name}" for index, name in enumerate(columns))
    return f"(SELECT {', '.join(fields)} FROM json_each(%s))"  # noqa: S608  names are ours


def rows_as_text(rows: Iterable[Sequence[int | str | None]]) -> str:
    return msgspec.json.encode(list(rows)).decode()


def numbers_as_text(numbers: Sequence[int]) -> str:
    """Return what `any_of` takes."""
    return msgspec.json.encode(numbers).decode()


def any_of(numbers: str) -> RawSQL:
    """Return what `__in` compares with to find any of hundreds of numbers: as one parameter they take far less time."""
    if connection.vendor == "postgresql":
        return RawSQL("SELECT value::bigint FROM json_array_elements_text(%s::json)", [numbers])
    return RawSQL("SELECT value FROM json_each(%s)", [numbers])


def execute(statement: str, rows: Sequence[Sequence[Any]]) -> None:
    """Execute a statement on rows, unless there are none."""
    if rows:
        with connection.cursor() as cursor:
            cursor.execute(statement, [rows_as_text(rows)])
