"""The pace of a game: what a hand can do is never hasty, what only a program can do always is."""

from __future__ import annotations

import pytest

from games.rules.pace import Paced, hasty_actions

DRUM, EXACT_LINE = [False] * 24, [True, False] * 26


def paced(removals: list[bool], gap_ms: int, since: int = 0) -> list[Paced]:
    return [Paced(is_removal, since + gap_ms * number) for number, is_removal in enumerate(removals)]


def test_a_look_at_the_stock_and_then_the_exact_line_in_eight_seconds_is_hasty_from_end_to_end() -> None:
    look = paced(DRUM + DRUM, 75)
    line = paced(EXACT_LINE, 85, since=look[-1].at_ms + 85)
    actions = [*look, *line]
    assert actions[-1].at_ms < 8_100
    assert hasty_actions(actions, is_won=True) == 100


@pytest.mark.parametrize(
    ("silence_ms", "kept", "gap_ms", "hasty"),
    [
        (11_000, 8, 0, 0),
        (960, 8, 100, 0),  # one at a time, each after the answer to the one before
        (11_000, 9, 0, 1),  # the pages keep eight
        (699, 8, 0, 7),  # the pause of a hand
    ],
)
def test_what_a_silent_line_delivers_together_was_made_during_the_silence(
    silence_ms: int, kept: int, gap_ms: int, hasty: int
) -> None:
    before = paced([True] * 3, 1_000)
    after = paced([True, False] * 4 + [True], gap_ms, since=before[-1].at_ms + silence_ms)[:kept]
    calm = paced([True] * 3, 1_000, since=after[-1].at_ms + 1_000)
    assert hasty_actions([*before, *after, *calm], is_won=False) == hasty


def test_pauses_for_show_do_not_hide_a_program() -> None:
    thinking = [paced([True] * 8, 0, since=700 * number)[place] for number in range(1, 5) for place in range(8)]
    assert hasty_actions(thinking, is_won=False) > 20


@pytest.mark.parametrize(
    ("removals", "gap_ms", "is_won", "hasty"),
    [
        (DRUM * 3, 75, False, 0),  # drumming on the stock is human
        (EXACT_LINE, 85, False, 52),
        (EXACT_LINE, 94, False, 50),  # nine actions, five of them removals, in 846 ms
        (EXACT_LINE, 95, False, 0),
        ([True] * 10, 129, False, 10),
        ([True] * 10, 130, False, 0),
        ([*DRUM, True, *DRUM[:2], True, *DRUM[:2], True], 100, False, 0),  # drummed draws between quick removals
        (EXACT_LINE, 235, True, 52),  # a win of 52 actions in 11,985 ms
        (EXACT_LINE, 236, True, 0),
        (EXACT_LINE[:40], 246, True, 40),  # a win of 40 actions in 9,594 ms
        (EXACT_LINE[:40], 247, True, 0),
        (EXACT_LINE[:39], 140, True, 0),
        ([True] * 8, 59, False, 7),
        ([True] * 8, 60, False, 0),
        ([], 0, True, 0),
    ],
)
def test_an_action_is_hasty_after_too_short_a_gap_in_a_burst_of_removals_and_in_a_win_by_sprint(
    removals: list[bool], gap_ms: int, is_won: bool, hasty: int
) -> None:
    assert hasty_actions(paced(removals, gap_ms), is_won=is_won) == hasty
