"""The commands of a player."""

from __future__ import annotations

from typing import ClassVar

from games.kit.rest.inputs import Input, Text, WholeNumber

LATEST_VERSION = 2**31 - 1
LATEST_CLIENT_MS = 2**53 - 1
LONGEST_ACTION = 16


class VersionInput(Input):
    """A command, chosen at a version of the game."""

    example: ClassVar = {"version": 12}

    version = WholeNumber(min_value=0, max_value=LATEST_VERSION, help_text="The version that the player looked at.")


class ActionInput(VersionInput):
    """An action, chosen at a version of the game."""

    example: ClassVar = {"version": 0, "action": "D", "client_ms": 1500}

    action = Text(
        max_length=LONGEST_ACTION, help_text="`D`, `R`, `4s9s`, `Kd`, `P4s`, `U` (undo), `Y` (redo) or `H` (hint)."
    )
    client_ms = WholeNumber(
        required=False,
        allow_null=True,
        min_value=0,
        max_value=LATEST_CLIENT_MS,
        help_text="The client's own clock. Evidence only: the server's ranks.",
    )
