"""Certified deals: proved winnable, with par and grade."""

from collections.abc import Callable, Iterator
from datetime import datetime

from django.db.models import F

from games import solver
from games.calendar.dailies import daily_of, forget_day
from games.calendar.models import Deal
from games.deals.certify import can_be_won
from games.deals.grading import Grade, measure
from games.deals.shuffle import random_deck
from games.rules import Deck, Position, RuleSet

DEALS_AT_ONCE = 4
MEASURED = ("par", "greedy_moves", "careless_wins", "careful_wins", "grade")


def make_deals(
    rules: RuleSet,
    count: int,
    grade: Grade | None,
    now: datetime,
    *,
    on_other_grade: Callable[[Deal], object] = lambda _: None,
) -> Iterator[Deal]:
    """Make certified deals, of one grade or of any, and yield each once it is stored.

    Some grades are rare: `on_other_grade` is called with each winnable deal that does not have the grade.
    """
    for deal in _winnable_deals(rules, now):
        if grade not in (None, deal.grade):
            on_other_grade(deal)
            continue
        deal.save()
        yield deal
        count -= 1
        if not count:
            return


def certify_deals(now: datetime) -> int:
    """Find par and grade of a few winnable deals that are not measured, and return how many.

    Daily deals come first, beginning with the next day's.
    """
    waiting = Deal.objects.filter(is_winnable=True, careful_wins=None)
    deals = list(waiting.select_related("daily").order_by(F("daily__day").asc(nulls_last=True))[:DEALS_AT_ONCE])
    for deal in deals:
        _measure(deal)
        deal.save(update_fields=MEASURED)
        if (daily := daily_of(deal)) is not None:
            forget_day(daily.day)
    return len(deals)


def _winnable_deals(rules: RuleSet, now: datetime) -> Iterator[Deal]:
    while True:
        deck = random_deck(rules)
        if can_be_won(deck, rules):
            deal = Deal(rules=rules.slug, deck=deck.text, created_at=now, is_winnable=True)
            _measure(deal)
            yield deal


def _measure(deal: Deal) -> None:
    """Measure par and grade of a winnable deal. Par stays unknown if the search gives up."""
    deck, rules = Deck.from_text(deal.deck), deal.rule_set
    measures = measure(deck, rules)
    deal.par = solver.solve(Position.deal(deck, rules)).length
    deal.greedy_moves, deal.grade = measures.greedy_moves, measures.grade(deal.rules)
    deal.careless_wins, deal.careful_wins = measures.careless_wins, measures.careful_wins
