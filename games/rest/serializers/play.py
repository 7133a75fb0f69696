from __future__ import annotations

from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from games.rest.inputs import Input, Text, WholeNumber
from games.rules import Outcome, Play
from games.services.turns import Turn
from games.session import State

UNFINISHED = "*"
LATEST_VERSION = 2**31 - 1
LATEST_CLIENT_MS = 2**53 - 1
LONGEST_ACTION = 16

RESULTS = [outcome.value for outcome in Outcome]
OUTCOMES = [Outcome.WON.value, Outcome.STUCK.value]


def _outcome(**options: Any) -> serializers.ChoiceField:
    return serializers.ChoiceField(
        OUTCOMES, allow_null=True, help_text="`stuck` where no removal can be reached any more.", **options
    )


def _legal(**options: Any) -> serializers.ListField:
    return serializers.ListField(
        child=serializers.CharField(), help_text="The moves that may be made now, sorted.", **options
    )


class StateSerializer(serializers.Serializer[State]):
    """A game as its player may know it."""

    version = serializers.IntegerField(help_text="How many actions there are so far; the next one names it.")
    rules = serializers.CharField(source="position.rules.slug")
    position = serializers.CharField(source="position.text", help_text="docs/notation.md; `??` is an unseen card.")
    legal = _legal()
    moves = serializers.IntegerField()
    elapsed_ms = serializers.IntegerField()
    outcome = _outcome()
    result = serializers.SerializerMethodField(help_text="How the game ended; `*` while it is played.")

    @extend_schema_field({"type": "string", "pattern": rf"^({'|'.join(RESULTS)}|\{UNFINISHED})$"})
    def get_result(self, state: State) -> str:
        return state.result or UNFINISHED


class FinishedSerializer(serializers.Serializer[Play]):
    """How a game ended."""

    version = serializers.IntegerField()
    result = serializers.ChoiceField(RESULTS)
    moves = serializers.IntegerField()
    elapsed_ms = serializers.IntegerField(help_text="Until the last action.")
    cards_left = serializers.IntegerField(source="position.cards_left")


class PlayedSerializer(serializers.Serializer[Turn]):
    """An action that is durable."""

    version = serializers.IntegerField(source="step.version", help_text="The version that the action led to.")
    move = serializers.CharField(source="step.action", help_text="The action in its one canonical spelling.")
    revealed = serializers.ListField(
        source="step.revealed", child=serializers.CharField(), help_text="The cards that it turned up, the first time."
    )
    legal = _legal(source="step.legal")
    moves = serializers.IntegerField(source="step.moves")
    at_ms = serializers.IntegerField(source="step.at_ms", help_text="Server milliseconds since the game started.")
    outcome = _outcome(source="step.outcome")
    finished = FinishedSerializer(allow_null=True, help_text="Null while the game goes on.")


class VersionInput(Input):
    """A command that was chosen at a version of a game."""

    example: ClassVar = {"version": 12}

    version = WholeNumber(min_value=0, max_value=LATEST_VERSION, help_text="The version that the player looked at.")


class ActionInput(VersionInput):
    """An action that was chosen at a version of a game."""

    example: ClassVar = {"version": 0, "action": "D", "client_ms": 1500}

    action = Text(max_length=LONGEST_ACTION, help_text="`D`, `R`, `4s9s`, `Kd`, `P4s`, `U` (undo) or `Y` (redo).")
    client_ms = WholeNumber(
        required=False,
        allow_null=True,
        min_value=0,
        max_value=LATEST_CLIENT_MS,
        help_text="The client's own clock. Evidence only: the server's ranks.",
    )
