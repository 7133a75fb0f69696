from __future__ import annotations

from collections import Counter
from datetime import datetime

import pytest
from pytest_django import DjangoAssertNumQueries, Settings

from games.calendar.certificates import certify_deals, make_deals
from games.calendar.models import DailyDeal, Deal
from games.deals import certify
from games.deals.certify import can_be_won, is_certifiable
from games.deals.grading import Grade
from games.deals.shuffle import random_deck
from games.play.refusals import TooManyOpenGames
from games.players.models import Player
from games.practice import stock
from games.practice.certified import start_certified_practice
from games.practice.refusals import NoCertifiedDeal, NoDealForRace, NotCertifiable
from games.practice.stock import certified_for_race, certified_for_races, fill_race_stock, fill_stock
from games.rules import RULE_SETS, Deck, RuleSet, UnknownRuleSet
from games.solver.verdict import has_exact_verdict
from tests.calendar import prepared_dailies
from tests.games.ways_to_play import commit, open_session

pytestmark = pytest.mark.django_db(transaction=True)

STANDARD = RULE_SETS["standard"]
ANY_DECK = random_deck(STANDARD).text


@pytest.fixture
def _no_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let any search for a win fail."""
    monkeypatch.setattr(certify, "solver", None)


@pytest.mark.usefixtures("_no_search")
def test_where_the_verdict_needs_no_search_a_winnable_deal_is_made_at_once(alice: Player, now: datetime) -> None:
    deal = start_certified_practice(alice, "Standard", None, now).deal
    assert (deal.rules, deal.is_winnable, deal.careless_wins) == ("standard", True, None)
    assert can_be_won(Deck.from_text(deal.deck), STANDARD)


def test_a_deal_that_was_made_at_once_is_measured_later(alice: Player, now: datetime) -> None:
    deal = start_certified_practice(alice, "standard", None, now).deal
    assert certify_deals(now) == 1
    deal.refresh_from_db()
    assert deal.par
    assert deal.grade


@pytest.mark.usefixtures("_no_search")
def test_no_request_waits_for_a_search_and_the_refusal_says_what_is_ready(alice: Player, now: datetime) -> None:
    for grade, kept_for in (("hard", "practice"), ("medium", "race")):
        Deal.objects.create(
            rules="cheops", deck=ANY_DECK, created_at=now, is_winnable=True, grade=grade, kept_for=kept_for
        )
    with pytest.raises(NoCertifiedDeal, match=r"take one that is hard$"):
        start_certified_practice(alice, "cheops", Grade.EASY, now)
    with pytest.raises(NoCertifiedDeal, match="try again later, or take one of any grade"):
        start_certified_practice(alice, "giza", Grade.EASY, now)
    with pytest.raises(NoDealForRace, match="try again in some seconds"):
        certified_for_race(RULE_SETS["giza"], now)


@pytest.fixture
def _own_filling(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the worker remember nothing of other tests, and take all the time that it needs."""
    monkeypatch.setattr(stock, "SECONDS_AT_ONCE", 600)
    monkeypatch.setattr(stock, "_filling", stock._Filling())


@pytest.mark.usefixtures("_own_filling")
def test_the_worker_fills_the_stock_until_nothing_is_lacking(
    alice: Player, bob: Player, monkeypatch: pytest.MonkeyPatch, now: datetime
) -> None:
    monkeypatch.setattr(stock, "RULE_SETS", {"three-piles": RULE_SETS["three-piles"]})
    monkeypatch.setattr(stock, "OF_A_GRADE", 1)
    monkeypatch.setattr(stock, "FOR_RACES", 2)
    assert (fill_stock(now), fill_race_stock(now)) == (3, 2)
    kept = Deal.objects.values_list("kept_for", "grade").order_by("kept_for", "grade")
    assert [*kept] == [*(("practice", grade) for grade in ("easy", "hard", "medium")), *[("race", None)] * 2]
    assert (fill_stock(now), fill_race_stock(now)) == (0, 0)
    raced = certified_for_race(RULE_SETS["three-piles"], now)
    played = start_certified_practice(alice, "three-piles", Grade.EASY, now).deal
    assert start_certified_practice(bob, "three-piles", Grade.EASY, now).deal == played
    assert (raced.grade, played.grade) == (None, "easy")
    assert (fill_stock(now), fill_race_stock(now)) == (1, 1)


@pytest.mark.usefixtures("_own_filling")
def test_on_a_new_server_every_rule_set_has_one_deal_for_a_race_before_any_has_two(
    monkeypatch: pytest.MonkeyPatch, now: datetime
) -> None:
    tried: list[str] = []

    def can_be_won(_: Deck, rules: RuleSet) -> bool:
        tried.append(rules.slug)
        return True

    monkeypatch.setattr(stock, "can_be_won", can_be_won)
    monkeypatch.setattr(stock, "FOR_RACES", 2)
    Deal.objects.create(rules="giza", deck=ANY_DECK, created_at=now, is_winnable=True, kept_for="race")
    searched = {rules.slug for rules in RULE_SETS.values() if is_certifiable(rules) and not has_exact_verdict(rules)}
    fill_race_stock(now)
    first = tried[: len(searched)]
    assert (set(first), first[-1]) == (searched, "giza")
    assert Counter(tried) == dict.fromkeys(searched, 2) | {"giza": 1}
    assert stock.ready_for_races() >= searched | {"standard"}


