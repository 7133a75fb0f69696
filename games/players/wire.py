from __future__ import annotations

from datetime import datetime
from typing import Annotated

from msgspec import Meta

from games.doors.wire import Check, JsonObject, Text, documented
from games.players import models
from games.players.lookalikes import LONGEST_NAME, mistake_in
from games.players.models import ID_ALPHABET, ID_LENGTH

Time = Annotated[datetime, Meta(tz=True)]
# Of a deal or a race.
Id = Annotated[str, Meta(pattern=f"^[{ID_ALPHABET}]{{{ID_LENGTH}}}$", max_length=ID_LENGTH)]
HANDLE = "^[a-z0-9][a-z0-9-]{0,31}$"
Handle = Annotated[str, Meta(pattern=HANDLE, max_length=32)]
# Classes of Unicode, which not all validators know, are left to the check.
VISIBLE = r"^[^\u0000-\u001f\u007f-\u009f]*[^\s\u0000-\u001f\u007f-\u009f][^\u0000-\u001f\u007f-\u009f]*$"
Name = Annotated[Text, Meta(max_length=LONGEST_NAME), documented(pattern=VISIBLE), Check(mistake_in)]
DisplayName = Annotated[str, Meta(min_length=1, max_length=LONGEST_NAME)]


class Player(JsonObject, frozen=True):
    """A player."""

    handle: Annotated[
        Handle, Meta(description="The name in addresses and records; a guest chooses it once, by claiming the account.")
    ]
    display_name: DisplayName
    is_guest: bool
    is_bot: Annotated[bool, Meta(description="Plays by program and says so.")]

    @classmethod
    def of(cls, row: models.Player) -> Player:
        return cls(row.username, row.display_name, row.is_guest, row.is_bot)
