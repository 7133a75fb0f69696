"""A smaller run of `make rates`, and what the documents and pages show of a whole one."""

from __future__ import annotations

from math import sqrt
from operator import attrgetter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rule_sets.counting import judge_deals
from games.rule_sets.win_rates import NORMAL_QUANTILE, Count, wilson, win_rate
from games.rules import RULE_SETS, RuleSet
from tests.bench.win_rates import PICTURE, PUBLISHED, counted_again, drawn, rows, standard_errors

FEW = 200
NAMED = [(rules, rate) for rules, rate in PUBLISHED if rules in RULE_SETS.values()]
FAMILY = Path(__file__).parents[3] / "docs" / "family.md"


@pytest.mark.parametrize(("rules", "published"), PUBLISHED, ids=[rules.slug for rules, _ in PUBLISHED])
def test_published_win_rates_are_reproduced(rules: RuleSet, published: float) -> None:
    assert abs(standard_errors(counted_again(rules, FEW), published)) < 3


@pytest.mark.parametrize(("rules", "published"), NAMED, ids=[rules.slug for rules, _ in NAMED])
def test_the_whole_count_agrees_with_published_rates_and_is_a_little_higher_where_there_is_one_pass(
    rules: RuleSet, published: float
) -> None:
    assert -3 < standard_errors(win_rate(rules), published if rules.passes is None else published + 0.35) < 3


@given(st.integers(1, 10_000).flatmap(lambda trials: st.tuples(st.integers(0, trials), st.just(trials))))
def test_at_the_ends_of_wilsons_interval_the_count_is_as_unlikely_as_was_agreed(count: tuple[int, int]) -> None:
    hits, trials = count
    low, high = wilson(hits, trials)
    assert 0 <= low <= hits / trials <= high <= 1
    for end in (low, high):
        if 0 < end < 1:
            deviations = abs(hits / trials - end) / sqrt(end * (1 - end) / trials)
            assert deviations == pytest.approx(NORMAL_QUANTILE, rel=1e-6)


def test_undecided_deals_may_all_be_lost_or_all_be_won() -> None:
    low, high = Count(1000, 400, 100).interval
    assert (low, high) == (100 * wilson(400, 1000)[0], 100 * wilson(500, 1000)[1])


def test_rules_that_only_show_more_have_the_same_verdict_on_each_deal() -> None:
    numbers = range(1, 40)
    verdicts = {
        slug: [(row.deal, row.verdict) for row in judge_deals(slug, None, numbers)]
        for slug in ("standard", "face-up-stock", "dark-pyramid", "open-pyramid")
    }
    assert verdicts["standard"] == verdicts["face-up-stock"]
    assert verdicts["dark-pyramid"] == verdicts["open-pyramid"]
    assert verdicts["standard"] != verdicts["dark-pyramid"]


@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=attrgetter("slug"))
def test_every_rule_set_was_counted_to_a_fifth_of_a_point_and_with_two_decks_to_two_points(rules: RuleSet) -> None:
    low, high = win_rate(rules).interval
    assert 0 < high - low < (0.405 if rules.decks == 1 else 4)


def test_the_documents_have_the_table_and_the_picture_of_what_was_counted() -> None:
    page = FAMILY.read_text(encoding="utf-8")
    assert [row for row in rows() if row not in page] == []
    assert PICTURE.read_text(encoding="ascii") == drawn()
