"""The order of a board: a tuple of fields, packed into one 63-bit integer. The smallest ranks first."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import prod

KEYS = 1 << 63
"""The number of possible keys, from 0 on: the non-negative values of a signed 64-bit column."""


class OutOfRangeError(ValueError):
    """A value that does not fit its field and would corrupt the key."""


@dataclass(frozen=True, slots=True)
class Field:
    """A whole number from 0 to `highest`, both included; the lowest ranks first unless it is descending.

    Histograms count it in units of `unit`.
    """

    name: str
    highest: int
    is_descending: bool = False
    unit: int = 1

    @property
    def size(self) -> int:
        return self.highest + 1

    def digit(self, value: int) -> int:
        """Turn a value into a digit, or back: the smaller digit ranks first. Raises `OutOfRangeError`."""
        if not 0 <= value <= self.highest:
            raise OutOfRangeError(f"{self.name} is {value}, outside of 0 to {self.highest}")
        return self.highest - value if self.is_descending else value


@dataclass(frozen=True)
class Order:
    """Fields, the most significant first. Raises ValueError beyond 63 bits or for a repeated field."""

    terms: tuple[Field, ...]

    def __post_init__(self) -> None:
        if len(set(self.fields)) != len(self.terms):
            raise ValueError("a field is named twice")
        if self._size > KEYS:
            raise ValueError("the fields need more than 63 bits")

    @cached_property
    def fields(self) -> tuple[str, ...]:
        return tuple(field.name for field in self.terms)

    @cached_property
    def _weighed(self) -> tuple[tuple[str, int, int, bool], ...]:
        """The fields, each with the number of keys that share its digit and those before it."""
        sizes = [field.size for field in self.terms]
        weights = (prod(sizes[place:]) for place in range(1, len(sizes) + 1))
        return tuple(
            (field.name, weight, field.highest, field.is_descending)
            for field, weight in zip(self.terms, weights, strict=True)
        )

    @cached_property
    def _size(self) -> int:
        return prod(field.size for field in self.terms)

    def pack(self, values: Mapping[str, int]) -> int:
        """Return the key of these values: it compares as the tuple does. Raises `OutOfRangeError`, KeyError."""
        key = 0
        for field in self.terms:
            key = key * field.size + field.digit(values[field.name])
        return key

    def unpack(self, key: int) -> dict[str, int]:
        """Return the values that a key was packed from. Raises `OutOfRangeError` for an impossible key."""
        if not 0 <= key < self._size:
            raise OutOfRangeError(f"the key is {key}, outside of 0 to {self._size - 1}")
        values = {}
        rest = key
        for name, weight, highest, is_descending in self._weighed:
            digit, rest = divmod(rest, weight)
            values[name] = highest - digit if is_descending else digit
        return values


def ranks(keys: Iterable[int], first: int = 1) -> Iterator[int]:
    """Yield the ranks of keys in order, given that of the first; equal keys share a rank (1, 2, 2, 4)."""
    rank, last = first, None
    for number, key in enumerate(keys, first):
        rank, last = (rank, last) if key == last else (number, key)
        yield rank
