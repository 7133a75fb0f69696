from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules import RULE_SETS
from leaderboards.boards.catalog import DAYS_THAT_COUNT, TABLES, Period
from leaderboards.boards.points import Day, day_of, total

STANDARD = RULE_SETS["standard"]
moves, times = st.integers(0, 2**24 - 1), st.integers(0, 2**32 - 1)


@given(won=st.tuples(moves, times), lost=st.tuples(st.integers(1, 104), moves, times))
def test_a_win_always_beats_a_loss(won: tuple[int, int], lost: tuple[int, int, int]) -> None:
    for rule_set in RULE_SETS.values():
        assert day_of(rule_set, 0, *won).points > day_of(rule_set, *lost).points


@given(st.lists(st.tuples(moves, times), min_size=31, max_size=31))
def test_every_month_fits_the_range_of_its_board(games: list[tuple[int, int]]) -> None:
    days = [day_of(STANDARD, 0, *game) for game in games]
    values = total(days, DAYS_THAT_COUNT[Period.MONTHLY])
    order = TABLES["points"]
    assert order.unpack(order.pack(values)) == values


@pytest.mark.parametrize(
    ("cards_left", "moves", "elapsed_ms", "points"),
    [
        (0, 0, 0, 1500),
        (0, 40, 90_000, 1000 + 260 + 170),
        (0, 300, 600_000, 1000),
        (0, 100_000, 10**9, 1000),
        (1, 50, 60_000, 385),
        (14, 50, 60_000, 200),
        (28, 0, 0, 0),
    ],
)
def test_the_examples_of_the_docs(cards_left: int, moves: int, elapsed_ms: int, points: int) -> None:
    assert day_of(STANDARD, cards_left, moves, elapsed_ms).points == points


def test_one_missed_day_does_not_end_the_week() -> None:
    day = Day(1400, 1, 40)
    assert total([day] * 6, 6) == total([day] * 7, 6)


def test_of_equal_days_those_with_fewer_moves_count() -> None:
    assert total([Day(1000, 1, 900), Day(1000, 1, 400)], 1) == {"points": 1000, "wins": 1, "moves": 400}
