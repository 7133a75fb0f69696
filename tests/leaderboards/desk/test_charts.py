from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leaderboards.desk.charts import FEWEST_IN_COHORT, Scale, band, cohort, dots, line, percent, stairs, ticks

NUMBERS = st.floats(min_value=-1e9, max_value=1e9)


@given(NUMBERS, NUMBERS, NUMBERS, st.booleans())
def test_a_value_never_leaves_its_chart(low: float, high: float, value: float, is_log: bool) -> None:
    assert 0 <= Scale(low, high, 100, is_log).y(value) <= 100


def test_a_higher_value_lies_higher_and_decades_lie_evenly() -> None:
    scale = Scale(1, 10_000, 100, is_log=True)
    assert [scale.y(value) for value in (1, 10, 100, 1_000, 10_000)] == [100, 75, 50, 25, 0]


def test_a_line_is_broken_where_there_is_no_value() -> None:
    scale = Scale(0, 10, 100)
    assert line([0, 10, None, 5], scale) == "M5 100.0L15 0.0M35 50.0"
    assert line([], scale) == line([None], scale) == ""


def test_stairs_go_on_level_until_the_value_changes() -> None:
    assert stairs([0, 10], Scale(0, 10, 100)) == "M0 100.0H10V0.0H20"
    assert stairs([], Scale(0, 1, 1)) == ""


def test_a_band_runs_along_one_edge_and_back_along_the_other() -> None:
    assert band([0, None, 0], [10, 10, 5], Scale(0, 10, 100)) == "M5 100.0L25 100.0L25 50.0L5 0.0z"
    assert band([None], [1], Scale(0, 1, 1)) == ""


def test_dots_are_strokes_without_length() -> None:
    assert dots([(0, 0), (2, 10)], Scale(0, 10, 100)) == "M5 100.0h0M25 0.0h0"


def test_a_cohort_of_fewer_than_thirty_has_no_band() -> None:
    few = cohort([[100.0, 200.0]] * (FEWEST_IN_COHORT - 1), 2)
    assert few.low == few.middle == few.high == (None, None)
    games = [[100.0 * place, 1.0][: 1 + place % 2] for place in range(1, 2 * FEWEST_IN_COHORT)]
    many = cohort(games, 3)
    assert many.middle == (3000.0, 1.0, None) if many.middle[1] else (3000.0, None, None)
    assert many.low[0] is not None
    assert many.high[0] is not None
    assert many.low[0] < 3000 < many.high[0]


@pytest.mark.parametrize("steps", [0, 1, 2, 9, 50, 200])
def test_ticks_begin_with_the_first_action_end_with_the_last_and_never_crowd(steps: int) -> None:
    named = ticks(steps)
    assert named == sorted(set(named))
    assert len(named) <= 12
    if steps:
        assert (named[0], named[-1]) == (1, steps)
        assert re.fullmatch(r"\d+\.\d\d%", percent(steps - 1, steps))
