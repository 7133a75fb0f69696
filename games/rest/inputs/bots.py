from __future__ import annotations

from typing import ClassVar

from games.kit.rest.inputs import Input, Text
from games.rest.inputs.accounts import NAME
from games.services.accounts import LONGEST_HANDLE


class NewBotInput(Input):
    """A new bot of yours."""

    example: ClassVar = {"handle": "deep-thirteen", "display_name": "Deep Thirteen"}

    handle = Text(max_length=LONGEST_HANDLE, help_text="3 to 32 lower-case letters and digits, single hyphens between.")
    display_name = Text(required=False, help_text="The handle, if it is left out.", **NAME)
