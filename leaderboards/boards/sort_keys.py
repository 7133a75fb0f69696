"""The order of a board: a tuple of fields with directions, packed into one 63-bit integer. The smallest ranks first."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from math import prod

KEYS = 1 << 63
"""The number of possible keys, from 0 on: the non-negative values of a signed 64-bit column."""


class OutOfRangeError(ValueError):
    """A value that does not fit its field and would corrupt the key."""


class Direction(Enum):
    """The end of a field's range that ranks first."""

    ASCENDING = "ascending"
    DESCENDING = "descending"


@dataclass(frozen=True, slots=True)
class Field:
    """A whole number from 0 to `highest`, both included."""

    name: str
    highest: int

    @property
    def size(self) -> int:
        return self.highest + 1

    def require(self, value: int) -> int:
        """Return the value. Raises `OutOfRangeError`."""
        if not 0 <= value <= self.highest:
            raise OutOfRangeError(f"{self.name} is {value}, outside of 0 to {self.highest}")
        return value

    def digit(self, value: int, direction: Direction) -> int:
        """Turn a value into a digit, or a digit into its value, so that the smaller digit ranks first."""
        return self.require(value) if direction is Direction.ASCENDING else self.highest - self.require(value)


@dataclass(frozen=True)
class Order:
    """Fields with directions, the most significant first. Raises ValueError beyond 63 bits or for a repeated field."""

    terms: tuple[tuple[Field, Direction], ...]

    def __post_init__(self) -> None:
        if len(set(self.fields)) != len(self.terms):
            raise ValueError("a field is named twice")
        if prod(field.size for field, _ in self.terms) > KEYS:
            raise ValueError("the fields need more than 63 bits")

    @cached_property
    def fields(self) -> tuple[str, ...]:
        return tuple(field.name for field, _ in self.terms)

    def pack(self, values: Mapping[str, int]) -> int:
        """Return the key of these values: it compares as the tuple does. Raises `OutOfRangeError`, KeyError."""
        key = 0
        for field, direction in self.terms:
            key = key * field.size + field.digit(values[field.name], direction)
        return key

    def unpack(self, key: int) -> dict[str, int]:
        """Return the values that a key was packed from. Raises `OutOfRangeError` for an impossible key."""
        values = {}
        rest = key
        for field, direction in reversed(self.terms):
            rest, digit = divmod(rest, field.size)
            values[field.name] = field.digit(digit, direction)
        if rest:
            raise OutOfRangeError(f"{key} is not a key of {self.fields}")
        return {name: values[name] for name in self.fields}
