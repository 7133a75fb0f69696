"""Practice on certified deals: from the stock, or found while the player waits."""

from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from time import monotonic

from django.conf import settings

from games.calendar.models import Deal
from games.deals.certify import can_be_won, is_certifiable
from games.deals.grading import Grade, grade_of
from games.deals.known_wins import known_win
from games.deals.shuffle import random_deck
from games.hints.readiness import solver_is_ready_now
from games.hints.search_pool import SearchPool
from games.play.models import Game
from games.play.starting import practise, require_room_for_practice
from games.players.models import Player
from games.practice.refusals import NoCertifiedDeal, NotCertifiable
from games.rules import RULE_SETS, Deck, RuleSet

MOST_CANDIDATES = 200
MOST_SECONDS = 5.0
# As long as somebody waits who asked for no more than a game.
QUICK_SECONDS = 3.0

# A search holds a thread of requests while it runs; half of the threads are left to other requests.
_finder = SearchPool("finding-deals", most_waiting=max(1, settings.PYRAMID_HTTP_THREADS // 2))


@dataclass(frozen=True, slots=True)
class _Search:
    """The kind of deck to find, and the deadline by the monotonic clock."""

    rules: RuleSet
    grade: Grade | None
    deadline: float


def start_certified_practice(player: Player, rules: str, grade: Grade | None, now: datetime) -> Game:
    """Start a practice game on a certified deal, of a grade or of any, that the player has not played.

    Without a grade there always is one. Raises `UnknownRuleSet`, `TooManyOpenGames`, `TooManyGames` or, for a grade,
    `NotCertifiable`, or `NoCertifiedDeal` if none is found in time.
    """
    rule_set = RULE_SETS[rules]
    if grade is not None:
        _require_certifiable(rule_set)
    require_room_for_practice(player)
    deal = _from_stock(player, rule_set, grade)
    if deal is None:
        deal = _of_any_grade(rule_set, now) if grade is None else find_certified(rule_set, grade, now)
        deal.save(force_insert=True)
    return practise(player, deal, now)


def _of_any_grade(rules: RuleSet, now: datetime) -> Deal:
    """Return a new winnable deal at once: a random one if the solver is ready and finds it, else of a known kind."""
    with suppress(NotCertifiable, NoCertifiedDeal):
        if solver_is_ready_now(rules):
            return find_certified(rules, None, now, QUICK_SECONDS)
    return _winnable(rules, known_win(rules), now)


def find_certified(rules: RuleSet, grade: Grade | None, now: datetime, most_seconds: float | None = None) -> Deal:
    """Return a new certified deal, not stored yet.

    It is found on a single dedicated thread, so that one search runs at a time however many players ask. Raises
    `NotCertifiable`, or `NoCertifiedDeal` if none is found in time.
    """
    _require_certifiable(rules)
    seconds = MOST_SECONDS if most_seconds is None else most_seconds
    search = _Search(rules, grade, monotonic() + seconds)
    deck = _finder.wait(_first_that_fits, search, seconds=seconds)
    if deck is None:
        raise NoCertifiedDeal(f"no winnable deal of {rules.slug} was found in time; try again, or take any deal")
    return _winnable(rules, deck, now)


def _winnable(rules: RuleSet, deck: Deck, now: datetime) -> Deal:
    """Return a new deal, not stored yet; the worker measures par and grade later."""
    return Deal(rules=rules.slug, deck=deck.text, created_at=now, is_winnable=True)


def _require_certifiable(rules: RuleSet) -> None:
    if not is_certifiable(rules):
        raise NotCertifiable(f"deals of {rules.slug} cannot be certified, because solving them takes too long")


def _from_stock(player: Player, rules: RuleSet, grade: Grade | None) -> Deal | None:
    """Return a certified deal that the player has not played. Those of days and races are excluded: they are secret."""
    stock = Deal.objects.filter(rules=rules.slug, is_winnable=True, daily=None, race=None).exclude(games__player=player)
    if grade is not None:
        stock = stock.filter(grade=grade)
    return stock.order_by("pk").first()


def _first_that_fits(search: _Search) -> Deck | None:
    for _ in range(MOST_CANDIDATES):
        if monotonic() >= search.deadline:
            return None
        deck = random_deck(search.rules)
        if can_be_won(deck, search.rules) and _has_grade(deck, search):
            return deck
    return None


def _has_grade(deck: Deck, search: _Search) -> bool:
    return search.grade is None or grade_of(deck, search.rules) is search.grade
