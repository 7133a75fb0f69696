from __future__ import annotations

from typing import Annotated

import msgspec
from django.urls import path
from msgspec import Meta
from rest_framework.request import Request
from rest_framework.response import Response

from games import rules
from games.doors.rest.openapi import FOR_ALL, Answer, operation
from games.doors.scopes import Scope
from games.doors.wire import JsonObject, Number, Ordinal
from games.play import examples
from games.play.notation_wire import RuleSlug
from games.players.endpoint import Endpoint
from games.rules import RULE_SETS, Goal, Match, UnknownRuleSet
from games.rules.prose import describe


class Peak(JsonObject, frozen=True):
    """A triangle of cards."""

    rows: Ordinal
    inverted: Annotated[bool, Meta(description="The longest row is dealt first and the tip last.")]


class RuleFields(JsonObject, frozen=True):
    """The fields that define the rules; variants differ in nothing else."""

    tableau: list[Peak]
    decks: Ordinal
    match: Annotated[Match, Meta(description="Which ranks leave together.")]
    overlap: Annotated[bool, Meta(description="A card may leave together with the one card that covers it.")]
    reserve: Annotated[list[Number], Meta(min_length=2, max_length=2, description="How many piles of how many cards.")]
    cells: Number
    draw: Annotated[Ordinal, Meta(description="How many cards a draw turns.")]
    wastes: Number
    stock_open: Annotated[bool, Meta(description="The top of the stock is face up and may be played.")]
    stock_seen: Annotated[bool, Meta(description="The whole stock is dealt face up, for all to see.")]
    passes: Annotated[Ordinal | None, Meta(description="How often the stock is gone through; null: no limit.")]
    goal: Annotated[Goal, Meta(description="What has to leave play for a win.")]
    face_down: Annotated[bool, Meta(description="Covered cards lie face down.")]


class RuleSet(JsonObject, frozen=True):
    """A rule set."""

    slug: RuleSlug
    title: str
    aliases: Annotated[list[RuleSlug], Meta(description="Other names under which it is known.")]
    fingerprint: Annotated[
        str, Meta(pattern="^[0-9a-f]{16}$", description="A hash of the fields, equal for equal rules.")
    ]
    fields: RuleFields
    text: Annotated[str, Meta(description="The rules for a person to read.")]

    @classmethod
    def of(cls, named: rules.RuleSet) -> RuleSet:
        return cls(
            slug=named.slug,
            title=named.title,
            aliases=RULE_SETS.aliases(named.slug),
            fingerprint=named.fingerprint,
            fields=msgspec.convert(named.fields, RuleFields),
            text=describe(named),
        )


class RuleSets(JsonObject, frozen=True):
    """All rule sets."""

    rule_sets: list[RuleSet]


class AllRuleSets(Endpoint):
    @operation("list_rule_sets", Answer(RuleSets([RuleSet.of(RULE_SETS["standard"])])), FOR_ALL, scope=Scope.READ)
    def get(self, request: Request) -> Response:
        """List the rule sets."""
        return Response(RuleSets([RuleSet.of(named) for named in RULE_SETS.values()]))


class OneRuleSet(Endpoint):
    @operation("read_rule_set", Answer(RuleSet.of(examples.RULES)), (*FOR_ALL, UnknownRuleSet), scope=Scope.READ)
    def get(self, request: Request, slug: str) -> Response:
        """Read a rule set, by its slug or an alias."""
        return Response(RuleSet.of(RULE_SETS[slug]))


urlpatterns = [
    path("rules/", AllRuleSets.as_view(), name="rule-sets"),
    path("rules/<str:slug>/", OneRuleSet.as_view(), name="rule-set"),
]
