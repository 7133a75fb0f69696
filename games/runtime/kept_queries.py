"""Queries that are asked often: their SQL is made once, which takes the ORM longer than to ask for the rows."""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar

from django.core.exceptions import EmptyResultSet
from django.db import DEFAULT_DB_ALIAS, connection
from django.db.models import Model, QuerySet
from django.db.models.query import get_related_populators

Given = int | str | None | Sequence[int] | Sequence[str]
Row = tuple[Any, ...]
M = TypeVar("M", bound=Model)

MOST_KEPT, LONGEST_KEPT = 500, 100  # queries, and values in one: of long lists each has another length, and is large
FIRST_STAND_IN = 1 << 62  # no number that is asked for is as large


class _Kept(NamedTuple):
    """A query with its SQL, and its parameters, each with its place among what is given, if it stands in for that."""

    query: Any
    sql: str
    parameters: list[tuple[Any, int | None]]
    columns: list[Any]
    is_converted: bool  # from what the database returns, which depends on the database
    names: Sequence[str] = ()  # of the first columns, those of the model
    related: Sequence[Any] = ()  # what makes related objects of the other columns


def rows_of(ask: Callable[..., QuerySet[Any, Any]], /, *given: Given, **shape: Hashable) -> list[Row]:
    """Return the rows of `ask(*given, **shape)`, a query for values.

    `ask` is called once for each shape, with other numbers and texts instead of those that are given. It has to pass
    these on as they are, and what else decides about the query is in the shape.
    """
    return _rows(_query(ask, given, shape), given)


def instances_of(ask: Callable[..., QuerySet[M]], /, *given: Given) -> list[M]:
    """Return what `ask(*given)` finds, as `rows_of` does, with the related objects that it selects."""
    kept = _query(ask, given, {})
    found: list[M] = []
    for row in _rows(kept, given):
        instance = kept.query.model.from_db(DEFAULT_DB_ALIAS, kept.names, row[: len(kept.names)])
        for related in kept.related:
            related.populate(row, instance)
        found.append(instance)
    return found


def _rows(kept: _Kept, given: Sequence[Given]) -> list[Row]:
    if not kept.sql:
        return []
    with connection.cursor() as cursor:
        cursor.execute(kept.sql, _parameters(kept, given))
        rows: list[Row] = cursor.fetchall()
    if not kept.is_converted:
        return rows
    compiler = kept.query.get_compiler(DEFAULT_DB_ALIAS)
    return list(map(tuple, compiler.apply_converters(rows, compiler.get_converters(kept.columns))))


def sql_of(ask: Callable[..., QuerySet[Any, Any]], /, *given: Given, **shape: Hashable) -> tuple[str, list[Any]]:
    """Return the SQL of `ask(*given, **shape)` and its parameters, to be part of other SQL."""
    kept = _query(ask, given, shape)
    return kept.sql, _parameters(kept, given)


def _query(ask: Callable[..., QuerySet[Any, Any]], given: Sequence[Given], shape: Mapping[str, Hashable]) -> _Kept:
    """Return the query of this shape, which is made again for long lists: a rush would fill the memory with them."""
    is_short = sum(1 for _ in _values(given)) <= LONGEST_KEPT
    make = _kept if is_short else _kept.__wrapped__
    return make(ask, tuple(map(_likeness, given)), tuple(shape.items()))


def _parameters(kept: _Kept, given: Sequence[Given]) -> list[Any]:
    values = list(_values(given))
    return [known if place is None else type(known)(values[place]) for known, place in kept.parameters]


def _likeness(given: Given) -> type | tuple[type, ...]:
    """Return all of something given that the SQL depends on: types, and the number of a sequence."""
    return type(given) if isinstance(given, int | str | None) else tuple(map(type, given))


def _values(given: Sequence[Given]) -> Iterator[int | str]:
    for each in given:
        if isinstance(each, int | str):
            yield each
        else:
            yield from each or ()


@lru_cache(MOST_KEPT)
def _kept(
    ask: Callable[..., QuerySet[Any, Any]],
    likenesses: Sequence[type | tuple[type, ...]],
    shape: Sequence[tuple[str, Hashable]],
) -> _Kept:
    """Return a query with the SQL of its shape; without any if it cannot find a row."""
    places: dict[int | str, int] = {}

    def stand_in(kind: type) -> Any:
        if kind is type(None):
            return None
        value = kind(FIRST_STAND_IN + len(places))
        places[value] = len(places)
        return value

    given = [stand_in(each) if isinstance(each, type) else [stand_in(kind) for kind in each] for each in likenesses]
    query = ask(*given, **dict(shape)).query
    compiler = query.get_compiler(DEFAULT_DB_ALIAS)
    try:
        sql, parameters = compiler.as_sql()
    except EmptyResultSet:
        return _Kept(query, "", [], [], is_converted=False)
    found = [(parameter, places.get(parameter)) for parameter in parameters]
    if {*places.values()} - {place for _, place in found}:
        raise ValueError(f"{ask} does not pass on what is given as it is")
    columns = [column for column, *_ in compiler.select]
    names, related, info = [], [], compiler.klass_info
    if info is not None:  # the types are those of a newer Django
        names = [columns[place].target.attname for place in info["select_fields"]]
        related = get_related_populators(info, compiler.select, DEFAULT_DB_ALIAS)  # type: ignore[call-arg]
    is_converted = bool(compiler.get_converters(columns))
    return _Kept(query, sql, found, columns, is_converted=is_converted, names=names, related=related)
