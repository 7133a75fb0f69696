"""Every entrant sits in one match a round, with new rivals where this can be, and results alone decide who."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, combinations
from random import Random

from hypothesis import example, given, settings
from hypothesis import strategies as st

from games.cups.bracket import Result, Rounds
from games.cups.swiss import draw, points, standing

LUCK = st.integers()


def play(entrants: int, count: int, luck: int, away: float = 0.0) -> list[list[list[Result]]]:
    """Play so many rounds, with places by chance."""
    chance, rounds = Random(luck), list[list[list[Result]]]()
    for _ in range(count):
        results = []
        for match in draw(range(1, entrants + 1), rounds):
            places = chance.sample(range(1, len(match) + 1), len(match))
            results.append(
                [
                    Result(seed, None if chance.random() < away else place)
                    for seed, place in zip(match, places, strict=True)
                ]
            )
        if not results:
            break
        rounds.append(results)
    return rounds


def met(rounds: Rounds) -> list[frozenset[int]]:
    return [frozenset(pair) for match in chain(*rounds) for pair in combinations([result.seed for result in match], 2)]


@given(st.integers(1, 64), st.integers(1, 4), LUCK, st.sampled_from([0.0, 0.1, 1.0]))
def test_each_who_goes_on_sits_once_a_round_in_matches_of_four_or_nearly(
    entrants: int, count: int, luck: int, away: float
) -> None:
    rounds = play(entrants, count, luck, away)
    going_on = set(range(1, entrants + 1))
    for matches in rounds:
        assert sorted(result.seed for match in matches for result in match) == sorted(going_on)
        sizes = [len(match) for match in matches]
        assert len(matches) == -(-len(going_on) // 4)
        assert max(sizes) - min(sizes) <= 1
        going_on = {result.seed for match in matches for result in match if result.place}
    order = standing(rounds)
    assert sorted(order) == list(range(1, entrants + 1))
    scored = points(rounds)
    assert [scored[seed] for seed in order] == sorted(scored.values(), reverse=True)
    shuffled = [[match[::-1] for match in matches[::-1]] for matches in rounds]
    assert standing(shuffled) == order
    assert draw(range(1, entrants + 1), shuffled) == draw(range(1, entrants + 1), rounds)


def partitions(seeds: Sequence[int], sizes: Sequence[int]) -> Iterator[list[tuple[int, ...]]]:
    """Yield all ways to seat a few entrants."""
    if not sizes:
        yield []
        return
    for size in set(sizes):
        for others in combinations(seeds[1:], size - 1):
            left = [seed for seed in seeds[1:] if seed not in others]
            rest = list(sizes)
            rest.remove(size)
            yield from ([(seeds[0], *others), *more] for more in partitions(left, rest))


@example(5, 3, 3)  # which swapping two at a time would not find
@given(st.integers(2, 10), st.integers(1, 4), LUCK)
def test_in_a_small_field_nobody_meets_the_same_rivals_oftener_than_has_to_be(
    entrants: int, count: int, luck: int
) -> None:
    rounds = play(entrants, count, luck)
    before = met(rounds)

    def repeated(matches: Sequence[Sequence[int]]) -> int:
        return sum(before.count(frozenset(pair)) for match in matches for pair in combinations(match, 2))

    drawn = draw(range(1, entrants + 1), rounds)
    everyone = list(range(1, entrants + 1))
    fewest = min(repeated(matches) for matches in partitions(everyone, [len(match) for match in drawn]))
    assert repeated(drawn) == fewest


@settings(max_examples=8, deadline=None)
@given(st.integers(48, 64), LUCK)
def test_in_a_large_field_nobody_meets_the_same_rival_twice_in_four_rounds(entrants: int, luck: int) -> None:
    pairs = met(play(entrants, 4, luck))
    assert len(set(pairs)) == len(pairs)


def test_the_best_are_spread_in_the_first_round_and_then_meet_those_with_as_many_points() -> None:
    assert draw(range(1, 9), []) == [[1, 4, 5, 8], [2, 3, 6, 7]]
    first = [
        [Result(seed, place) for place, seed in enumerate(match, 1)]
        for match in ([1, 8, 9, 16], [2, 7, 10, 15], [3, 6, 11, 14], [4, 5, 12, 13])
    ]
    assert draw(range(1, 17), [first]) == [[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12], [13, 14, 15, 16]]


def test_ties_are_broken_by_the_points_of_rivals_then_matches_won_then_the_seed() -> None:
    rounds = [
        [[Result(1, 1), Result(2, 2), Result(3, 3)], [Result(4, 1), Result(5, 2), Result(6, None)]],
        [[Result(1, 2), Result(4, 1), Result(2, 3)], [Result(5, 1), Result(3, 2)]],
    ]
    assert points(rounds) == {1: 5, 2: 3, 3: 3, 4: 6, 5: 5, 6: 0}
    assert standing(rounds) == [4, 1, 5, 2, 3, 6]  # 1 met 4, and 2 met 1 and 4
