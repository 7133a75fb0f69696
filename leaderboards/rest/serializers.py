"""What the score tables' endpoints take and give."""

from __future__ import annotations

from drf_spectacular.utils import inline_serializer
from rest_framework import serializers

from games.models import Player
from games.rest.inputs import Day, Input
from leaderboards.boards import TABLES
from leaderboards.models import Board
from leaderboards.ranking import Ranked
from leaderboards.services.reading import Table

HANDLE = r"^[a-z0-9][a-z0-9-]{0,31}\Z"
MOST_ROWS = 100


class BoardsQuery(Input):
    day = Day(required=False, help_text="A UTC day; today if it is left out.")


class BoardQuery(Input):
    limit = serializers.IntegerField(
        min_value=1, max_value=MOST_ROWS, default=20, help_text="How many rows to return at most."
    )
    around = serializers.RegexField(
        HANDLE, required=False, help_text="The handle of a player whose row is to be in the middle."
    )


class BoardSerializer(serializers.ModelSerializer[Board]):
    day = serializers.DateField(source="key.day")
    rules = serializers.CharField(source="key.rules")
    division = serializers.CharField(source="key.division_name")
    table = serializers.ChoiceField(source="key.table", choices=list(TABLES))
    order = serializers.ListField(
        source="key.order.fields",
        child=serializers.CharField(),
        help_text="What rows are compared by, weightiest first.",
    )
    version = serializers.IntegerField(help_text="How many changes the board has seen.")

    class Meta:
        model = Board
        fields = ("slug", "day", "rules", "division", "table", "order", "version")


class RankedPlayerSerializer(serializers.ModelSerializer[Player]):
    handle = serializers.CharField(source="username")
    display_name = serializers.CharField()
    is_bot = serializers.BooleanField()

    class Meta:
        model = Player
        fields = ("handle", "display_name", "is_bot")


class RowSerializer(serializers.Serializer[Ranked]):
    rank = serializers.IntegerField(min_value=1, help_text="Equal scores share a rank: 1, 2, 2, 4.")
    player = RankedPlayerSerializer(source="entry.player")
    game = serializers.CharField(source="entry.game_id")
    cards_left = serializers.IntegerField(source="entry.game.cards_left")
    moves = serializers.IntegerField(source="entry.game.moves")
    elapsed_ms = serializers.IntegerField(source="entry.game.elapsed_ms")
    result = serializers.ChoiceField(source="entry.game.status", choices=["won", "stuck", "resigned", "expired"])
    at = serializers.DateTimeField(source="entry.game.finished_at")


class TableSerializer(serializers.Serializer[Table]):
    board = BoardSerializer()
    count = serializers.IntegerField(help_text="How many entries the board has in all.")
    rows = RowSerializer(many=True)


ERROR = inline_serializer(
    "Error",
    fields={
        "code": serializers.CharField(),
        "message": serializers.CharField(),
        "fields": serializers.DictField(required=False),
    },
)
