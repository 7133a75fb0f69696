from __future__ import annotations

from rest_framework import serializers

from games.deals.policy import Policy


class PolicySerializer(serializers.Serializer[Policy]):
    """What a game allows besides playing, fixed when it starts."""

    attempts = serializers.IntegerField(help_text="How many ranked attempts a player has at one deal.")
    undo = serializers.BooleanField()
    hints = serializers.BooleanField()
    restart = serializers.BooleanField()
    loss_notices = serializers.BooleanField(help_text="The socket tells when the game cannot be won any more.")
    practice_after = serializers.BooleanField(help_text="Practice on the deal once the own attempts have ended.")
    minimum_age_days = serializers.IntegerField(help_text="Days since the account was claimed, for `main`.")
    minimum_finished_games = serializers.IntegerField(help_text="Finished games of the account, for `main`.")
