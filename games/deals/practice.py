"""Random deals for practice."""

import secrets
from collections.abc import Iterator

from games.deals.shuffle import shuffled_deck
from games.rules import Deck, RuleSet


def random_deck(rules: RuleSet) -> Deck:
    """Return an unpredictable deck, shuffled with the operating system's randomness."""
    return shuffled_deck(_random_bytes(), rules.deck_size)


def _random_bytes() -> Iterator[int]:
    while True:
        yield from secrets.token_bytes(256)
