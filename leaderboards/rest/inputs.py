"""Query strings of the endpoints."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.exceptions import ValidationError

from games.kit.rest.inputs import Day, Input
from leaderboards.boards import TABLES, Period

HANDLE = r"^[a-z0-9][a-z0-9-]{0,31}\Z"
MOST_ROWS = 100
MOST_PLAYERS = 50
MOST_BINS = 100


class BoardsInput(Input):
    day = Day(required=False, help_text="A UTC day; today if it is left out.")
    period = serializers.ChoiceField([period.value for period in Period], required=False)
    rules = serializers.CharField(required=False, help_text="A rule set.")
    division = serializers.CharField(required=False, help_text="A division, for example `open` or `open-bots`.")


class ViewInput(Input):
    """A version of a board, and a part of its entries."""

    as_of = serializers.DateTimeField(required=False, help_text="The board as it was at this time.")
    verified = serializers.BooleanField(default=False, help_text="Only entries that were re-executed or reinstated.")
    following = serializers.BooleanField(default=False, help_text="Only you and the players whom you follow.")


class TableInput(ViewInput):
    limit = serializers.IntegerField(
        min_value=1, max_value=MOST_ROWS, default=20, help_text="How many rows to return at most."
    )
    around = serializers.RegexField(
        HANDLE, required=False, help_text="The handle of a player whose row is to be in the middle."
    )
    cursor = serializers.CharField(
        required=False, max_length=8192, help_text="`next` of an earlier answer; continues in the same version."
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        given = set(self.initial_data) & {"around", "cursor", "as_of", "verified", "following"}
        if "cursor" in attrs and given != {"cursor"}:
            raise ValidationError({"cursor": [_("A cursor says everything but the limit.")]})
        return attrs


class PlayersInput(ViewInput):
    handles = serializers.CharField(help_text=f"Up to {MOST_PLAYERS} handles, separated by commas.")

    def validate_handles(self, text: str) -> list[str]:
        handles = [handle.strip() for handle in text.split(",")]
        if len(handles) > MOST_PLAYERS:
            raise ValidationError(_("At most %(count)d handles.") % {"count": MOST_PLAYERS})
        for handle in handles:
            serializers.RegexField(HANDLE).run_validation(handle)
        return handles


class HistogramInput(ViewInput):
    field = serializers.ChoiceField(
        sorted({field for order in TABLES.values() for field in order.fields}),
        required=False,
        help_text="One of the board's `order`; the first of it if it is left out.",
    )
    bins = serializers.IntegerField(min_value=1, max_value=MOST_BINS, default=20, help_text="How many bins at most.")
