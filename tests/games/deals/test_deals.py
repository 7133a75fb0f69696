from __future__ import annotations

import hashlib
import hmac
from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.deals.daily import DailyKey, DailyState
from games.deals.shuffle import random_deck, shuffled_deck
from games.rules import CARDS, RULE_SETS

LEAP_DAY = DailyKey(date(2028, 2, 29), "standard", "open")
SEED = bytes(range(32))
MILLISECOND = timedelta(milliseconds=1)


def test_the_golden_seed_leads_to_the_golden_commitment_and_decks() -> None:
    key = DailyKey(date(2026, 11, 20), "standard", "open")
    assert key.commitment(SEED) == "70773ab4391d341d696d77c9c4dee2cf5f5f7a52d54e78dc1d62f38f382b9baa"
    assert key.deck(SEED).text == (
        "Ah9d4c5s3d9c8d8c4d8h4s8sQs6hKh7d5hJs7c3cQdTc7hJdTdJcTsKsTh2cQhKc3sJh9sAc6d7sQc6s3h6c2sAs2dAd5dKd2h5c4h9h"
    )
    assert key.deck(SEED, 1).text == (
        "Ks2dQcJh9sQd2h5hJdJc6s3d9cAs9dKh4h3s4sAh6cTs9h8hAd5cJsKdTc7sAc7d7c3cTd6dQh2s4cQs8c8s5s3h2c5dKc4d6h8dTh7h"
    )


def test_the_golden_seed_leads_to_the_golden_two_pack_deck() -> None:
    assert DailyKey(date(2026, 11, 20), "two-pyramids", "open").deck(SEED).text == (
        "8HJcTC7s2hTH8hKcQs9d6CJhJd7D2sTD6D9c7hAc6s6HAD5CThJC4sQC6SQHAh5D9S5sAs8cASAHAC4cKh7d8STd7c4S8CKS6dJS4CKd"
        "9hKs2cQd5c3c3s3C3D2C5SJHTS6h8d2d9H8s6cTs9DJDKH2HKD3dQS2D3S9s7SQD5H8D5d4hJsQh7H4d4H4DQc9CKC3HAd2STc7C5h3h"
    )


def test_a_deck_is_what_the_published_recipe_says() -> None:
    """The recipe written down again, as naively as a stranger would."""
    message = "deck|2028-02-29|standard|open|3|{}"
    stream = b"".join(hmac.new(SEED, message.format(k).encode(), hashlib.sha256).digest() for k in range(8))
    cards, taken = [rank + suit for rank in "A23456789TJQK" for suit in "cdhs"], 0
    for j in range(51, 0, -1):
        while stream[taken] >= 256 - 256 % (j + 1):
            taken += 1
        r = stream[taken] % (j + 1)
        taken += 1
        cards[j], cards[r] = cards[r], cards[j]
    assert LEAP_DAY.deck(SEED, 3).text == "".join(cards)


@given(st.integers(1, 255), st.sampled_from([52, 104]))
def test_a_shuffle_keeps_every_card_once(step: int, size: int) -> None:
    stream = (number * step % 256 for number in range(10**6))
    assert sorted(card.index for card in shuffled_deck(stream, size).cards) == list(range(size))


def test_a_byte_that_would_favour_some_cards_is_skipped() -> None:
    fair = [0] * 51
    assert shuffled_deck([208, 255, *fair], 52) == shuffled_deck(fair, 52)
    assert shuffled_deck([207, *fair], 52) != shuffled_deck(fair, 52)


def test_random_decks_differ_and_fit_their_rule_set() -> None:
    for slug in ("standard", "two-pyramids"):
        rules = RULE_SETS[slug]
        first, second = random_deck(rules), random_deck(rules)
        assert first != second
        assert set(first.cards) == set(CARDS[: rules.deck_size])


@pytest.mark.parametrize(
    ("at", "before", "after"),
    [
        (datetime(2028, 2, 29, tzinfo=UTC), DailyState.COMMITTED, DailyState.OPEN),
        (datetime(2028, 3, 1, tzinfo=UTC), DailyState.OPEN, DailyState.CLOSING),
        (datetime(2028, 3, 1, 0, 30, tzinfo=UTC), DailyState.CLOSING, DailyState.PROVISIONAL),
        (datetime(2028, 3, 2, 0, 30, tzinfo=UTC), DailyState.PROVISIONAL, DailyState.FINAL),
    ],
)
def test_a_state_begins_exactly_at_its_boundary(at: datetime, before: DailyState, after: DailyState) -> None:
    states = [LEAP_DAY.state(at + offset) for offset in (-MILLISECOND, timedelta(), MILLISECOND)]
    assert states == [before, after, after]


def test_a_year_ends_like_any_day() -> None:
    key = DailyKey(date(2026, 12, 31), "standard", "open")
    assert key.closes_at == DailyKey(date(2027, 1, 1), "standard", "open").opens_at
