"""Arrays that kernels borrow instead of counting references to them."""

import sys
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from games.solver.borrowing import borrowed
from games.solver.compiling import kernel


class Pair(NamedTuple):
    numbers: NDArray[np.int64]
    factor: int


@kernel
def weighted_sum(pair: Pair) -> int:
    lent: Pair = borrowed(pair)
    return int(lent.numbers.sum()) * lent.factor


@kernel
def doubled(numbers: NDArray[np.int64]) -> None:
    lent = borrowed(numbers)
    for i in range(lent.size):
        lent[i] *= 2


def test_a_borrowed_array_is_the_array_it_was_borrowed_from() -> None:
    numbers = np.arange(4)
    doubled(numbers)
    assert numbers.tolist() == [0, 2, 4, 6]


def test_a_tuple_lends_its_arrays_and_keeps_its_other_fields() -> None:
    assert weighted_sum(Pair(np.arange(4), 7)) == 42


def test_borrowing_leaves_the_owner_as_it_was() -> None:
    numbers = np.arange(4)
    before = sys.getrefcount(numbers)
    for _ in range(100):
        weighted_sum(Pair(numbers, 1))
    assert sys.getrefcount(numbers) == before
