from __future__ import annotations

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from games.deals.grading import Grade
from games.models import Game
from games.rules import Outcome
from games.services.shared_deals import SharedDeal


class ResultSerializer(serializers.Serializer[Game]):
    """The result of a game on the deal."""

    result = serializers.ChoiceField([outcome.value for outcome in Outcome], source="status")
    cards_left = serializers.IntegerField()
    moves = serializers.IntegerField()
    elapsed_ms = serializers.IntegerField()


class SharedDealSerializer(serializers.Serializer[SharedDeal]):
    """A deal that anyone may practise on, without its cards."""

    id = serializers.CharField(source="deal.id")
    rules = serializers.CharField(source="deal.rules")
    day = serializers.DateField(allow_null=True, help_text="The day whose daily deal it was; null for a practice deal.")
    par = serializers.IntegerField(source="deal.par", allow_null=True, help_text="The fewest moves that win, if known.")
    grade = serializers.ChoiceField([grade.value for grade in Grade], source="deal.grade", allow_null=True)
    best = ResultSerializer(allow_null=True, help_text="The best of all its games that took no hint.")
    yours = ResultSerializer(allow_null=True, help_text="The best of your own games on it.")
    page = serializers.SerializerMethodField(help_text="The page to send to others.")

    @extend_schema_field(str)
    def get_page(self, shared: SharedDeal) -> str:
        return f"/deals/{shared.deal.id}/"
