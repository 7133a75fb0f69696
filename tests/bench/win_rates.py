"""Reproduce the published win rates on seeded random deals: make rates, or python -m tests.bench.win_rates [deals]"""

from __future__ import annotations

import sys
from dataclasses import replace
from math import sqrt
from random import Random

from tqdm import trange

from games.deals.certify import can_be_won
from games.rule_sets.texts import AT_LEAST, COUNTED
from games.rules import CARDS, RULE_SETS, Deck, RuleSet

DEALS, SEED = 20_000, 20_000
FEW_DEALS = 2_000  # of the rule sets that nobody has published
# Masten, solitairewinrates.com, 100,000,000 deals each, per cent.
PUBLISHED: list[tuple[RuleSet, float]] = [
    (RULE_SETS["dark-pyramid"], 9.019),
    (replace(RULE_SETS["dark-pyramid"], slug="dark-pyramid + overlap", overlap=True), 22.773),
    (RULE_SETS["classic"], 6.796),
    (RULE_SETS["classic-overlap"], 15.916),
    (RULE_SETS["standard"], 66.865),
    (RULE_SETS["covered-pairs"], 83.152),
]


def win_rate(rules: RuleSet, deals: int, *, show: bool = False) -> float:
    """Return the per cent of random deals that can be won, the same deals every time."""
    random, cards, won = Random(SEED), list(CARDS[: rules.deck_size]), 0
    for _ in trange(deals, desc=rules.slug, disable=not show):
        random.shuffle(cards)
        won += can_be_won(Deck(tuple(cards)), rules) is True
    return 100 * won / deals


def standard_errors(rate: float, published: float, deals: int) -> float:
    """Return how far a rate lies from the published one, in standard errors of so many deals."""
    return (rate - published) / sqrt(published * (100 - published) / deals)


def main(deals: int) -> None:
    for rules, published in PUBLISHED:
        rate = win_rate(rules, deals, show=True)
        away = standard_errors(rate, published, deals)
        print(f"{rules.slug:24} published {published:.3f}  here {rate:.3f}  {away:+.2f} standard errors")
    for slug, shown in (COUNTED | AT_LEAST).items():
        print(f"{slug:24} shown {shown}  here {win_rate(RULE_SETS[slug], FEW_DEALS, show=True):.2f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else DEALS)
