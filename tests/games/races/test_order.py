"""The order of a race: a ranking of its results, in whatever order the racers joined."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from games.races.models import Race
from games.races.order import ABSENT, Result, places

small = st.integers(0, 3)
results = st.lists(st.builds(Result, st.sampled_from(["won", "resigned", "expired", ABSENT]), small, small, small))
tie_breaks = st.sampled_from(Race.TieBreak.values)


def beats(one: Result, other: Result, tie_break: str) -> bool:
    """Return True if a result is better than another, said in words of the document."""
    if ABSENT in {one.outcome, other.outcome} and one.outcome != other.outcome:
        return other.outcome == ABSENT
    if one.cards_left != other.cards_left:
        return one.cards_left < other.cards_left
    names = ["elapsed_ms", "moves"] if tie_break == "time" else ["moves", "elapsed_ms"]
    for name in names:
        if getattr(one, name) != getattr(other, name):
            return bool(getattr(one, name) < getattr(other, name))
    return False


@given(results, tie_breaks)
def test_the_place_is_one_more_than_the_number_of_better_results(found: list[Result], tie_break: str) -> None:
    better = [1 + sum(beats(other, one, tie_break) for other in found) for one in found]
    assert places(found, tie_break) == better


def test_time_comes_before_moves_or_after_them_as_the_room_says() -> None:
    quick, short = Result("won", 0, moves=50, elapsed_ms=1000), Result("won", 0, moves=40, elapsed_ms=2000)
    assert places([quick, short], "time") == [1, 2]
    assert places([quick, short], "moves") == [2, 1]
