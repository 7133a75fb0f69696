"""The ratings after a race, whatever the strengths before."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.races.strength import NEWCOMER, Family, Strength, after_race, family_of
from games.rules import RULE_SETS

STRENGTHS = st.builds(Strength, st.floats(-500, 3500), st.floats(50, 500), st.integers(0, 99))
RACES = st.lists(st.tuples(STRENGTHS, st.integers(1, 50)), min_size=4, max_size=50)


@given(RACES, st.randoms())
def test_the_order_in_which_racers_are_written_down_does_not_matter(
    race: list[tuple[Strength, int]], random: Random
) -> None:
    order = list(range(len(race)))
    random.shuffle(order)
    one = after_race(*zip(*race, strict=True))
    other = after_race(*zip(*(race[index] for index in order), strict=True))
    for index, after in zip(order, other, strict=True):
        assert after.mean == pytest.approx(one[index].mean, abs=1e-6)
        assert after.deviation == pytest.approx(one[index].deviation, abs=1e-6)


@given(RACES)
def test_the_first_never_falls_and_the_last_never_rises(race: list[tuple[Strength, int]]) -> None:
    before, places = zip(*race, strict=True)
    after = after_race(before, places)
    if len(set(places)) == len(places):
        first, last = places.index(min(places)), places.index(max(places))
        assert after[first].mean >= before[first].mean
        assert after[last].mean <= before[last].mean
    assert all(0 < new.deviation <= old.deviation + 1 for new, old in zip(after, before, strict=True))
    assert [new.races for new in after] == [old.races + 1 for old in before]


@pytest.mark.parametrize("racers", [4, 50])
def test_who_are_alike_and_end_alike_stay_alike(racers: int) -> None:
    drawn = after_race([NEWCOMER] * racers, [1] * racers)
    assert {round(each.mean, 6) for each in drawn} == {NEWCOMER.mean}
    idle = after_race([NEWCOMER] * racers, [1] + [2] * (racers - 1))
    assert idle[0].mean > NEWCOMER.mean
    assert len({round(each.mean, 6) for each in idle[1:]}) == 1


@pytest.mark.parametrize("racers", [4, 50])
def test_players_of_different_strength_are_told_apart_within_the_uncertainty(racers: int) -> None:
    """Whatever the size of the field: of players between 1000 and 2000, thirty races later."""
    random = Random(7)
    strength = [1000 + 1000 * index / (racers - 1) for index in range(racers)]
    known = [NEWCOMER] * racers
    for _ in range(30):
        results = [-random.gauss(each, 250) for each in strength]
        order = sorted(results)
        known = after_race(known, [order.index(result) + 1 for result in results])
    assert known[-1].mean > known[racers // 2].mean > known[0].mean
    within = sum(abs(each.mean - true) <= 2 * each.deviation for each, true in zip(known, strength, strict=True))
    assert within >= 0.9 * racers
    assert max(each.deviation for each in known) < NEWCOMER.deviation / 1.5


def test_a_rating_is_shared_by_rule_sets_of_a_family() -> None:
    assert family_of(RULE_SETS["standard"]) is family_of(RULE_SETS["giza"]) is Family.THIRTEEN
    assert family_of(RULE_SETS["cheops"]) is family_of(RULE_SETS["pyramid-dozen"]) is Family.OTHER_PAIRS
    assert {family_of(rules) for rules in RULE_SETS.values() if rules.decks > 1} == {Family.TWO_DECKS}
