"""Serializers for the answers of the endpoints."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from games.models import Game, Player
from leaderboards.boards import TABLES, Period
from leaderboards.models import Board, Decision, Entry, State
from leaderboards.services.histogram import Histogram
from leaderboards.services.reading import Row, Standing


class BoardSerializer(serializers.Serializer[Board]):
    slug = serializers.CharField()
    period = serializers.ChoiceField([period.value for period in Period], source="key.period")
    first_day = serializers.DateField(source="key.first", help_text="0001-01-01 for all time.")
    last_day = serializers.DateField(source="key.last", help_text="9999-12-31 for all time.")
    rules = serializers.CharField(source="key.rules")
    division = serializers.CharField(source="key.division_name")
    table = serializers.ChoiceField(list(TABLES), source="key.table")
    order = serializers.ListField(
        source="key.order.fields",
        child=serializers.CharField(),
        help_text="What rows are compared by, weightiest first.",
    )
    version = serializers.IntegerField(help_text="How many changes the board has seen.")


class BoardsSerializer(serializers.Serializer[dict[str, Any]]):
    boards = BoardSerializer(many=True)


class RankedPlayerSerializer(serializers.Serializer[Player]):
    handle = serializers.CharField(source="listed_handle")
    display_name = serializers.CharField(source="listed_name")
    is_bot = serializers.BooleanField()


class ScoreSerializer(serializers.Serializer[Entry]):
    """A score: of a game, with `game` and `result`, or a sum of points, with `points` and `wins`."""

    player = RankedPlayerSerializer()
    game = serializers.CharField(source="game_id", allow_null=True)
    points = serializers.IntegerField(source="score.points", required=False)
    wins = serializers.IntegerField(source="score.wins", required=False)
    cards_left = serializers.IntegerField(source="score.cards_left", required=False)
    moves = serializers.IntegerField(source="score.moves")
    elapsed_ms = serializers.IntegerField(source="score.elapsed_ms", required=False)
    result = serializers.ChoiceField(
        [status for status in Game.Status.values if status != Game.Status.PLAYING], source="game.status", required=False
    )
    score_state = serializers.ChoiceField(State.values, source="state")
    at = serializers.DateTimeField(help_text="When the game ended, or when the sum became what it is.")


class RowSerializer(ScoreSerializer):
    """A score with its rank."""

    rank = serializers.IntegerField(help_text="Equal scores share a rank: 1, 2, 2, 4.")
    place = serializers.IntegerField(help_text="The number of the row, from 1.")

    def to_representation(self, instance: Any) -> dict[str, Any]:
        row: Row = instance
        numbers = {"rank": row.place.rank, "place": row.place.place}
        return {**numbers, **ScoreSerializer(row.entry).data}


class AmendmentSerializer(serializers.Serializer[Decision]):
    """A change by two reviewers after the day was final."""

    game = serializers.CharField(source="game_id")
    score_state = serializers.ChoiceField(State.values, source="state")
    reason = serializers.CharField()
    at = serializers.DateTimeField()


class TableSerializer(serializers.Serializer[dict[str, Any]]):
    board = BoardSerializer()
    version = serializers.IntegerField(help_text="The version of the board that the rows are of.")
    count = serializers.IntegerField(help_text="How many entries there are in all.")
    rows = RowSerializer(many=True)
    amendments = AmendmentSerializer(many=True, help_text="What two reviewers changed on a final day.")
    next = serializers.CharField(allow_null=True, help_text="The `cursor` of the rows that follow, if there are any.")


class StandingSerializer(serializers.Serializer[Standing]):
    row = RowSerializer()
    percentile = serializers.FloatField(
        help_text="Percent of the entries that this one equals or beats, itself included."
    )


class StandingsSerializer(serializers.Serializer[dict[str, Any]]):
    version = serializers.IntegerField()
    standings = StandingSerializer(many=True, help_text="Those of the players that are on the board, the best first.")
    missing = serializers.ListField(child=serializers.CharField(), help_text="The handles that are not.")


class HistogramSerializer(serializers.Serializer[Histogram]):
    """Bin i counts the values from `start + i * width` up to, but not including, the start of the next bin."""

    field = serializers.CharField()
    start = serializers.IntegerField()
    width = serializers.IntegerField()
    counts = serializers.ListField(child=serializers.IntegerField())


class ChangeSerializer(serializers.Serializer[Entry]):
    """A score as it stood from a version of the board on."""

    version = serializers.IntegerField(source="valid_from")
    changed_at = serializers.DateTimeField()
    listed = serializers.BooleanField(help_text="Whether it had a rank. A better game or a disqualification takes it.")
    score = ScoreSerializer(source="*")


class HistorySerializer(serializers.Serializer[dict[str, Any]]):
    changes = ChangeSerializer(many=True)


class FollowedSerializer(serializers.Serializer[dict[str, Any]]):
    players = RankedPlayerSerializer(many=True)
