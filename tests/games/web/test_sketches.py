from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules import RULE_SETS, Peak
from games.web.sketches import ACROSS, CARD_HEIGHT, CARD_WIDTH, DOWN, sketch

peaks = st.builds(Peak, rows=st.integers(1, 9), inverted=st.booleans())


def corners(drawn: tuple[Peak, ...]) -> list[tuple[int, int]]:
    return [(int(x), int(y)) for path in sketch(drawn).paths for x, y in re.findall(r"M(\d+) (\d+)", path)]


@pytest.mark.parametrize("slug", RULE_SETS)
def test_every_tableau_card_is_drawn_inside_the_frame(slug: str) -> None:
    tableau = RULE_SETS[slug].tableau
    frame = sketch(tableau)
    assert len(corners(tableau)) == RULE_SETS[slug].tableau_size
    assert max(x for x, _ in corners(tableau)) + CARD_WIDTH == frame.width
    assert max(y for _, y in corners(tableau)) + CARD_HEIGHT == frame.height


@given(peaks)
def test_a_card_is_drawn_over_those_that_it_covers(peak: Peak) -> None:
    places = corners((peak,))
    for (x, y), covers in zip(places, peak.covers(), strict=True):
        assert {places[cover] for cover in covers} == {
            (other, below) for other, below in places if below == y + DOWN and abs(other - x) < ACROSS
        }
