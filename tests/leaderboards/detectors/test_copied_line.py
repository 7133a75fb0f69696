from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from math import log

import pytest

from games.rules import DRAW, UNDO, Kind
from leaderboards.detectors import copied_line
from leaderboards.detectors.copied_line import Cohort, Copies, Line, line_of
from tests.integrity.styles import Choices
from tests.leaderboards.detectors.games import QUICK, choices, game

DAY = 86_400_000
DEALS = (*range(7), 16, 24)


def line(own: Choices, seed: int = QUICK[0], *, account: str, start: int = 0) -> Line:
    return line_of(game(own, seed, name=f"{account} {seed}", account=account, start=start))


@lru_cache(maxsize=32)
def crowd(seed: int) -> tuple[Line, ...]:
    """Return the lines of thirty careless people, who play before anybody else."""
    return tuple(line(choices("careless", seed, dice), seed, account=f"p{dice}") for dice in range(30))


def copies_of(style: str, *, start: int = DAY) -> Copies:
    """Return the matches of mallory, who plays in a style what alice plays in that style, on some days."""
    copies = Copies()
    for seed in DEALS:
        original = line(choices(style, seed), seed, account="alice")
        copied = line(choices(style, seed), seed, account="mallory", start=start)
        match = Cohort([*crowd(seed), original, copied]).best_match(copied)
        copies = copies.after(f"mallory {seed}", match) if match else copies
    return copies


def test_who_follows_an_earlier_line_on_several_days_is_found() -> None:
    found = copied_line.finding(copies_of("thinker"))
    assert found
    assert found.strength == "case"
    assert f"mallory {DEALS[-1]} follows alice {DEALS[-1]}" in found.explanation
    assert found.innocent


def test_nobody_copies_a_line_that_was_not_finished_yet() -> None:
    assert copied_line.finding(copies_of("thinker", start=0)) is None


@pytest.mark.parametrize("style", ["casual", "thinker", "champion"])
def test_people_who_play_for_themselves_copy_nobody(style: str) -> None:
    copies = Copies()
    for seed in QUICK:
        alike = line(choices(style, seed, 0), seed, account="alice")
        own = line(choices(style, seed, 5), seed, account="bob", start=DAY)
        match = Cohort([*crowd(seed), alike, own]).best_match(own)
        assert match
        copies = copies.after(f"bob {seed}", match)
    assert copied_line.finding(copies) is None


def test_a_choice_that_everybody_makes_says_nothing() -> None:
    alike = [line(choices("perfect"), account=f"p{number}") for number in range(40)]
    own = replace(alike[0], account="mallory", started_ms=DAY)
    match = Cohort([*alike, own]).best_match(own)
    assert match
    assert match.same > 5
    assert match.score < 0


def test_two_champions_who_agree_where_nobody_else_has_been_copy_nobody() -> None:
    own = line(choices("champion", 16), 16, account="bob", start=DAY)
    beginners = [replace(other, chosen={}) for other in crowd(16)]
    alike = replace(own, account="alice", started_ms=0, ended_ms=1)
    match = Cohort([*beginners, alike, own]).best_match(own)
    assert match
    assert match.score == pytest.approx(-log(31))


def test_few_lines_are_not_compared() -> None:
    own = line(choices("casual"), account="mallory", start=DAY)
    assert Cohort([*crowd(QUICK[0])[:28], own]).best_match(own) is None
    assert Cohort([*crowd(QUICK[0])[:29], own]).best_match(own) is not None


def test_who_drew_through_first_is_not_compared_with_the_others() -> None:
    own = line(choices("draws first"), account="mallory", start=DAY)
    assert own.drew_first
    assert Cohort([*crowd(QUICK[0]), own]).best_match(own) is None


def test_undone_moves_and_the_order_inside_a_stage_leave_the_line_as_it_is() -> None:
    own = choices("casual")
    nervous = [more for action in own.actions for more in ((DRAW, UNDO, DRAW) if action is DRAW else (action,))]
    assert line(Choices(tuple(nervous), own.result), account="a").chosen == line(own, account="a").chosen


def test_a_line_begins_with_the_first_removal() -> None:
    own = choices("draws first")
    first = next(number for number, action in enumerate(own.actions) if action.kind is Kind.REMOVE)
    assert first >= 24
    assert len(line(own, account="a").chosen) <= len(own.actions) - first + 1


@pytest.mark.parametrize("games", [1, 4])
def test_less_than_five_games_are_no_case(games: int) -> None:
    match = copied_line.Match("o", 9.0, 20, 0, 40)
    copies = Copies()
    for number in range(games):
        copies = copies.after(f"g{number}", match)
    assert copied_line.finding(copies) is None
    for number in range(games, 5):
        copies = copies.after(f"g{number}", match)
    assert copied_line.finding(copies)
