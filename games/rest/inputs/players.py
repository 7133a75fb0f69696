from __future__ import annotations

from typing import ClassVar

from games.kit.names import LONGEST_NAME
from games.kit.rest.inputs import Input, Text, YesOrNo, require_good_name


class NewGuestInput(Input):
    """A new guest."""

    example: ClassVar = {"display_name": "Alice", "is_bot": False}

    display_name = Text(
        required=False,
        max_length=LONGEST_NAME,
        validators=[require_good_name],
        help_text="A name is made up if there is none.",
    )
    is_bot = YesOrNo(required=False, help_text="Plays by program, and never competes with people.")
