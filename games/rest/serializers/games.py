from __future__ import annotations

from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import ValidationError

from games.deals.grading import Grade
from games.models import ID_LENGTH, Game
from games.rest.inputs import Choice, Input, Text
from games.rest.serializers.players import PlayerSerializer
from games.rest.serializers.policies import PolicySerializer

DAILY, PRACTICE = "daily", "practice"
KINDS = [DAILY, PRACTICE]
ANY, CERTIFIED = "any", "certified"
WINNABLE = [ANY, CERTIFIED]


class GameSerializer(serializers.Serializer[Game]):
    """A game without its cards. What counts a finished game is null while it is played."""

    id = serializers.CharField()
    kind = serializers.SerializerMethodField()
    rules = serializers.CharField(source="deal.rules")
    deal = serializers.CharField(source="deal_id")
    day = serializers.DateField(source="daily.day", allow_null=True, help_text="The day of a daily deal.")
    division = serializers.CharField(source="daily.division", allow_null=True, help_text="That of a daily deal.")
    attempt = serializers.SerializerMethodField(help_text="1, 2, 3 ... of your ranked attempts; null for practice.")
    policy = PolicySerializer(source="terms")
    player = PlayerSerializer()
    status = serializers.ChoiceField(Game.Status.values)
    created_at = serializers.DateTimeField()
    started_at = serializers.DateTimeField(allow_null=True, help_text="When the layout was first sent.")
    finished_at = serializers.DateTimeField(allow_null=True)
    elapsed_ms = serializers.IntegerField(allow_null=True)
    credit_ms = serializers.IntegerField(
        help_text="How long no server was up before the game ended; not part of `elapsed_ms`."
    )
    moves = serializers.IntegerField(allow_null=True)
    draws = serializers.IntegerField(allow_null=True)
    recycles = serializers.IntegerField(allow_null=True)
    undos = serializers.IntegerField(allow_null=True)
    hints = serializers.IntegerField(allow_null=True)
    cards_left = serializers.IntegerField(allow_null=True)
    socket = serializers.SerializerMethodField(help_text="Where the game can be played live.")

    @extend_schema_field(serializers.ChoiceField(KINDS))
    def get_kind(self, game: Game) -> str:
        return DAILY if game.is_ranked else PRACTICE

    @extend_schema_field(serializers.IntegerField(allow_null=True))
    def get_attempt(self, game: Game) -> int | None:
        return game.attempt if game.is_ranked else None

    def get_socket(self, game: Game) -> str:
        return f"/ws/games/{game.id}/"


class GamesSerializer(serializers.Serializer[dict[str, Any]]):
    games = GameSerializer(many=True, help_text="The newest first.")
    next = serializers.CharField(allow_null=True, help_text="The address of older games, if there may be some.")


class RecordSerializer(serializers.Serializer[dict[str, Any]]):
    record = serializers.CharField(help_text="Cards that the reader may not know are `??` in its deck.")


class NewGameInput(Input):
    """What to play."""

    example: ClassVar = {"kind": PRACTICE, "rules": "relaxed"}

    kind = Choice(KINDS)
    rules = Text(max_length=40, help_text="The slug, an alias or the title of a rule set.")
    winnable = Choice(
        WINNABLE,
        required=False,
        help_text="Of a practice deal: `any`, or `certified`, proved winnable. `any` if left out.",
    )
    grade = Choice(
        [grade.value for grade in Grade],
        required=False,
        help_text="How hard a certified practice deal is; any if left out.",
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if attrs["kind"] == DAILY and (chosen := attrs.keys() & {"winnable", "grade"}):
            raise ValidationError(dict.fromkeys(chosen, "A daily deal is not chosen."))
        if "grade" in attrs and attrs.get("winnable") != CERTIFIED:
            raise ValidationError({"grade": "Only certified deals have a grade."})
        return attrs


class GamesInput(Input):
    """Where to go on in the list of one's games."""

    before = Text(
        required=False, max_length=ID_LENGTH, help_text="The id of a game of yours: only games older than it."
    )


class NothingInput(Input):
    """No field at all."""
