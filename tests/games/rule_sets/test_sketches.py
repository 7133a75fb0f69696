from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rule_sets.sketches import ACROSS, CARD_HEIGHT, CARD_WIDTH, DOWN, sketch
from games.rules import RULE_SETS, Peak, RuleSet

peaks = st.builds(Peak, rows=st.integers(1, 9), inverted=st.booleans())


@pytest.mark.parametrize("slug", RULE_SETS)
def test_every_card_of_tableau_and_reserve_is_drawn_inside_the_frame(slug: str) -> None:
    rules, frame = RULE_SETS[slug], sketch(RULE_SETS[slug])
    lying = rules.tableau_size + rules.reserve_size
    assert lying <= len(frame.drawn) <= lying + 1 + rules.stock_open + rules.stock_seen + rules.draw + rules.cells
    assert all(0 <= x <= frame.width - CARD_WIDTH for _, x, _ in frame.drawn)
    assert max(y for _, _, y in frame.drawn) + CARD_HEIGHT == frame.height


def test_what_sets_a_table_apart_at_first_sight_is_in_its_picture() -> None:
    """Rule sets that differ in the number of passes, the goal or the ranks alone look the same on a table, too."""
    apart = ("standard", "classic", "three-piles", "king-tut", "giza", "seven-reserve", "cell", "pyramid-thirteen")
    assert len({tuple(sketch(RULE_SETS[slug]).paths) for slug in apart}) == len(apart)


@given(peaks)
def test_a_card_is_drawn_over_those_that_it_covers(peak: Peak) -> None:
    places = [(x, y) for _, x, y in sketch(RuleSet(tableau=(peak,), decks=2)).drawn[: peak.size]]
    for (x, y), covers in zip(places, peak.covers(), strict=True):
        assert {places[cover] for cover in covers} == {
            (other, below) for other, below in places if below == y + DOWN and abs(other - x) < ACROSS
        }
