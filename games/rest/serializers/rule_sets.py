from __future__ import annotations

from typing import Any

from rest_framework import serializers

from games.rules import RULE_SETS, Goal, Match, Peak, RuleSet
from games.rules.prose import describe


class PeakSerializer(serializers.Serializer[Peak]):
    rows = serializers.IntegerField()
    inverted = serializers.BooleanField(help_text="The longest row is dealt first and the tip last.")


class RuleFieldsSerializer(serializers.Serializer[dict[str, object]]):
    """The fields that define the rules; variants differ in nothing else."""

    tableau = PeakSerializer(many=True)
    decks = serializers.IntegerField()
    match = serializers.ChoiceField([match.value for match in Match], help_text="Which ranks leave together.")
    overlap = serializers.BooleanField(help_text="A card may leave together with the one card that covers it.")
    reserve = serializers.ListField(
        child=serializers.IntegerField(), min_length=2, max_length=2, help_text="How many piles of how many cards."
    )
    cells = serializers.IntegerField()
    draw = serializers.IntegerField(help_text="How many cards a draw turns.")
    wastes = serializers.IntegerField()
    stock_open = serializers.BooleanField(help_text="The top of the stock is face up and may be played.")
    stock_seen = serializers.BooleanField(help_text="The whole stock is dealt face up, for all to see.")
    passes = serializers.IntegerField(allow_null=True, help_text="How often the stock is gone through; null: no limit.")
    goal = serializers.ChoiceField([goal.value for goal in Goal], help_text="What has to leave play for a win.")
    face_down = serializers.BooleanField(help_text="Covered cards lie face down.")


class RuleSetSerializer(serializers.Serializer[RuleSet]):
    slug = serializers.CharField()
    title = serializers.CharField()
    aliases = serializers.SerializerMethodField(help_text="Other names under which it is known.")
    fingerprint = serializers.CharField(help_text="A hash of the fields, equal for equal rules.")
    fields = RuleFieldsSerializer()  # type: ignore[assignment]
    text = serializers.SerializerMethodField(help_text="The rules for a person to read.")

    def get_aliases(self, rules: RuleSet) -> list[str]:
        return RULE_SETS.aliases(rules.slug)

    def get_text(self, rules: RuleSet) -> str:
        return describe(rules)


class RuleSetsSerializer(serializers.Serializer[dict[str, Any]]):
    rule_sets = RuleSetSerializer(many=True)
