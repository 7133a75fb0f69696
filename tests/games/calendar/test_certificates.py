from __future__ import annotations

import csv
from datetime import date, datetime
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from hypothesis import given, settings
from hypothesis import strategies as st

from games.calendar.certificates import certify_deals, make_deals
from games.calendar.models import DailyDeal, Deal
from games.deals.certify import can_be_won, first_fitting, is_certifiable
from games.deals.daily import DailyKey
from games.deals.grading import Grade, Measures, grade_of, measure, wins
from games.rules import RULE_SETS, Deck
from tests.processes import PROJECT

SEED = bytes(range(32))
STANDARD = RULE_SETS["standard"]

with (PROJECT / "tests/data/decks.csv").open() as file:
    KNOWN = list(csv.DictReader(file))[:40]


@pytest.mark.parametrize("slug", ["standard", "relaxed"])
def test_decks_with_known_answers_are_certified_right(slug: str) -> None:
    for row in KNOWN:
        assert can_be_won(Deck.from_text(row["deck"]), RULE_SETS[slug]) is (row[slug] == "1")


def test_the_first_fitting_deck_of_a_seed_is_taken() -> None:
    found = []
    for day in range(1, 11):
        key = DailyKey(date(2026, 2, day), "standard", "open")
        candidate = first_fitting(key, SEED)
        assert candidate is not None
        assert not any(can_be_won(key.deck(SEED, skipped), STANDARD) for skipped in range(candidate))
        assert can_be_won(key.deck(SEED, candidate), STANDARD)
        found.append(candidate)
    assert max(found) > 0


def test_two_decks_are_not_certified() -> None:
    assert not is_certifiable(RULE_SETS["two-pyramids"])
    assert first_fitting(DailyKey(date(2026, 2, 1), "two-pyramids", "open"), SEED) is None


def test_a_deck_is_always_measured_alike() -> None:
    deck = Deck.from_text(KNOWN[0]["deck"])
    assert measure(deck, STANDARD) == measure(deck, STANDARD)


def test_nobody_wins_a_deal_that_cannot_be_won() -> None:
    for row in KNOWN[:8]:
        if row["standard"] == "0":
            assert measure(Deck.from_text(row["deck"]), STANDARD) == Measures(0, 0, None)


@pytest.mark.parametrize(
    ("careless", "careful", "grade"),
    [(24, 10, Grade.HARD), (0, 11, Grade.MEDIUM), (16, 24, Grade.MEDIUM), (17, 11, Grade.EASY), (24, 24, Grade.EASY)],
)
def test_hard_is_hard_for_the_careful_and_easy_is_easy_for_the_careless(
    careless: int, careful: int, grade: Grade
) -> None:
    assert Measures(careless, careful, None).grade("standard") is grade


@pytest.fixture(scope="module")
def known_wins() -> tuple[int, int]:
    return wins(Deck.from_text(KNOWN[0]["deck"]), STANDARD)


@given(st.permutations(range(24)))
@settings(max_examples=8)
def test_a_grade_does_not_depend_on_the_order_of_the_stock(known_wins: tuple[int, int], order: list[int]) -> None:
    """Or the choice of a day's deal would say something about cards that nobody has seen."""
    cards = Deck.from_text(KNOWN[0]["deck"]).cards
    shuffled = Deck((*cards[:28], *(cards[28 + place] for place in order)))
    assert wins(shuffled, STANDARD) == known_wins


@pytest.mark.parametrize("slug", ["standard", "covered-pairs"])
def test_a_grade_is_decided_early_and_is_the_same(slug: str) -> None:
    rules = RULE_SETS[slug]
    for row in KNOWN[:8]:
        deck = Deck.from_text(row["deck"])
        assert grade_of(deck, rules) is measure(deck, rules).grade(slug)


def test_a_grade_that_is_asked_for_is_part_of_the_choice() -> None:
    key = DailyKey(date(2026, 2, 1), "standard", "open")
    for grade in Grade:
        candidate = first_fitting(key, SEED, grade)
        assert candidate is not None
        assert can_be_won(key.deck(SEED, candidate), STANDARD)
        assert grade_of(key.deck(SEED, candidate), STANDARD) is grade
        earlier = [key.deck(SEED, number) for number in range(candidate)]
        assert not any(can_be_won(deck, STANDARD) and grade_of(deck, STANDARD) is grade for deck in earlier)


def test_daily_deals_are_winnable_and_get_their_par_from_the_worker(daily: DailyDeal, now: datetime) -> None:
    assert (daily.deal.is_winnable, daily.deal.par) == (True, None)
    waiting = DailyDeal.objects.count()
    done = 0
    while certified := certify_deals(now):
        done += certified
    assert done == waiting
    for deal in Deal.objects.all():
        assert deal.par is not None
        assert deal.par >= 15
        assert deal.greedy_moves is None or deal.greedy_moves >= deal.par
        assert deal.grade is not None


def test_deals_can_be_made_of_one_grade(db: None, now: datetime) -> None:
    deals = list(make_deals(STANDARD, 2, Grade.HARD, now))
    assert [deal.grade for deal in deals] == [Grade.HARD, Grade.HARD]
    assert Deal.objects.filter(is_winnable=True).count() == 2


def test_the_command_prints_what_it_made(db: None) -> None:
    printed = StringIO()
    call_command("make_deals", "--count=1", "--rules=standard", stdout=printed, stderr=StringIO())
    deal = Deal.objects.get()
    assert printed.getvalue().split() == [
        *(deal.id, "standard", "par", str(deal.par), "greedy", str(deal.greedy_moves or "-"), deal.grade, deal.deck)
    ]


@pytest.mark.parametrize(
    ("option", "complaint"),
    [
        ("--rules=klondike", "no rule set"),
        ("--rules=two-pyramids", "cannot be certified"),
        ("--count=0", "'0' is not a whole number of 1 or more"),
        ("--count=-1", "'-1' is not a whole number of 1 or more"),
        ("--count=many", "'many' is not a whole number of 1 or more"),
        ("--grade=brutal", "invalid choice: 'brutal' .choose from '?easy'?, '?medium'?, '?hard'?"),
    ],
)
def test_the_command_refuses_what_it_cannot_make(db: None, option: str, complaint: str) -> None:
    with pytest.raises(CommandError, match=complaint):
        call_command("make_deals", option, stderr=StringIO())
    assert not Deal.objects.exists()


def test_deals_of_other_grades_are_reported_while_a_rare_one_is_looked_for(db: None, now: datetime) -> None:
    others: list[Deal] = []
    (deal,) = make_deals(STANDARD, 1, Grade.HARD, now, on_other_grade=others.append)
    assert deal.grade == Grade.HARD
    assert Grade.HARD not in {other.grade for other in others}
    assert Deal.objects.get() == deal
