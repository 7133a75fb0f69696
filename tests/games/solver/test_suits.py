"""No answer of the solver depends on suits."""

from random import Random

import pytest

from games.rules import RULE_SETS, Suits
from games.rules.cards import RANKS, SUITS
from games.solver import solve
from games.solver.verdict import has_exact_verdict, verdict
from tests.games.rules.test_suits import in_suits
from tests.games.solver.plain import small_position

POSITIONS = 8


def other_suits(random: Random) -> Suits:
    return Suits("".join("".join(random.sample(SUITS, k=len(SUITS))) for _ in RANKS))


@pytest.mark.parametrize("slug", RULE_SETS)
def test_a_position_in_other_suits_has_the_same_verdict_and_length(slug: str) -> None:
    rules, random = RULE_SETS[slug], Random(slug)
    for _ in range(POSITIONS):
        position = small_position(rules, random)
        other = in_suits(position, other_suits(random))
        assert solve(other).length == solve(position).length, position.text
        if has_exact_verdict(rules):
            assert verdict(other) == verdict(position), position.text
