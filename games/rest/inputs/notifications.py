from __future__ import annotations

from typing import ClassVar

from rest_framework.exceptions import ValidationError

from games.kit.rest.inputs import Input, ListOf, NumberInQuery, Text, WholeNumber, YesOrNo
from games.services.notifications import kinds

LARGEST_ID = 2**62
MOST_KINDS = 50


class NotificationsInput(Input):
    """The position in the list to continue from."""

    before = NumberInQuery(required=False, min_value=1, max_value=LARGEST_ID, help_text="The id of a notification.")


class ReadUpToInput(Input):
    """Up to which one all are read, or that one alone."""

    example: ClassVar = {"up_to": 7}

    up_to = WholeNumber(min_value=0, max_value=LARGEST_ID, help_text="The id of a notification.")
    only = YesOrNo(default=False, help_text="Only that one, and none before it.")


def require_optional(code: str) -> None:
    """Refuse a kind that does not exist or cannot be switched off."""
    if code not in {kind.code for kind in kinds() if kind.is_optional}:
        raise ValidationError("There is no such kind that can be switched off.")


class NotificationSettingsInput(Input):
    """The kinds of notifications that you do not want."""

    example: ClassVar = {"off": []}

    off = ListOf(
        child=Text(max_length=24, validators=[require_optional]),
        max_length=MOST_KINDS,
        help_text="All others are on.",
    )
