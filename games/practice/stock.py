"""The stock of certified deals. The worker fills it, so that no request waits for a search."""

from __future__ import annotations

from collections import Counter
from datetime import datetime
from itertools import takewhile
from random import choice
from time import monotonic

from django.db.models import QuerySet

from games.calendar.models import Deal
from games.deals.certify import can_be_won, is_certifiable, winnable_at_once
from games.deals.grading import Grade, grade_of
from games.deals.known_wins import known_win
from games.deals.shuffle import random_deck
from games.play.models import Game
from games.players.models import Player
from games.practice.refusals import NoCertifiedDeal, NoDealForRace, NotCertifiable
from games.rules import RULE_SETS, Deck, RuleSet
from games.solver.verdict import has_exact_verdict

KeptFor = Deal.KeptFor
RACE, ANY, RARE = KeptFor.RACE.value, "any", "rare"
Want = tuple[str, str | None]  # the slug of a rule set; a grade or `ANY`

# Fresh deals of each rule set, which nobody has played: of each grade, and for races, which take no other.
OF_A_GRADE = 4
FOR_RACES = 16  # as many as a round of a cup takes at once
SECONDS_AT_ONCE = 1.0  # for which other tasks of the worker wait
SECONDS_A_TURN = 0.1  # for which the other rule sets wait that lack a deal for a race
# A worker gives up rules of which none of so many deals could be won, and a grade that none of so many won ones had.
MOST_IN_VAIN = {ANY: 3_000, RARE: 60}


def certified_for(player: Player, rules: RuleSet, grade: Grade | None, now: datetime) -> Deal:
    """Return a certified deal that a player has not played, at once.

    Without a grade there always is one, if need be of a known kind. Raises `NotCertifiable` or `NoCertifiedDeal`.
    """
    if grade is not None:
        require_certifiable(rules)
    deal = _from_stock(player, rules, grade)
    if deal is not None:
        return deal
    if grade is not None:
        raise NoCertifiedDeal(_not_ready(player, rules, grade))
    return _made_at_once(rules, now) or _stored(known_win(rules), rules, now)


def certified_for_race(rules: RuleSet, now: datetime) -> Deal:
    """Return a certified deal that nobody has played, and that nobody else gets.

    Raises `NotCertifiable`, or `NoDealForRace` until the worker has found one.
    """
    require_certifiable(rules)
    for deal in Deal.objects.filter(kept_for=RACE, rules=rules.slug)[:FOR_RACES]:
        if _give_out(deal):
            return deal
    made = _made_at_once(rules, now)
    if made is None:
        raise NoDealForRace(f"no winnable deal of {rules.slug} is ready for a race; try again in some seconds")
    return made


def certified_for_races(rules: RuleSet, number: int, now: datetime) -> list[Deal]:
    """Return so many deals as `certified_for_race` returns; those that take no search are stored together.

    Raises what it raises.
    """
    if not has_exact_verdict(rules):
        return [certified_for_race(rules, now) for _ in range(number)]
    decks = filter(None, (winnable_at_once(rules) for _ in range(number)))
    deals = Deal.objects.bulk_create(_winnable(deck, rules, now) for deck in decks)
    if len(deals) < number:
        raise NoDealForRace(f"no {number} winnable deals of {rules.slug} were found; try again in some seconds")
    return deals


def ready_for_races() -> set[str]:
    """Return the slugs of the rule sets of which a race can be opened now."""
    kept = set(Deal.objects.filter(kept_for=RACE).values_list("rules", flat=True))
    return kept | {rules.slug for rules in RULE_SETS.values() if has_exact_verdict(rules)}


def fill_race_stock(now: datetime) -> int:
    """Search for about a second for deals that races lack, and return how many were added.

    The rule sets take turns, those with the fewest deals first, so that each soon has one.
    """
    end, added = monotonic() + SECONDS_AT_ONCE, 0
    while (lacking := _filling.lacking_for_races()) and monotonic() < end:
        for slug in takewhile(lambda _: monotonic() < end, lacking):
            added += _filling.add_for_race(RULE_SETS[slug], now)
    return added


def fill_stock(now: datetime) -> int:
    """Search for about a second for deals whose grade the stock lacks, and return how many were added."""
    end, added = monotonic() + SECONDS_AT_ONCE, 0
    while (lacking := _filling.lacking_grades()) and monotonic() < end:
        slug = choice([*lacking])  # noqa: S311  fair, not secret: what takes longest delays no other
        added += _filling.add_graded(RULE_SETS[slug], lacking[slug], now)
    return added


def require_certifiable(rules: RuleSet) -> None:
    """Raise `NotCertifiable` for rules whose deals take too long to solve."""
    if not is_certifiable(rules):
        raise NotCertifiable(f"deals of {rules.slug} cannot be certified, because solving them takes too long")


