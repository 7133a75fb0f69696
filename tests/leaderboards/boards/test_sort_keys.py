from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leaderboards.boards.catalog import TABLES
from leaderboards.boards.sort_keys import KEYS, Field, Order, OutOfRangeError

fields = st.builds(Field, st.uuids().map(str), highest=st.integers(0, 2**16 - 1), is_descending=st.booleans())
orders = st.lists(fields, max_size=3).map(lambda terms: Order(tuple(terms)))


def values_of(order: Order) -> st.SearchStrategy[dict[str, int]]:
    return st.fixed_dictionaries({field.name: st.integers(0, field.highest) for field in order.terms})


ordered_values = orders.flatmap(lambda order: st.tuples(st.just(order), values_of(order), values_of(order)))


def as_tuple(order: Order, values: dict[str, int]) -> tuple[int, ...]:
    return tuple(-values[field.name] if field.is_descending else values[field.name] for field in order.terms)


@given(ordered_values)
def test_keys_compare_as_the_tuples_of_values_do(drawn: tuple[Order, dict[str, int], dict[str, int]]) -> None:
    order, one, other = drawn
    assert (order.pack(one) < order.pack(other)) == (as_tuple(order, one) < as_tuple(order, other))
    assert (order.pack(one) == order.pack(other)) == (one == other)


@given(ordered_values)
def test_a_key_unpacks_to_the_values_that_it_was_packed_from(
    drawn: tuple[Order, dict[str, int], dict[str, int]],
) -> None:
    order, values, _ = drawn
    assert order.unpack(order.pack(values)) == values


TERMS = [
    pytest.param(order, field, id=f"{table}-{field.name}") for table, order in TABLES.items() for field in order.terms
]


@pytest.mark.parametrize(("order", "field"), TERMS)
def test_every_field_of_every_table_reaches_both_ends_of_its_range(order: Order, field: Field) -> None:
    zeros = dict.fromkeys(order.fields, 0)
    for value in (0, field.highest):
        values = {**zeros, field.name: value}
        assert order.unpack(order.pack(values)) == values
        assert 0 <= order.pack(values) < KEYS


@pytest.mark.parametrize(("order", "field"), TERMS)
def test_a_value_outside_of_its_range_is_refused_and_never_wrapped(order: Order, field: Field) -> None:
    zeros = dict.fromkeys(order.fields, 0)
    for value in (-1, field.highest + 1):
        with pytest.raises(OutOfRangeError, match=f"{field.name} is {value}, outside of 0 to {field.highest}"):
            order.pack({**zeros, field.name: value})


@pytest.mark.parametrize("order", TABLES.values(), ids=TABLES)
def test_the_worst_values_at_once_still_make_a_key_of_63_bits(order: Order) -> None:
    worst = {field.name: field.highest for field in order.terms}
    assert order.pack(worst) < KEYS
    assert order.unpack(order.pack(worst)) == worst


@pytest.mark.parametrize("key", [-1, 12, KEYS])
def test_what_is_no_key_of_an_order_does_not_unpack(key: int) -> None:
    dozen = Order((Field("a", 2), Field("b", 3, is_descending=True)))
    with pytest.raises(OutOfRangeError):
        dozen.unpack(key)


def test_63_bits_are_enough_and_64_are_refused() -> None:
    widest = Order((Field("a", 2**62 - 1), Field("b", 1, is_descending=True)))
    assert widest.pack({"a": 2**62 - 1, "b": 0}) == KEYS - 1
    with pytest.raises(ValueError, match="63 bits"):
        Order((Field("a", 2**62 - 1), Field("b", 2)))


def test_a_field_is_named_once() -> None:
    field = Field("moves", 9)
    with pytest.raises(ValueError, match="twice"):
        Order((field, field))
