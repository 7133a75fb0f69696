from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from games.models import GameReview
from games.review import UNKNOWN, Distance, Verdict


@extend_schema_field({"oneOf": [{"type": "integer"}, {"type": "string", "enum": [UNKNOWN]}], "nullable": True})
class DistanceField(serializers.Field[Distance, Any, Distance, Any]):
    """The fewest actions to the win."""

    def __init__(self, **options: Any) -> None:
        super().__init__(read_only=True, **options)

    def to_representation(self, value: Distance) -> Distance:
        return value


class StepSerializer(serializers.Serializer[dict[str, Any]]):
    """The effect of an action on the shortest way to the win."""

    version = serializers.IntegerField(help_text="The version that the action led to.")
    action = serializers.CharField()
    before = DistanceField(help_text="The fewest actions to the win before it; null where there is no win.")
    after = DistanceField(help_text="The same after it.")
    cost = serializers.IntegerField(
        allow_null=True, help_text="The actions that it wasted; below 0 where an undo saved some."
    )
    verdict = serializers.ChoiceField([verdict.value for verdict in Verdict])
    best = serializers.CharField(allow_null=True, help_text="A best move instead, or the action itself.")


class ReviewSerializer(serializers.Serializer[dict[str, Any]]):
    """The review of a finished game."""

    shortest = DistanceField(help_text="The fewest actions in which the deal can be won; null where it cannot.")
    lost_at = serializers.IntegerField(allow_null=True, help_text="From this version on it could not be won any more.")
    accuracy = serializers.FloatField(allow_null=True, help_text="0 to 100; docs/review.md. Null without a decision.")
    critical = serializers.ListField(
        child=serializers.IntegerField(), help_text="The versions of the actions that lost the win or cost most."
    )
    steps = StepSerializer(many=True)


class GameReviewSerializer(serializers.Serializer[GameReview]):
    """A review and its progress."""

    state = serializers.ChoiceField(GameReview.State.values)
    done = serializers.IntegerField(help_text="How many positions are solved.")
    total = serializers.IntegerField(help_text="Of how many; 0 before the work has begun.")
    review = ReviewSerializer(source="result", allow_null=True, help_text="Null unless `state` is `done`.")
