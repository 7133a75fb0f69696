"""The measurements of score tables, small: they ask what players ask, so they have to be answered."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tests.bench import boards_seed
from tests.bench.table import Row

pytestmark = [pytest.mark.servers, pytest.mark.django_db(transaction=True)]

SIZES = 60, 80


def once(what: str, action: Callable[[], object], samples: int = 1) -> Iterator[Row]:
    action()
    yield Row(what, 0.0, "ms")


def test_boards_of_the_measurements_are_read_and_written() -> None:
    boards = boards_seed.seed(*SIZES)
    for size, board in boards.items():
        boards_seed.seconds_to_rebuild(board)
        assert len(list(boards_seed.reading(board, size, once))) == 11
    assert list(boards_seed.writing(boards[SIZES[1]], once))
