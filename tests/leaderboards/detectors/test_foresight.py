"""The foresight bet: exact for everybody who cannot see the stock."""

from __future__ import annotations

from math import prod
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.rules import RULE_SETS, Play, Position
from games.solver import is_winnable
from games.solver.orders import Pyramid
from leaderboards.detectors import foresight, sampled_orders
from leaderboards.detectors.findings import Strength
from leaderboards.detectors.foresight import Placed, bets, placed
from leaderboards.detectors.fortunes import Fortune
from leaderboards.detectors.games import RankedGame
from leaderboards.detectors.naming import NAMED_SHARE, Naming
from leaderboards.detectors.sampled_orders import Orders
from leaderboards.detectors.thresholds import THRESHOLDS, VERSION, Slip
from leaderboards.detectors.wasted_moves import Wasteful
from tests.integrity.store import played
from tests.integrity.styles import STYLES, Choices, Chooser
from tests.leaderboards.detectors.games import QUICK, choices, deal, deck, drawing, game, game_of, swapped

SEES = "perfect"
FIRST = THRESHOLDS.first_bet


def placed_of(own: RankedGame) -> list[Placed]:
    return list(placed(own, Orders(own.play.start)))


def of_style(style: str, seed: int = QUICK[0], dice: int = 0) -> RankedGame:
    return game(choices(style, seed, dice), seed)


@settings(max_examples=6)
@given(st.sampled_from(["careless", "casual", "perfect"]), st.sampled_from(QUICK), st.integers(0, 1))
def test_on_average_over_what_may_come_each_bet_pays_one(style: str, seed: int, dice: int) -> None:
    for bet in placed_of(of_style(style, seed, dice)):
        assert sum(bet.chances) == pytest.approx(1)
        for size in range(len(THRESHOLDS.slips)):
            assert sum(
                chance * paid[size] for chance, paid in zip(bet.chances, bet.factors, strict=True)
            ) == pytest.approx(1)
        assert min(map(min, bet.factors)) >= THRESHOLDS.kept_back


def test_covered_pairs_are_bet_on_as_fairly() -> None:
    start = Position.deal(deck(), RULE_SETS["covered-pairs"])
    own = Chooser(start, Pyramid(start), STYLES["casual"], Random(1)).play()
    fair = placed_of(RankedGame("g", "alice", "d", 0, played(start, own)))
    assert fair
    for bet in fair:
        mean = [
            sum(chance * paid[size] for chance, paid in zip(bet.chances, bet.factors, strict=True)) for size in range(5)
        ]
        assert mean == pytest.approx([1] * 5)


def test_what_the_search_leaves_open_is_not_bet_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sampled_orders, "NODE_LIMIT", 0)
    assert placed_of(of_style(SEES, 16)) == []


def test_a_lost_game_is_not_bet_on() -> None:
    games = (of_style("careless", seed, dice) for dice in range(20) for seed in QUICK)
    drawn = ((own, [step.after for step in own.steps if step.turned]) for own in games)
    lost, positions = next((own, after) for own, after in drawn if after and not is_winnable(after[-1]))
    alive = sum(is_winnable(position) is True for position in positions)
    assert all(bet.seen < alive for bet in placed_of(lost))


def test_a_bet_does_not_look_at_the_card_that_comes_nor_at_any_later_one() -> None:
    own = of_style("casual", 16)
    last = placed_of(own)[0]
    until = [step.action for step in own.steps]
    drawn = [number for number, step in enumerate(own.steps) if step.turned][last.seen]
    start = deal(16)
    there = next(place for place in range(last.seen + 1, 24) if start.stock[place].rank != start.stock[last.seen].rank)
    other = swapped(start, last.seen, there)
    changed = RankedGame("g", "alice", "d", 0, played(other, Choices(tuple(until[: drawn + 1]), None)))
    assert placed_of(changed)[0] == last


def test_the_dice_know_neither_the_player_nor_the_suits() -> None:
    own = of_style(SEES)
    other = RankedGame("g2", "mallory", "elsewhere", 99, own.play)
    assert placed_of(other) == placed_of(own)


