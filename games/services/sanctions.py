"""Which games count: the one rule that bests, streaks and all other figures ask, beside the score tables."""

from __future__ import annotations

from collections.abc import Callable

from django.db.models import QuerySet

from games.models import Game

Rule = Callable[[QuerySet[Game]], QuerySet[Game]]

_rules: list[Rule] = []


def register(rule: Rule) -> None:
    """Have a rule leave games out; apps above this one, which decide about scores, call it when they are ready."""
    _rules.append(rule)


def counting(games: QuerySet[Game]) -> QuerySet[Game]:
    """Return those of some games that count."""
    for rule in _rules:
        games = rule(games)
    return games
