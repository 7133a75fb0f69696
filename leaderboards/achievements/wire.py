"""Answers of the REST API about achievements."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from msgspec import Meta

from games.doors.wire import Code, JsonObject
from leaderboards.achievements import catalog
from leaderboards.achievements.catalog import BY_CODE
from leaderboards.achievements.models import Award
from leaderboards.boards.wire import RankedPlayer


class Achievement(JsonObject, frozen=True):
    """Something to achieve; title and text are in the language that is asked for."""

    code: Code
    title: str
    text: Annotated[str, Meta(description="What it takes.")]

    @classmethod
    def of(cls, definition: catalog.Achievement) -> Achievement:
        return cls(definition.code, str(definition.title), str(definition.text))


class Achievements(JsonObject, frozen=True):
    """All achievements there are."""

    achievements: list[Achievement]


class Achieved(JsonObject, frozen=True):
    """An achievement of a player, and when it was awarded."""

    achievement: Achievement
    at: Annotated[datetime, Meta(tz=True)]

    @classmethod
    def of(cls, award: Award) -> Achieved:
        return cls(Achievement.of(BY_CODE[award.code]), award.at)


class PlayerAchievements(JsonObject, frozen=True):
    """The achievements of a player."""

    player: RankedPlayer
    achieved: Annotated[list[Achieved], Meta(description="Newest first.")]
