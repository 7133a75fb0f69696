"""Stock and waste: draws, one waste, three wastes or none, recycles and their order, the reserve."""

from __future__ import annotations

import pytest

from games.rules import RULE_SETS, Peak, Position, RuleSet
from tests.games.rules.drawn import after, legal, refusal
from tests.games.rules.strategies import shuffled

PEAK = (Peak(1),)
CLOSED = RuleSet("closed", tableau=PEAK, passes=3)
OPEN = RuleSet("open", tableau=PEAK, stock_open=True, passes=3)
THREE = RuleSet("three", tableau=PEAK, draw=3, passes=None)
THREE_PILES = RuleSet("three-piles", tableau=PEAK, draw=3, wastes=3, passes=2)
TWO_PILES = RuleSet("two-piles", tableau=PEAK, draw=3, wastes=2, passes=2)
THROWN = RuleSet("thrown", tableau=PEAK, wastes=0, stock_open=True)
RESERVE = RuleSet("reserve", tableau=PEAK, reserve=(3, 2))


@pytest.mark.parametrize("slug", RULE_SETS)
def test_the_waste_starts_empty(slug: str) -> None:
    rules = RULE_SETS[slug]
    assert not any(Position.deal(shuffled(1, rules.decks), rules).wastes)


def test_a_draw_moves_the_bar_one_card_to_the_right() -> None:
    assert after("Ah |2c3c4c 2", CLOSED, "D") == "Ah 2c|3c4c 2"
    assert after("Ah |2c3c4c 2", CLOSED, "D", "D", "D") == "Ah 2c3c4c| 2"


def test_a_recycle_moves_the_bar_to_the_far_left_and_takes_a_pass() -> None:
    assert after("Ah 2c3c4c| 2", CLOSED, "R") == "Ah |2c3c4c 1"
    assert after("Ah 2c3c4c| *", THREE, "R") == "Ah |2c3c4c *"


def test_a_recycle_is_an_action_of_its_own_and_draws_nothing() -> None:
    assert legal("Ah 2c3c4c| 2", CLOSED) == "R"
    assert legal("Ah |2c3c4c 1", CLOSED) == "D"


@pytest.mark.parametrize(
    ("text", "rules", "reason"),
    [
        ("Ah 2c|3c 2", CLOSED, "R: the stock is not empty"),
        ("Ah 2c3c| 0", CLOSED, "R: no pass is left"),
        ("Ah | 2", CLOSED, "R: the waste is empty"),
        ("Ah | *", THREE, "R: the waste is empty"),
    ],
)
def test_a_recycle_needs_an_empty_stock_a_waste_and_a_pass(text: str, rules: RuleSet, reason: str) -> None:
    assert refusal(text, rules, "R") == reason


def test_a_draw_needs_a_stock() -> None:
    assert refusal("Ah 2c| 2", CLOSED, "D") == "D: the stock is empty"
    assert (
        refusal(Position.deal(shuffled(1), RULE_SETS["giza"]).text, RULE_SETS["giza"], "D")
        == "D: this game has no stock"
    )


def test_a_draw_of_three_lays_them_on_one_waste_the_third_on_top() -> None:
    assert after("Ah |2c3cQc5c *", THREE, "D") == "Ah 2c3cQc|5c *"
    assert legal("Ah 2c3cQc|5c *", THREE) == "AhQc D"


def test_a_draw_takes_what_is_left_where_that_is_less() -> None:
    assert after("Ah 9c|2c3c *", THREE, "D") == "Ah 9c2c3c| *"
    assert after("Ah 9c,8c,7c|2c3c 1", THREE_PILES, "D") == "Ah 9c2c,8c3c,7c| 1"


def test_card_i_of_a_draw_goes_to_waste_pile_i_modulo_the_number_of_piles() -> None:
    assert after("Ah ,,|2c3c4c5c 1", THREE_PILES, "D") == "Ah 2c,3c,4c|5c 1"
    assert after("Ah ,,|2c3c4c5c 1", THREE_PILES, "D", "D") == "Ah 2c5c,3c,4c| 1"
    assert after("Ah ,|2c3c4c5c 1", TWO_PILES, "D") == "Ah 2c4c,3c|5c 1"


def test_the_tops_of_all_waste_piles_are_exposed_also_to_each_other() -> None:
    assert legal("Ah 2c,Jd,Kc|5c 1", THREE_PILES) == "2cJd D Kc"
    assert after("Ah 4c2c,Jd,Kc|5c 1", THREE_PILES, "2cJd") == "Ah 4c,,Kc|5c 1"


def test_recycled_waste_piles_follow_each_other_from_the_last_to_the_first_each_bottom_to_top() -> None:
    assert after("Ah 2c3c,4c,5c6c| 1", THREE_PILES, "R") == "Ah ,,|5c6c4c2c3c 0"


def test_a_closed_stock_shows_and_gives_nothing() -> None:
    assert legal("Ah |QcKc 2", CLOSED) == "D"
    assert refusal("Ah |QcKc 2", CLOSED, "AhQc") == "AhQc: Qc is not in sight"


def test_an_open_stock_gives_its_next_card_only() -> None:
    assert legal("Ah |QcKc 2", OPEN) == "AhQc D"
    assert after("Ah |KcQc 2", OPEN, "Kc") == "Ah |Qc 2"
    assert refusal("Ah |QcKc 2", OPEN, "Kc") == "Kc: Kc is not in sight"


def test_the_top_of_the_waste_pairs_with_the_top_of_an_open_stock() -> None:
    assert legal("Ah 4c|9c 2", OPEN) == "4c9c D"
    assert after("Ah 4c|9c 2", OPEN, "4c9c") == "Ah | 2"


def test_two_cards_of_one_waste_pile_never_leave_together() -> None:
    assert legal("Ah 4c9c| 2", CLOSED) == "R"
    assert refusal("Ah 4c9c| 2", CLOSED, "4c9c") == "4c9c: 4c lies under 9c"


def test_without_a_waste_a_card_drawn_over_leaves_play() -> None:
    assert after("Ah |2cQc 0", THROWN, "D") == "Ah |Qc 0"
    assert after("Ah |2cQc 0", THROWN, "D", "AhQc") == "-- | 0"
    assert refusal("Ah | 0", THROWN, "R") == "R: no pass is left"


def test_the_reserve_is_dealt_one_card_to_each_pile_per_round_the_last_on_top() -> None:
    deck = shuffled(5)
    position = Position.deal(deck, RESERVE)
    assert position.reserve == tuple((deck.cards[1 + pile], deck.cards[4 + pile]) for pile in range(3))


def test_only_the_tops_of_reserve_piles_are_exposed_and_they_pair_with_each_other() -> None:
    text = "Ah |2c 0 r:Qd4c,9c,Kd5d"
    assert legal(text, RESERVE) == "4c9c D"
    assert after(text, RESERVE, "4c9c") == "Ah |2c 0 r:Qd,,Kd5d"
    assert legal("Ah |2c 0 r:Qd,,Kd5d", RESERVE) == "AhQd D"
    assert refusal(text, RESERVE, "Kd") == "Kd: Kd lies under 5d"
