"""The types of ratings over REST."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from games.doors.wire import Input, JsonObject, Number, Ordinal
from games.players.wire import Player
from games.races import strength
from games.races.strength import Family


class RatingsInput(Input, frozen=True):
    """A table of ratings."""

    family: Annotated[Family, Meta(description="A family of rule sets.")] = Family.THIRTEEN
    of: Annotated[Literal["people", "bots"], Meta(description="Both are rated among themselves.")] = "people"
    limit: Annotated[int, Meta(ge=1, le=100, description="How many rows at most.")] = 100


class Rating(JsonObject, frozen=True):
    """A rating from races under the rule sets of a family; people and bots are rated separately."""

    family: Family
    rating: int
    uncertainty: Annotated[Number, Meta(description="Two standard deviations of the rating.")]
    races: Annotated[Number, Meta(description="The number of rated races.")]
    is_provisional: Annotated[bool, Meta(description="Until ten races are rated.")]

    @classmethod
    def of(cls, family: str, figures: strength.Figures) -> Rating:
        return cls(Family(family), *figures, is_provisional=figures.is_provisional)


class RatedPlayer(JsonObject, frozen=True):
    """A player on a table of ratings."""

    place: Ordinal
    player: Player
    rating: Rating


class Ratings(JsonObject, frozen=True):
    """The best ratings of a family that are not provisional, of people or of bots."""

    family: Family
    of: Literal["people", "bots"]
    rows: list[RatedPlayer]
