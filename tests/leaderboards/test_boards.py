from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules import RULE_SETS
from leaderboards.boards import TABLES, BoardKey, Entrants

keys = st.builds(
    BoardKey,
    day=st.dates(),
    rules=st.sampled_from([rule_set.slug for rule_set in RULE_SETS.values()]),
    division=st.sampled_from(["open", "main"]),
    entrants=st.sampled_from(Entrants),
    table=st.sampled_from(list(TABLES)),
)


@given(keys)
def test_a_name_reads_back_as_its_key(key: BoardKey) -> None:
    assert BoardKey.parse(str(key)) == key


def test_a_name_says_what_a_board_is_for() -> None:
    assert BoardKey.parse("daily.2026-11-20.tuts-tomb.open-bots.fastest") == BoardKey(
        date(2026, 11, 20), "tuts-tomb", "open", Entrants.BOTS, "fastest"
    )


@pytest.mark.parametrize(
    "text",
    [
        "",
        "daily",
        "daily.2026-11-20.standard.open",
        "daily.2026-11-20.standard.open.fewest-moves.more",
        "daily.2026-11-20.standard.open.fewest-moves\n",
        "Daily.2026-11-20.standard.open.fewest-moves",
        "daily.2026-02-30.standard.open.fewest-moves",
        "daily.2026-W47-5.standard.open.fewest-moves",
        "daily.20261120.standard.open.fewest-moves",
        "daily.0000-01-01.standard.open.fewest-moves",
        "daily.2026-11-20.msc.open.fewest-moves",
        "daily.2026-11-20.poker.open.fewest-moves",
        "daily.2026-11-20.standard.open-cats.fewest-moves",
        "daily.2026-11-20.standard.-bots.fewest-moves",
        "daily.2026-11-20.standard.open.slowest",
        "daily.२०२६-11-20.standard.open.fewest-moves",
        "daily.2026-11-20.standard.open\0.fewest-moves",
    ],
)
def test_what_is_no_name_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        BoardKey.parse(text)
