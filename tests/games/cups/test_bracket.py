"""Every entrant has one place in a bracket, and what follows depends on seeds and results alone."""

from __future__ import annotations

from itertools import chain
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from games.cups.bracket import (
    FEWEST_IN_DIVISION,
    IN_MATCH,
    MOST_IN_DIVISION,
    Result,
    divisions,
    first_round,
    going_on,
    is_played,
    next_round,
    ranked,
    standing,
)

ENTRANTS = st.integers(1, 2000)
IN_A_DIVISION = st.integers(1, MOST_IN_DIVISION)


@given(ENTRANTS)
def test_divisions_have_every_seed_once_and_are_large_enough_to_be_worth_it(entrants: int) -> None:
    parts = divisions(entrants)
    assert list(chain(*parts)) == list(range(1, entrants + 1))
    assert all(len(part) <= MOST_IN_DIVISION for part in parts)
    assert len(parts) == 1 or all(len(part) >= FEWEST_IN_DIVISION for part in parts)


@given(IN_A_DIVISION)
def test_the_first_round_has_every_entrant_once_and_the_best_meet_last(entrants: int) -> None:
    seeds = list(range(1, entrants + 1))
    matches = first_round(seeds)
    assert sorted(chain(*matches)) == seeds
    assert all(1 <= len(match) <= IN_MATCH for match in matches)
    sizes = [len(match) for match in sorted(matches)]
    assert sizes == sorted(sizes)  # the best have the fewest opponents
    while len(matches) > 1:
        assert all(sum(seed <= len(matches) for seed in match) == 1 for match in matches)  # as if the best always win
        matches = next_round([sorted(match)[:2] for match in matches])
    assert matches[0] == sorted(matches[0])[:4] or entrants < IN_MATCH or set(matches[0]) == {1, 2, 3, 4}


@given(IN_A_DIVISION, st.integers(), st.sampled_from([0.0, 0.3, 1.0]))
def test_a_division_ends_with_a_place_for_all_however_many_forfeit(entrants: int, luck: int, away: float) -> None:
    chance, rounds = Random(luck), []
    matches = first_round(list(range(1, entrants + 1)))
    while matches:
        results = [
            [Result(seed, None if chance.random() < away else chance.randint(1, 3)) for seed in match]
            if is_played(match, is_final=len(matches) == 1)
            else [Result(seed, place) for place, seed in enumerate(match, 1)]
            for match in matches
        ]
        rounds.append(results)
        matches = next_round([going_on(match) for match in results])
        assert sum(map(len, matches)) <= 2 * len(results)
    order = standing(rounds)
    assert sorted(order) == list(range(1, entrants + 1))
    assert order == standing([[match[::-1] for match in matches] for matches in rounds])
    finalists = {result.seed for result in rounds[-1][0]}
    assert set(order[: len(finalists)]) == finalists


def test_ties_go_to_the_better_seed_and_who_forfeits_does_not_go_on() -> None:
    tied = [Result(9, 1), Result(4, 1), Result(2, 3), Result(1, None)]
    assert [result.seed for result in ranked(tied)] == [4, 9, 2, 1]
    assert going_on(tied) == [4, 9]
    assert going_on([Result(1, None), Result(2, None), Result(3, 1)]) == [3]
