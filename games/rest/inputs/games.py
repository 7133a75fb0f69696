from __future__ import annotations

from typing import Any, ClassVar

from django.utils.translation import gettext as _
from rest_framework.exceptions import ValidationError

from games.deals.grading import Grade
from games.kit.rest.inputs import Choice, Input, Text
from games.models import ID_LENGTH

DAILY, PRACTICE = "daily", "practice"
KINDS = [DAILY, PRACTICE]
ANY, CERTIFIED = "any", "certified"
WINNABLE = [ANY, CERTIFIED]


class NewGameInput(Input):
    """The kind of game to start."""

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
            raise ValidationError(
                dict.fromkeys(chosen, _("These options are for practice games; all players get the same daily deal."))
            )
        if "grade" in attrs and attrs.get("winnable") != CERTIFIED:
            raise ValidationError({"grade": _("Only certified deals have a grade.")})
        return attrs


class GamesInput(Input):
    """The position in the player's list of games to continue from."""

    before = Text(
        required=False, max_length=ID_LENGTH, help_text="The id of a game of yours: only games older than it."
    )


class NothingInput(Input):
    """An empty body."""
