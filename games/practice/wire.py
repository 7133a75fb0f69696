from typing import Annotated, Any, ClassVar, Literal

from django.utils.translation import gettext as _
from msgspec import UNSET, Meta, UnsetType

from games.deals.grading import Grade
from games.doors.wire import Input, Text
from games.play.notation_wire import GameId

RuleSetName = Annotated[Text, Meta(max_length=40)]


class NewGameInput(Input, frozen=True):
    """The kind of game to start."""

    example: ClassVar = {"kind": "practice", "rules": "relaxed"}

    kind: Literal["daily", "practice"]
    rules: Annotated[RuleSetName, Meta(description="The slug, an alias or the title of a rule set.")]
    winnable: Annotated[
        Literal["any", "certified"] | UnsetType,
        Meta(description="Of a practice deal: `any`, or `certified`, proved winnable. `any` if left out."),
    ] = UNSET
    grade: Annotated[Grade | UnsetType, Meta(description="How hard a certified practice deal is; any if left out.")] = (
        UNSET
    )

    def mistakes(self) -> dict[str, str]:
        options = {name for name in ("winnable", "grade") if getattr(self, name)}
        if self.kind == "daily":
            mistake = _("These options are for practice games; all players get the same daily deal.")
            return dict.fromkeys(options, mistake)
        return {"grade": _("Only certified deals have a grade.")} if self.grade and self.winnable != "certified" else {}

    @classmethod
    def document(cls, schema: dict[str, Any]) -> None:
        schema["if"] = {"properties": {"kind": {"const": "daily"}}}
        schema["then"] = {"properties": {"winnable": False, "grade": False}}
        certified = {"required": ["winnable"], "properties": {"winnable": {"const": "certified"}}}
        schema["else"] = {"dependentSchemas": {"grade": certified}}


class GamesInput(Input, frozen=True):
    """The position in the player's list of games to continue from."""

    before: Annotated[GameId | UnsetType, Meta(description="The id of a game of yours: only games older than it.")] = (
        UNSET
    )