@pytest.mark.usefixtures("_own_filling")
def test_rules_whose_deals_are_rare_wait_for_their_turn_and_others_are_filled_meanwhile(
    monkeypatch: pytest.MonkeyPatch, now: datetime
) -> None:
    monkeypatch.setattr(stock, "RULE_SETS", {slug: RULE_SETS[slug] for slug in ("giza", "cheops")})
    monkeypatch.setattr(stock, "can_be_won", lambda deck, rules: rules.slug == "cheops")
    monkeypatch.setattr(stock, "MOST_IN_VAIN", {"any": 10**9, "rare": 5})
    monkeypatch.setattr(stock, "SECONDS_A_TURN", 0.001)
    monkeypatch.setattr(stock, "SECONDS_AT_ONCE", 1)
    assert fill_race_stock(now) == stock.FOR_RACES
    assert {*Deal.objects.values_list("rules", flat=True)} == {"cheops"}


def test_practice_takes_nothing_that_is_kept_for_races(alice: Player, now: datetime) -> None:
    Deal.objects.create(rules="giza", deck=ANY_DECK, created_at=now, is_winnable=True, kept_for="race")
    assert start_certified_practice(alice, "giza", None, now).deal.deck != ANY_DECK
    assert certified_for_race(RULE_SETS["giza"], now).deck == ANY_DECK
    with pytest.raises(NoCertifiedDeal):
        certified_for_race(RULE_SETS["giza"], now)


@pytest.mark.usefixtures("_own_filling")
def test_a_worker_gives_up_what_it_searches_for_in_vain(monkeypatch: pytest.MonkeyPatch, now: datetime) -> None:
    monkeypatch.setattr(stock, "RULE_SETS", {slug: RULE_SETS[slug] for slug in ("giza", "standard")})
    monkeypatch.setattr(stock, "MOST_IN_VAIN", {"any": 3, "rare": 5})
    monkeypatch.setattr(stock, "can_be_won", lambda deck, rules: rules.slug == "standard")
    monkeypatch.setattr(stock, "grade_of", lambda deck, rules: Grade.HARD)
    assert (fill_race_stock(now), fill_stock(now)) == (0, stock.OF_A_GRADE)
    assert {*Deal.objects.values_list("rules", "grade")} == {("standard", "hard")}


def test_the_stock_is_played_before_anything_is_searched(alice: Player, bob: Player, now: datetime) -> None:
    ready = {deal.id for deal in make_deals(STANDARD, 2, None, now)}
    assert {start_certified_practice(alice, "standard", None, now).deal_id for _ in range(2)} == ready
    assert start_certified_practice(alice, "standard", None, now).deal_id not in ready
    # What alice has played is new to bob.
    start_certified_practice(bob, "standard", None, now)
    assert Deal.objects.count() == 3


def test_the_stock_is_chosen_from_by_rules_and_grade(alice: Player, now: datetime) -> None:
    for rules, grade in (("standard", "hard"), ("standard", "medium"), ("standard", "easy"), ("giza", "medium")):
        Deal.objects.create(rules=rules, deck=ANY_DECK, created_at=now, is_winnable=True, grade=grade)
    given_out = start_certified_practice(alice, "standard", Grade.MEDIUM, now).deal
    assert (given_out.rules, given_out.grade) == ("standard", "medium")


def test_a_deal_of_a_day_is_never_given_out_as_practice(alice: Player, now: datetime) -> None:
    prepared_dailies(now, days_ahead=1)
    while certify_deals(now):
        pass
    secret = set(DailyDeal.objects.values_list("deal", flat=True))
    assert len(secret) == 4
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


@pytest.mark.usefixtures("_no_search")
@pytest.mark.parametrize("rules", RULE_SETS)
def test_every_rule_set_has_new_winnable_deals_without_a_search(alice: Player, now: datetime, rules: str) -> None:
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


def test_todays_and_coming_deals_get_their_par_before_practice_deals(alice: Player, now: datetime) -> None:
    start_certified_practice(alice, "standard", None, now)
    prepared_dailies(now)
    certify_deals(now)
    assert not Deal.objects.filter(daily=None).exclude(grade=None).exists()
    assert Deal.objects.exclude(grade=None).count() == 4


def test_a_round_gets_its_deals_together(now: datetime, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    with django_assert_num_queries(3):  # with the begin and the end of a transaction
        deals = certified_for_races(STANDARD, 5, now)
    assert len({deal.deck for deal in Deal.objects.filter(pk__in=[deal.pk for deal in deals])}) == 5
    assert all(can_be_won(Deck.from_text(deal.deck), STANDARD) for deal in deals)
    with pytest.raises(NoDealForRace):
        certified_for_races(RULE_SETS["giza"], 2, now)
