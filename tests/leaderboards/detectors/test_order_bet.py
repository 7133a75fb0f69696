"""The bet on an order pays 1 on average to a player who cannot see the hidden cards, however that player chooses."""

from __future__ import annotations

from itertools import permutations
from math import prod
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.deals.certify import can_be_won
from games.rules import CARDS, RULE_SETS, Action, Card, Deck, Move, Play, Position
from games.solver import is_winnable
from leaderboards.detectors import certified_orders, order_bet
from leaderboards.detectors.accounts import Account, Evidence, Known, evidence_of
from leaderboards.detectors.certified_orders import CertifiedOrders, has_certified_orders, passes
from leaderboards.detectors.deal_orders import orders_of
from leaderboards.detectors.fortunes import Fortune
from leaderboards.detectors.games import RankedGame
from leaderboards.detectors.order_bet import Moment, OrderBet, e_value, moments, order_bets, wasted, weights
from leaderboards.detectors.sampled_orders import Orders
from leaderboards.detectors.thresholds import THRESHOLDS, Slip
from tests.leaderboards.detectors.certified import QUICK, certified_deal, who_does_not, who_sees
from tests.leaderboards.detectors.games import deck

NOTHING = (1.0,) * len(THRESHOLDS.slips)
SEEDS = (2, 3, 6, 7, 9, 11, 12, 14)  # of deals of `classic` whose bets cost little


