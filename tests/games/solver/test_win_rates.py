"""A smaller run of `make rates`."""

from __future__ import annotations

import pytest

from games.rules import RuleSet
from tests.bench.win_rates import PUBLISHED, standard_errors, win_rate

FEW = 200


@pytest.mark.parametrize(("rules", "published"), PUBLISHED, ids=[rules.slug for rules, _ in PUBLISHED])
def test_published_win_rates_are_reproduced(rules: RuleSet, published: float) -> None:
    assert abs(standard_errors(win_rate(rules, FEW), published, FEW)) < 3