def test_who_sees_the_stock_grows_rich_even_with_slips_and_who_does_not_stays_poor() -> None:
    fortunes = dict.fromkeys((SEES, "slips 20 %", "casual"), Fortune.of(5))
    for seed in QUICK:
        orders = Orders(deal(seed))
        for style, fortune in fortunes.items():
            fortunes[style] = fortune.after(foresight.factors(bets(of_style(style, seed), orders)))
    seeing, slipping, casual = (fortune.value for fortune in fortunes.values())
    assert seeing > 10 * casual
    assert slipping > 10 * casual
    assert fortunes["casual"].highest < 10


def test_who_first_draws_through_the_stock_is_never_bet_against() -> None:
    assert placed_of(of_style("draws first")) == []


def test_nothing_is_bet_where_nothing_was_removed_lately_or_few_cards_were_seen() -> None:
    own = game(choices(SEES, 16), 16)
    assert all(bet.seen >= FIRST for bet in placed_of(own))
    assert placed_of(game_of(drawing(24))) == []


def test_a_card_that_was_undrawn_stays_seen() -> None:
    own = choices(SEES, 16)
    nervous: list[str] = []
    for action in own.actions:
        nervous += [action.text, "U", action.text] if action.text == "D" else [action.text]
    again = game_of(" ".join(nervous), 16, result=None)
    assert [bet.seen for bet in placed_of(again)] == [bet.seen for bet in placed_of(game(own, 16))]


def test_moves_undone_beyond_the_card_compared_with_count_from_where_play_went_on() -> None:
    own = choices(SEES, 16)
    first = own.actions[: [action.text for action in own.actions].index("D")]
    there_and_back = [*(action.text for action in first), *["U"] * len(first)]
    again = game_of(" ".join([*there_and_back, *(action.text for action in own.actions)]), 16, result=None)
    assert placed_of(again) == placed_of(game(own, 16))


def test_only_rules_whose_winnability_no_order_changes_are_bet_on() -> None:
    own = of_style("casual")
    assert foresight.is_exact_for(own)
    relaxed = RankedGame("g", "alice", "d", 0, Play(Position.deal(deck(), RULE_SETS["relaxed"])))
    assert not foresight.is_exact_for(relaxed)


def test_a_slip_counts_as_one_slip_whatever_it_costs_and_drawing_on_counts_more() -> None:
    never, often = Slip(removal=0.05, draw=0.02), Slip(removal=0.5, draw=0.05)
    waste = Wasteful(removals=np.array([[0, 0], [2, 2], [0, 1]]), draws=np.array([[0, 0], [0, 0], [1, 0]]))
    assert foresight.likelihoods(waste, never) == pytest.approx([1, 0.05**2, (0.02 + 0.05) / 2])
    assert foresight.likelihoods(waste, often) == pytest.approx([1, 0.5**2, (0.05 + 0.5) / 2])


def test_a_finding_tells_the_bets_that_paid_most() -> None:
    own = of_style(SEES, 16)
    won = bets(own, Orders(deal(16)))
    told = foresight.most_telling("g1", won)
    rich = Fortune((1e7,) * 5, 9, 1e7)
    found = foresight.finding(rich, told, len(won), Naming(1000, 1, NAMED_SHARE), Strength.CASE)
    assert (found.strength, found.score, found.threshold) == ("case", rich.value, 100_000)
    assert found.explanation.count("In game g1") == foresight.SENTENCES
    assert [sentence.paid for sentence in told] == sorted((bet.paid for bet in won), reverse=True)[
        : foresight.SENTENCES
    ]
    assert found.innocent
    assert found.version == VERSION


def test_a_games_factor_is_the_product_of_its_bets() -> None:
    won = bets(of_style(SEES, 16), Orders(deal(16)))
    assert foresight.factors(won) == tuple(prod(bet.factors[size] for bet in won) for size in range(5))
    assert foresight.factors(()) == (1.0,) * 5