@pytest.fixture(autouse=True)
def few_orders(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(certified_orders, "ORDERS", 12)
    monkeypatch.setattr(certified_orders, "MOST_TRIES", 150)


def deck_of(deal: Position) -> Deck:
    return Deck((*deal.layout.cards, *(card for pile in deal.reserve for card in pile), *deal.stock))


def with_last_cards(deal: Position, cards: tuple[Card, ...]) -> Position:
    """Return a deal with other cards at the end of its stock."""
    stock = (*deal.stock[: -len(cards)], *cards)
    return Position.deal(Deck((*deal.layout.cards, *stock)), deal.rules)


@given(st.lists(st.sampled_from([0.0, 1e-6, 0.05, 0.5, 1.0]), min_size=1, max_size=40).filter(any))
def test_on_average_over_which_order_is_the_true_one_a_bet_pays_one(own: list[float]) -> None:
    paid = [e_value(np.array([own[true], *own[:true], *own[true + 1 :]])) for true in range(len(own))]
    assert np.mean(paid) == pytest.approx(1)


def test_who_looks_before_choosing_what_to_weigh_is_paid_more_than_one() -> None:
    """A weight chosen after the look at the true order breaks the bound: it is fixed before, or it proves nothing."""
    drawn = np.eye(10)
    assert np.mean([e_value(np.array([1.0, *(drawn[true][1:])])) for true in range(10)]) > 5


def test_the_mean_is_one_over_all_orders_of_the_last_cards_that_have_the_certificate() -> None:
    """Every deal that its player cannot tell from the true one is played alike until then; so all are enumerated."""
    start = certified_deal("classic", 1)
    own = who_sees(start)
    last = next(moment for moment in reversed(list(_all_moments(own))) if _unseen(start, moment) == 4)
    hidden = tuple(card for card in start.stock if card not in last.seen)
    deals = [with_last_cards(start, order) for order in permutations(hidden)]
    certified = [deal for deal in deals if passes(deal)]
    assert 1 < len(certified) < len(deals)
    paid = np.array([_paid_if(deal, last, certified) for deal in certified])
    assert np.mean(paid, axis=0) == pytest.approx(NOTHING)
    assert paid.max() > 1.01 or paid.min() < 0.99


def _paid_if(true: Position, moment: Moment, certified: list[Position]) -> list[float]:
    """Return what the bets pay on average over all pairs of drawn orders, if this deal is the true one."""
    as_seen = true.seen_by(moment.seen)
    orders = [tuple(card for card in deal.stock if card not in moment.seen) for deal in certified]
    own = next(order for order, deal in zip(orders, certified, strict=True) if deal == true)
    waste = dict(
        zip(orders, wasted(moment, certified_orders.Drawn(as_seen, orders[0], tuple(orders[1:]))), strict=True)
    )
    means = []
    for slip in THRESHOLDS.slips:
        worth = {order: float(weights(np.array([lost]), slip)[0]) for order, lost in waste.items()}
        means.append(
            np.mean([e_value(np.array([worth[own], worth[one], worth[two]])) for one in orders for two in orders])
        )
    return [float(mean) for mean in means]


def _all_moments(own: RankedGame) -> list[Moment]:
    seen, found = frozenset(own.play.start.in_sight), []
    for number, step in enumerate(own.steps, 1):
        if step.turned:
            assert isinstance(step.action, Move)
            found.append(Moment(seen, step.before, number, step.action))
        seen |= frozenset(step.turned)
    return found


def _unseen(start: Position, moment: Moment) -> int:
    return start.rules.deck_size - len(moment.seen)


@pytest.mark.parametrize("rules", [*QUICK, "pyramid-thirteen"])
def test_what_is_drawn_has_the_certificate_and_differs_only_in_cards_not_seen(rules: str) -> None:
    start = certified_deal(rules)
    orders = CertifiedOrders(start)
    for moment in moments(who_sees(start)):
        drawn = orders.drawn(moment.seen)
        assert drawn.as_seen.filled(drawn.true) == start
        for order in drawn.others:
            deal = drawn.as_seen.filled(order)
            assert can_be_won(deck_of(deal), deal.rules)
            assert sorted(card.text for card in order) == sorted(card.text for card in drawn.true)
            assert not moment.seen & set(order)


@settings(max_examples=5)
@given(st.sampled_from(QUICK), st.integers(0, 3))
def test_a_bet_looks_at_nothing_that_comes_later(rules: str, seed: int) -> None:
    """The moves after the last moment change nothing; nor does who plays, nor the times."""
    own = who_does_not(certified_deal(rules, seed), Random(seed))
    placed = list(moments(own))
    if placed:
        until = next(n for n, step in enumerate(own.steps) if step.before is placed[-1].before)
        play = Play(own.play.start)
        for step in own.steps[: until + 1]:
            play.do(step.action, 77)
        shorter = RankedGame("other", "mallory", "elsewhere", 99, play)
        orders = CertifiedOrders(own.play.start)
        assert order_bets(shorter, orders) == order_bets(own, CertifiedOrders(own.play.start))


def test_the_drawn_orders_depend_on_the_whole_deck_so_that_nobody_can_play_to_fit_them() -> None:
    start = certified_deal("relaxed")
    seen = next(moments(who_sees(start))).seen
    drawn = CertifiedOrders(start).drawn(seen)
    other = with_last_cards(start, tuple(reversed(start.stock[-2:])))
    assert CertifiedOrders(other).drawn(seen).others != drawn.others
    assert CertifiedOrders(start).drawn(seen) == drawn


def test_who_sees_the_cards_grows_rich_and_who_does_not_stays_poor() -> None:
    seeing, honest = Fortune.of(5), Fortune.of(5)
    for rules in QUICK:
        for seed in range(3):
            start = certified_deal(rules, seed)
            orders = CertifiedOrders(start)
            seeing = seeing.after(order_bet.factors(order_bets(who_sees(start), orders)))
            honest = honest.after(order_bet.factors(order_bets(who_does_not(start, Random(seed)), orders)))
    assert seeing.value > 50
    assert honest.highest < 10


def test_honest_games_pay_one_on_average() -> None:
    """Each account plays other deals, so the mean over games has a standard error; fair is 1."""
    paid = []
    for seed in SEEDS:
        start = certified_deal("classic", seed)
        paid.append(np.mean(order_bet.factors(order_bets(who_does_not(start, Random(seed)), CertifiedOrders(start)))))
    assert abs(np.mean(paid) - 1) < 4 * np.std(paid) / len(paid) ** 0.5 + 0.02


def test_a_deal_that_does_not_pass_is_not_bet_on(monkeypatch: pytest.MonkeyPatch) -> None:
    start = certified_deal("classic")
    monkeypatch.setattr(certified_orders, "PASS_LIMIT", 1)
    assert not passes(start)
    assert order_bets(who_sees(start), CertifiedOrders(start)) == ()


def test_where_no_order_is_drawn_nothing_is_won_or_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(certified_orders, "MOST_TRIES", 0)
    start = certified_deal("classic")
    assert order_bet.factors(order_bets(who_sees(start), CertifiedOrders(start))) == pytest.approx(NOTHING)


def test_moves_taken_back_do_not_count_and_cards_seen_before_stay_seen() -> None:
    start = certified_deal("relaxed")
    own = who_sees(start)
    nervous = Play(start)
    for step in own.steps:
        for text in (step.action.text, "U", step.action.text):
            if nervous.result is None:
                nervous.do(_action(text), 0)
    again = RankedGame("g", "alice", "d", 0, nervous)
    assert [(one.seen, one.moves) for one in moments(again)] == [(one.seen, one.moves) for one in moments(own)]


def _action(text: str) -> Action:
    return Action.from_text(text, decks=1)


def test_nothing_is_bet_on_who_only_draws() -> None:
    start = certified_deal("relaxed")
    play = Play(start)
    for _ in range(20):
        play.do(_action("D"), 0)
    assert list(moments(RankedGame("g", "alice", "d", 0, play))) == []


def test_the_bets_of_a_game_share_its_stake() -> None:
    one = OrderBet(seen=8, drawn=12, fitting=0, factors=(4.0,) * 5)
    assert order_bet.factors(()) == NOTHING
    assert order_bet.factors([one]) == pytest.approx((2.0,) * 5)
    assert order_bet.factors([one, one, one]) == pytest.approx((4.0,) * 5)


def test_an_order_with_which_the_win_is_lost_counts_one_more_than_the_most_moves() -> None:
    start = certified_deal("classic", 1)
    orders = CertifiedOrders(start)
    lost = set()
    for moment in moments(who_sees(start)):
        drawn = orders.drawn(moment.seen)
        for order, waste in zip(drawn.orders, wasted(moment, drawn), strict=True):
            after = moment.before.seen_by(moment.seen).filled(order).after(moment.move)
            assert bool(waste == THRESHOLDS.most_wasted + 1) is (is_winnable(after) is False)
            lost.add(is_winnable(after))
    assert lost == {True, False}


def test_a_lost_win_weighs_less_than_any_wasted_move() -> None:
    slip = Slip(removal=0.5, draw=0.1)
    assert weights(np.array([0, 1, 3, 4]), slip) == pytest.approx([1, 0.5, 0.125, 0.0625])


def test_twenty_of_the_rule_sets_with_one_deck_have_a_bet_and_the_others_hide_nothing() -> None:
    with_bet = [rules.slug for rules in RULE_SETS.values() if orders_of(Position.deal(_deck_for(rules.decks), rules))]
    others = [rules for rules in RULE_SETS.values() if rules.slug not in with_bet]
    assert len(with_bet) == 20
    for rules in others:
        assert rules.decks == 2 or len(Position.deal(_deck_for(1), rules).in_sight) == 52
    assert isinstance(orders_of(certified_deal("standard")), Orders)
    assert not has_certified_orders(certified_deal("standard"))


def _deck_for(decks: int) -> Deck:
    return deck() if decks == 1 else Deck(tuple(CARDS))


def test_the_evidence_of_a_game_has_the_bet_on_its_order_and_the_account_grows_by_it() -> None:
    start = certified_deal("relaxed")
    own = who_sees(start)
    seen = evidence_of(own, Known(orders_of(start)))
    assert seen.bets is None
    assert seen.order_bets == order_bets(own, CertifiedOrders(start))
    account = Account("mallory").after(seen)
    assert account.foresight_fortune == Fortune.of(5).after(order_bet.factors(seen.order_bets or ()))
    assert account.cards == len(seen.order_bets or ())
    won = OrderBet(seen=8, drawn=64, fitting=2, factors=(20.0,) * 5)
    (sentence,) = Account("mallory").after(Evidence("g1", order_bets=(won,))).telling
    assert "20.0 times better than 64 other orders" in sentence.text
    assert prod(won.factors) > 1
