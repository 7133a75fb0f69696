"""The number of lines of play that start at a position: any engine must agree with the files in tests/data/perft."""

from __future__ import annotations

import pytest

from games.rules import RULE_SETS, Position
from tests.games.rules.naive import Naive
from tests.games.rules.perft import CASES, Case


def lines_of_play(position: Position, length: int) -> int:
    if length == 1:
        return len(position.legal_moves)
    return sum(lines_of_play(position.after(move), length - 1) for move in position.legal_moves)


def naive_lines_of_play(game: Naive, length: int) -> int:
    moves = game.legal_moves()
    return len(moves) if length == 1 else sum(naive_lines_of_play(game.after(move), length - 1) for move in moves)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_lines_of_play_are_counted_alike(case: Case) -> None:
    counts = {length: lines_of_play(case.position, length) for length in case.counts}
    assert counts == case.counts


@pytest.mark.parametrize("case", [case for case in CASES if "line" in case.fields], ids=lambda case: case.name)
def test_the_naive_rules_count_alike_too(case: Case) -> None:
    short = {length: count for length, count in case.counts.items() if count <= 100}
    assert {length: naive_lines_of_play(case.naive, length) for length in short} == short


@pytest.mark.parametrize(
    "case", [case for case in CASES if {"line", "pos"} <= set(case.fields)], ids=lambda case: case.name
)
def test_the_line_leads_to_the_position(case: Case) -> None:
    assert case.played.text == case.fields["pos"]
    assert case.position == case.played


def test_every_rule_set_is_counted_from_the_deal_and_in_the_middle_of_games() -> None:
    for is_drawn in (False, True):
        assert {case.fields["rules"] for case in CASES if ("pos" in case.fields) is is_drawn} == set(RULE_SETS)
