"""Won, stuck, and neither: what a position says about the end of the game."""

from __future__ import annotations

import pytest
from hypothesis import given

from games.rules import RULE_SETS, Goal, Outcome, Peak, Position, RuleSet
from tests.games.rules.drawn import after, legal, outcome, refusal
from tests.games.rules.strategies import positions, shuffled

PEAK = (Peak(1),)
TABLEAU = RuleSet("tableau", tableau=PEAK, stock_open=True)
ALL = RuleSet("all", tableau=PEAK, stock_open=True, goal=Goal.ALL)
CLOSED = RuleSet("closed", tableau=PEAK, passes=2)
THREE = RuleSet("three", tableau=PEAK, draw=3, passes=None)
THREE_PILES = RuleSet("three-piles", tableau=PEAK, draw=3, wastes=3, passes=2)
THROWN = RuleSet("thrown", tableau=PEAK, wastes=0, stock_open=True)
THROWN_ALL = RuleSet("thrown-all", tableau=PEAK, wastes=0, stock_open=True, goal=Goal.ALL)
RESERVE_ALL = RuleSet("reserve-all", tableau=PEAK, reserve=(1, 2), goal=Goal.ALL)


def test_a_game_is_won_when_the_tableau_has_left_play() -> None:
    assert outcome("-- 2c|3c 0", TABLEAU) == "won"
    assert outcome("Kc 2c|3c 0", TABLEAU) is None


@pytest.mark.parametrize("talon", ["2c|", "|Jc"])
def test_where_every_card_is_the_goal_stock_and_waste_have_to_leave_too(talon: str) -> None:
    assert outcome(f"-- {talon} 0", ALL) != "won"
    assert outcome("-- | 0", ALL) == "won"


def test_where_every_card_is_the_goal_the_reserve_has_to_leave_too() -> None:
    assert outcome("-- | 0 r:Kc", RESERVE_ALL) is None
    assert outcome("-- | 0 r:2c", RESERVE_ALL) == "stuck"
    assert outcome("-- | 0 r:", RESERVE_ALL) == "won"


def test_in_a_won_position_no_move_is_legal() -> None:
    assert legal("-- Kc|Kd 0", TABLEAU) == ""
    assert refusal("-- Kc|Kd 0", TABLEAU, "D") == "D: the game is won"


@pytest.mark.parametrize(
    ("rules", "text"),
    [
        (CLOSED, "Ac |2c3cQc 1"),
        (CLOSED, "Ac Qc2c3c| 1"),
        (CLOSED, "Ac Qc2c|3c 1"),
        (THREE, "Ac |2c3cQc4c *"),
        (THREE_PILES, "Ac ,,|Qc2c3c 0"),
        (THREE_PILES, "Ac 2cQc,,|3c 1"),
        (THROWN, "Ac |2cQc 0"),
    ],
)
def test_a_game_is_not_stuck_while_draws_and_recycles_can_bring_up_a_removal(rules: RuleSet, text: str) -> None:
    assert outcome(text, rules) is None


@pytest.mark.parametrize(
    ("rules", "text", "still_legal"),
    [
        (CLOSED, "Ac |2c3c4c 1", "D"),
        (CLOSED, "Ac Qc2c|3c 0", "D"),  # the queen lies under the waste and no pass is left
        (THREE, "Ac |2cQc3c4c *", "D"),  # draws of three never leave the queen on top
        (THREE, "Ac 2cQc3c| *", "R"),
        (THREE_PILES, "Ac 2c,,| 0", ""),
        (THROWN, "Ac |2c3c 0", "D"),
        (THROWN, "Ac | 0", ""),
    ],
)
def test_in_a_stuck_position_the_draws_and_recycles_that_are_left_stay_legal(
    rules: RuleSet, text: str, still_legal: str
) -> None:
    assert outcome(text, rules) == "stuck"
    assert legal(text, rules) == still_legal


def test_a_game_is_stuck_although_a_removal_lies_one_unseen_card_away_only_if_none_can_come() -> None:
    assert outcome("Ac |??3c 1", CLOSED) is None
    assert outcome("Ac 2c|3c 0", CLOSED) == "stuck"
    assert outcome("Ac 2c3c|?? 0", CLOSED) is None


def test_draws_that_throw_the_last_cards_away_win_where_every_card_is_the_goal() -> None:
    assert outcome("-- |2c3c 0", THROWN_ALL) is None
    assert outcome(after("-- |2c3c 0", THROWN_ALL, "D", "D"), THROWN_ALL) == "won"
    assert outcome("Ac |2c3c 0", THROWN_ALL) == "stuck"


def test_a_closed_stock_is_stuck_on_the_whole_position_but_unknown_to_its_player() -> None:
    """The position knows the hidden cards; a view does not and leaves the question open."""
    position = Position.from_text("Ac |2c3c4c 1", CLOSED)
    assert position.outcome is Outcome.STUCK
    assert position.seen_by(set(position.in_sight)).outcome is None


@given(positions())
def test_cards_left_is_zero_exactly_when_the_game_is_won(position: Position) -> None:
    assert (position.cards_left == 0) == position.is_won == (position.outcome is Outcome.WON)
    assert position.cards_left >= 0


@given(positions())
def test_what_a_view_calls_stuck_is_stuck(position: Position) -> None:
    view = position.seen_by(set(position.in_sight))
    assert view.outcome in (position.outcome, None)
    assert view.is_won == position.is_won
    assert view.cards_left == position.cards_left


@pytest.mark.parametrize("slug", RULE_SETS)
def test_no_deal_is_won_before_the_first_move(slug: str) -> None:
    rules = RULE_SETS[slug]
    position = Position.deal(shuffled(1, rules.decks), rules)
    assert not position.is_won
    assert position.cards_left == (rules.deck_size if rules.goal is Goal.ALL else rules.tableau_size)
