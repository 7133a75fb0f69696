from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from games.deals.daily import DailyState
from games.deals.grading import Grade
from games.deals.policy import Policy
from games.kit.rest.inputs import Day, Input, NumberInQuery
from games.models import DailyDeal
from games.services.disclosure import DisclosedDaily, Reveal


class RevealSerializer(serializers.Serializer[Reveal]):
    """The disclosed deal; docs/daily-deals.md explains how to check it against the commitment."""

    seed = serializers.CharField(help_text="32 bytes, hexadecimal.")
    candidate = serializers.IntegerField(help_text="Which of the decks that the seed leads to, from 0.")
    deck = serializers.CharField()
    par = serializers.IntegerField(allow_null=True, help_text="The fewest moves that win; null if that is not known.")
    greedy_moves = serializers.IntegerField(allow_null=True, help_text="What a greedy player needs; null if it loses.")
    grade = serializers.ChoiceField([grade.value for grade in Grade], allow_null=True)


class DailySerializer(serializers.Serializer[DisclosedDaily]):
    day = serializers.DateField(source="key.day")
    rules = serializers.CharField(source="key.rules")
    division = serializers.CharField(source="key.division")
    state = serializers.ChoiceField([state.value for state in DailyState])
    opens_at = serializers.DateTimeField(source="key.opens_at")
    closes_at = serializers.DateTimeField(source="key.closes_at", help_text="No attempt starts from here on.")
    finish_by = serializers.DateTimeField(source="key.finish_by", help_text="Attempts still being played expire.")
    commitment = serializers.CharField(help_text="SHA-256 of the seed with the day, published when it was made.")
    committed_at = serializers.DateTimeField(help_text="When the deal was committed to; part of the chain.")
    grade = serializers.ChoiceField(
        [grade.value for grade in Grade], allow_null=True, help_text="What it was chosen to be; null: anything."
    )
    is_certified = serializers.BooleanField(help_text="The deal is proved winnable.")
    yours = serializers.BooleanField(
        source="is_yours", help_text="You compete in this division on that day. Whoever is new competes in `open`."
    )
    policy = serializers.SerializerMethodField()
    attempt = serializers.CharField(allow_null=True, help_text="The id of your newest ranked attempt, if there is one.")
    reveal = RevealSerializer(allow_null=True, help_text="Null until `finish_by`.")

    @extend_schema_field(Policy)  # type: ignore[arg-type]  # described by an extension of ours
    def get_policy(self, daily: DisclosedDaily) -> dict[str, Any]:
        return daily.policy.data


class DaySerializer(serializers.Serializer[dict[str, Any]]):
    server_now = serializers.DateTimeField()
    day = serializers.DateField()
    dailies = DailySerializer(many=True)


class DailyHistorySerializer(serializers.Serializer[dict[str, Any]]):
    server_now = serializers.DateTimeField()
    dailies = DailySerializer(many=True, help_text="The newest day first.")
    next = serializers.CharField(allow_null=True, help_text="The address of earlier days, if there may be some.")


class CommitmentSerializer(serializers.Serializer[DailyDeal]):
    """A link of the chain: a commitment, its purpose and its time; see docs/daily-deals.md."""

    number = serializers.IntegerField(help_text="1, 2, 3 ... in the order in which they were made.")
    day = serializers.DateField()
    rules = serializers.CharField()
    division = serializers.CharField()
    grade = serializers.CharField(allow_null=True, help_text="What the deal was chosen to be; null: anything.")
    committed_at = serializers.DateTimeField(help_text="Never before that of the link before.")
    commitment = serializers.CharField()
    formula = serializers.IntegerField(help_text="By which formula the link was made: 2, or 1 in old databases.")
    link = serializers.CharField()


class CommitmentsSerializer(serializers.Serializer[dict[str, Any]]):
    commitments = CommitmentSerializer(many=True, help_text="The oldest first; days that lie ahead too.")
    next = serializers.CharField(allow_null=True, help_text="The address of later ones, if there may be some.")


class CommitmentsInput(Input):
    """The position in the chain to continue from."""

    after = NumberInQuery(required=False, default=0, min_value=0, max_value=2**62, help_text="A number of the chain.")


class DayInput(Input):
    """A day."""

    day = Day()


class DailyHistoryInput(Input):
    """The position in the list of past days to continue from."""

    before = Day(required=False, help_text="Only days before this one; today if it is left out.")