def _new_to(player: Player, rules: RuleSet) -> QuerySet[Deal]:
    """Return the certified deals that a player has not played. Those of days and races are secret, and left out."""
    stock = Deal.objects.filter(rules=rules.slug, is_winnable=True, daily=None, race=None)
    stock = stock.exclude(kept_for__in=(RACE, KeptFor.RETEST))
    return stock.exclude(pk__in=Game.objects.filter(player=player).values("deal"))


def _from_stock(player: Player, rules: RuleSet, grade: Grade | None) -> Deal | None:
    """Return a deal that is new to a player; those that others have played come before fresh ones."""
    new = _new_to(player, rules)
    deal = (new if grade is None else new.filter(grade=grade)).order_by("kept_for", "pk").first()
    if deal is not None and deal.kept_for:
        _give_out(deal)
    return deal


def _give_out(deal: Deal) -> bool:
    """Note that a deal is fresh no longer, and return True unless someone else was faster."""
    return Deal.objects.filter(pk=deal.pk, kept_for=deal.kept_for).update(kept_for="") == 1


def _made_at_once(rules: RuleSet, now: datetime) -> Deal | None:
    deck = winnable_at_once(rules)
    return None if deck is None else _stored(deck, rules, now)


def _stored(deck: Deck, rules: RuleSet, now: datetime, **more: str) -> Deal:
    """Store a winnable deal, which the worker measures later."""
    deal = _winnable(deck, rules, now, **more)
    deal.save(force_insert=True)
    return deal


def _winnable(deck: Deck, rules: RuleSet, now: datetime, **more: str) -> Deal:
    return Deal(rules=rules.slug, deck=deck.text, created_at=now, is_winnable=True, **more)


def _not_ready(player: Player, rules: RuleSet, grade: Grade) -> str:
    known = _new_to(player, rules).exclude(grade=None).values_list("grade", flat=True)
    instead = " or ".join(map(str, known.order_by("grade").distinct()))
    advice = f"take one that is {instead}" if instead else "try again later, or take one of any grade"
    return f"no {grade} deal of {rules.slug} that is new to you is ready; {advice}"


class _Filling:
    """The gaps of the stock, and what a worker has searched for in vain."""

    def __init__(self) -> None:
        self._in_vain: Counter[Want] = Counter()

    def lacking_for_races(self) -> list[str]:
        """Return the rule sets of which races have too few deals, those with the fewest first."""
        fresh = Counter(Deal.objects.filter(kept_for=RACE).values_list("rules", flat=True))
        lacking = [
            rules.slug
            for rules in self._not_in_vain()
            if not has_exact_verdict(rules) and fresh[rules.slug] < FOR_RACES
        ]
        return sorted(lacking, key=fresh.__getitem__)

    def lacking_grades(self) -> dict[str, set[str]]:
        """Return the grades to search for, by slug."""
        kept = Deal.objects.filter(kept_for=KeptFor.PRACTICE).values_list("rules", "grade")
        fresh = Counter(kept)
        wanted = {rules.slug: self._wanted(rules, fresh) for rules in self._not_in_vain()}
        return {slug: grades for slug, grades in wanted.items() if grades}

    def _not_in_vain(self) -> list[RuleSet]:
        return [
            rules
            for rules in RULE_SETS.values()
            if is_certifiable(rules) and self._in_vain[rules.slug, ANY] < MOST_IN_VAIN[ANY]
        ]

    def _wanted(self, rules: RuleSet, fresh: Counter[Want]) -> set[str]:
        return {
            grade.value
            for grade in Grade
            if fresh[rules.slug, grade] < OF_A_GRADE and self._in_vain[rules.slug, grade] < MOST_IN_VAIN[RARE]
        }

    def add_for_race(self, rules: RuleSet, now: datetime) -> bool:
        """Try random decks for the time of a turn, and return True once one of them can be won."""
        end = monotonic() + SECONDS_A_TURN
        while monotonic() < end and self._in_vain[rules.slug, ANY] < MOST_IN_VAIN[ANY]:
            deck = self._won_deck(rules)
            if deck is not None:
                _stored(deck, rules, now, kept_for=RACE)
                return True
        return False

    def add_graded(self, rules: RuleSet, wanted: set[str], now: datetime) -> bool:
        """Try one random deck, and return True if it was one of those that are wanted."""
        deck = self._won_deck(rules)
        if deck is None:
            return False
        grade = grade_of(deck, rules)
        self._in_vain.update((rules.slug, other) for other in wanted)
        if grade not in wanted:
            return False
        self._in_vain[rules.slug, grade] = 0
        _stored(deck, rules, now, kept_for=KeptFor.PRACTICE, grade=grade)
        return True

    def _won_deck(self, rules: RuleSet) -> Deck | None:
        """Return a random deck if it can be won."""
        deck = random_deck(rules)
        can_be = can_be_won(deck, rules)
        self._in_vain[rules.slug, ANY] = 0 if can_be else self._in_vain[rules.slug, ANY] + 1
        return deck if can_be else None


_filling = _Filling()
