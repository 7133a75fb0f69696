from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from games.kit.rest.endpoint import Endpoint
from games.kit.rest.openapi import FOR_ALL, Answer, operation
from games.rest.serializers.rule_sets import RuleSetSerializer, RuleSetsSerializer
from games.rules import RULE_SETS, UnknownRuleSet


class RuleSets(Endpoint):
    @operation("list_rule_sets", Answer(RuleSetsSerializer, {"rule_sets": [RULE_SETS["standard"]]}), FOR_ALL)
    def get(self, request: Request) -> Response:
        """List the rule sets."""
        return Response(RuleSetsSerializer({"rule_sets": list(RULE_SETS.values())}).data)


class OneRuleSet(Endpoint):
    @operation("read_rule_set", Answer(RuleSetSerializer, RULE_SETS["relaxed"]), (*FOR_ALL, UnknownRuleSet))
    def get(self, request: Request, slug: str) -> Response:
        """Read a rule set, by its slug or an alias."""
        return Response(RuleSetSerializer(RULE_SETS[slug]).data)
