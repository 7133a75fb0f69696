from __future__ import annotations

from rest_framework import serializers

from games.rest.serializers.players import PlayerSerializer
from games.services.statistics import Best, Statistics, Streak


class StreakSerializer(serializers.Serializer[Streak]):
    """UTC days in a row."""

    current = serializers.IntegerField(help_text="Ends today or yesterday; 0 as soon as a whole day was left out.")
    longest = serializers.IntegerField()


class BestSerializer(serializers.Serializer[Best]):
    """The best of the ranked games won under a rule set."""

    rules = serializers.CharField()
    moves = serializers.IntegerField(help_text="The fewest moves.")
    elapsed_ms = serializers.IntegerField(help_text="The shortest time, not always of the same game.")


class StatisticsSerializer(serializers.Serializer[Statistics]):
    player = PlayerSerializer()
    played = StreakSerializer(help_text="Days on which a ranked attempt was started, whatever became of it.")
    won = StreakSerializer(help_text="Days of which a daily deal was won.")
    bests = BestSerializer(many=True, help_text="By rule set; none without a win.")
