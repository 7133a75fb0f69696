from __future__ import annotations

import threading
from datetime import datetime

import pytest
from pytest_django import Settings

from games.calendar.certificates import certify_deals, make_deals
from games.calendar.models import DailyDeal, Deal
from games.deals.certify import can_be_won
from games.deals.grading import Grade, grade_of
from games.deals.shuffle import random_deck
from games.hints.search_pool import MOST_WAITING, SearchPool
from games.play.refusals import TooManyOpenGames
from games.players.models import Player
from games.practice import certified
from games.practice.certified import start_certified_practice
from games.practice.refusals import NoCertifiedDeal, NotCertifiable
from games.rules import RULE_SETS, Deck, UnknownRuleSet
from tests.calendar import prepared_dailies
from tests.games.ways_to_play import commit, open_session

pytestmark = pytest.mark.django_db(transaction=True)

STANDARD = RULE_SETS["standard"]
ANY_DECK = random_deck(STANDARD).text


@pytest.fixture(autouse=True)
def _no_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let searches take their time: the machine may be busy, and a kernel may have to be compiled first."""
    monkeypatch.setattr(certified, "MOST_SECONDS", 120)


def test_without_a_stock_a_winnable_deal_is_found_and_kept(alice: Player, now: datetime) -> None:
    deal = start_certified_practice(alice, "Standard", None, now).deal
    assert (deal.rules, deal.is_winnable, deal.careless_wins) == ("standard", True, None)
    assert can_be_won(Deck.from_text(deal.deck), STANDARD)
    assert certify_deals(now) == 1
    deal.refresh_from_db()
    assert deal.par
    assert deal.grade


@pytest.mark.parametrize("grade", [Grade.HARD, Grade.MEDIUM])
def test_a_deal_of_a_grade_is_found(alice: Player, now: datetime, grade: Grade) -> None:
    deal = start_certified_practice(alice, "standard", grade, now).deal
    assert grade_of(Deck.from_text(deal.deck), STANDARD) is grade


def test_the_stock_is_played_before_anything_is_searched(alice: Player, bob: Player, now: datetime) -> None:
    stock = {deal.id for deal in make_deals(STANDARD, 2, None, now)}
    assert {start_certified_practice(alice, "standard", None, now).deal_id for _ in range(2)} == stock
    assert start_certified_practice(alice, "standard", None, now).deal_id not in stock
    # What alice has played is new to bob.
    start_certified_practice(bob, "standard", None, now)
    assert Deal.objects.count() == 3


def test_the_stock_is_chosen_from_by_rules_and_grade(alice: Player, now: datetime) -> None:
    for rules, grade in (("standard", "hard"), ("standard", "medium"), ("standard", "easy"), ("giza", "medium")):
        Deal.objects.create(rules=rules, deck=ANY_DECK, created_at=now, is_winnable=True, grade=grade)
    given_out = start_certified_practice(alice, "standard", Grade.MEDIUM, now).deal
    assert (given_out.rules, given_out.grade) == ("standard", "medium")


def test_a_deal_of_a_day_is_never_given_out_as_practice(alice: Player, daily: DailyDeal, now: datetime) -> None:
    while certify_deals(now):
        pass
    secret = set(DailyDeal.objects.values_list("deal", flat=True))
    assert len(secret) == 16
    for _ in range(12):
        assert start_certified_practice(alice, "standard", None, now).deal_id not in secret


def test_a_deal_that_is_not_known_to_be_winnable_is_no_stock(alice: Player, now: datetime) -> None:
    unknown = Deal.objects.create(rules="standard", deck=ANY_DECK, created_at=now)
    lost = Deal.objects.create(rules="standard", deck=ANY_DECK, created_at=now, is_winnable=False)
    assert start_certified_practice(alice, "standard", None, now).deal_id not in {unknown.id, lost.id}


def test_deals_of_two_decks_are_winnable_but_have_no_grade_to_choose(alice: Player, now: datetime) -> None:
    deal = start_certified_practice(alice, "two-pyramids", None, now).deal
    assert (deal.rules, deal.is_winnable) == ("two-pyramids", True)
    with pytest.raises(NotCertifiable):
        start_certified_practice(alice, "two-pyramids", Grade.HARD, now)
    with pytest.raises(UnknownRuleSet):
        start_certified_practice(alice, "klondike", None, now)


@pytest.mark.parametrize("rules", RULE_SETS)
def test_while_the_solver_is_not_ready_every_rule_set_has_new_winnable_deals(
    alice: Player, monkeypatch: pytest.MonkeyPatch, now: datetime, rules: str
) -> None:
    monkeypatch.setattr(certified, "solver_is_ready_now", lambda rules: False)
    monkeypatch.setattr(certified, "find_certified", None)
    deals = [start_certified_practice(alice, rules, None, now).deal for _ in range(2)]
    assert len({deal.deck for deal in deals}) == 2
    assert all(deal.is_winnable for deal in deals)


def test_too_many_open_games_are_refused_before_anything_is_searched(
    alice: Player, settings: Settings, now: datetime
) -> None:
    settings.PYRAMID_OPEN_PRACTICE_GAMES = 1
    game = start_certified_practice(alice, "standard", None, now)
    with pytest.raises(TooManyOpenGames):
        start_certified_practice(alice, "standard", None, now)
    assert Deal.objects.count() == 1
    commit(open_session(game, now).resign(0, now))
    start_certified_practice(alice, "standard", None, now)


@pytest.mark.parametrize(("limit", "value"), [("MOST_CANDIDATES", 0), ("MOST_SECONDS", 0)])
def test_a_search_is_bounded_in_candidates_and_in_time(
    alice: Player, monkeypatch: pytest.MonkeyPatch, now: datetime, limit: str, value: int
) -> None:
    monkeypatch.setattr(certified, limit, value)
    with pytest.raises(NoCertifiedDeal):
        start_certified_practice(alice, "standard", Grade.MEDIUM, now)
    assert not Deal.objects.exists()


def test_a_thinker_takes_no_more_than_a_short_queue_and_gives_up_at_the_deadline() -> None:
    pool, gate = SearchPool("test"), threading.Event()
    waiting = [pool.begin(lambda _: gate.wait(), None) for _ in range(MOST_WAITING)]
    assert all(waiting)
    assert pool.begin(str, 1) is None
    assert pool.wait(str, 1, seconds=120) is None
    gate.set()
    for future in waiting:
        assert future
        future.result()
    assert pool.wait(str, 1, seconds=120) == "1"
    gate.clear()
    assert pool.wait(lambda _: gate.wait(), None, seconds=0) is None
    gate.set()


def test_searches_leave_half_of_the_threads_of_requests_to_others(
    alice: Player, settings: Settings, now: datetime
) -> None:
    gate, half = threading.Event(), settings.PYRAMID_HTTP_THREADS // 2
    waiting = [certified._finder.begin(lambda _: gate.wait(), None) for _ in range(half)]
    assert all(waiting)
    assert certified._finder.begin(str, 1) is None
    assert start_certified_practice(alice, "standard", None, now).deal.is_winnable
    gate.set()
    for future in waiting:
        assert future
        future.result()


def test_todays_and_coming_deals_get_their_par_before_practice_deals(alice: Player, now: datetime) -> None:
    start_certified_practice(alice, "standard", None, now)
    prepared_dailies(now)
    certify_deals(now)
    assert not Deal.objects.filter(daily=None).exclude(grade=None).exists()
    assert Deal.objects.exclude(grade=None).count() == 4
