from __future__ import annotations

from typing import Any, ClassVar

from rest_framework import serializers

from games.models import Player
from games.rest.inputs import Input, Text, YesOrNo, require_printable
from games.services.players import SignedIn


class PlayerSerializer(serializers.Serializer[Player]):
    handle = serializers.CharField(
        source="username",
        help_text="The name in addresses and records; a guest chooses it once, by claiming the account.",
    )
    display_name = serializers.CharField()
    is_guest = serializers.BooleanField()
    is_bot = serializers.BooleanField(help_text="Plays by program and says so.")


class SignedInSerializer(serializers.Serializer[SignedIn]):
    player = PlayerSerializer()
    token = serializers.CharField(help_text="A key to this account, for a guest the only one; it is shown this once.")
    expires_at = serializers.DateTimeField(help_text="When the token ends unless it is used before.")


class TicketSerializer(serializers.Serializer[dict[str, Any]]):
    ticket = serializers.CharField(help_text="Opens sockets: `/ws/games/{id}/?ticket=...`.")
    expires_in = serializers.IntegerField(help_text="Seconds.")


class NewGuestInput(Input):
    """Who wants to play."""

    example: ClassVar = {"display_name": "Alice", "is_bot": False}

    display_name = Text(
        required=False, max_length=40, validators=[require_printable], help_text="A name is made up if there is none."
    )
    is_bot = YesOrNo(required=False)
