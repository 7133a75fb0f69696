from __future__ import annotations

from math import exp
from random import Random

import pytest

from games.puzzles.library import find_puzzle, puzzle_ids, shelf
from games.puzzles.seeding import HIGHEST, LOWEST, Decision, Losing, chance_of, decisions_of

NEVER, ALWAYS = -100.0, 100.0


def test_a_player_who_sees_nothing_chooses_by_liking() -> None:
    decision = Decision(1, [Losing(NEVER, 1), Losing(NEVER, 2)])
    assert chance_of([decision], 0) == pytest.approx(1 / 4)


def test_a_player_who_sees_every_loss_solves_all() -> None:
    decision = Decision(1, [Losing(ALWAYS, 4), Losing(ALWAYS, 4)])
    assert chance_of([decision, decision], 0) == pytest.approx(1)


def test_the_chances_of_a_series_multiply() -> None:
    decision = Decision(2, [Losing(NEVER, 2)])
    assert chance_of([decision] * 3, 0) == pytest.approx(1 / 8)


def test_the_chance_is_that_of_many_trials() -> None:
    decision = Decision(1, [Losing(0.5, 1), Losing(-0.6, 2), Losing(-1.6, 4)])
    random, solved = Random(1), 0
    for _ in range(20_000):
        unseen = [losing.liked for losing in decision.losing if random.random() > chance_to_see(losing)]
        solved += random.random() < decision.liked / (decision.liked + sum(unseen))
    assert chance_of([decision], 0) == pytest.approx(solved / 20_000, abs=0.01)


def chance_to_see(losing: Losing) -> float:
    return 1 / (1 + exp(-losing.seen))


def test_skill_helps_at_every_puzzle() -> None:
    for puzzle_id in puzzle_ids()[:100]:
        decisions = decisions_of(find_puzzle(puzzle_id).packed)
        assert chance_of(decisions, -1) < chance_of(decisions, 0) < chance_of(decisions, 1)


def test_ratings_of_all_puzzles_spread_within_bounds() -> None:
    ratings = sorted(map(shelf().seed, puzzle_ids()))
    assert LOWEST <= ratings[0] < 1000
    assert 2000 < ratings[-1] <= HIGHEST
