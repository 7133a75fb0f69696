"""Answers of the REST API about results of cups."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal, cast

from msgspec import Meta

from games.doors.wire import JsonObject, Number, Ordinal
from games.play.notation_wire import RuleSlug
from games.players.wire import Id
from leaderboards.boards.wire import RankedPlayer
from leaderboards.cups.results import KnownResult

Medal = Literal["gold", "silver", "bronze"]


class CupPlace(JsonObject, frozen=True):
    """A place in a cup that is over."""

    cup: Id
    rules: RuleSlug
    opened_at: Annotated[datetime, Meta(tz=True)]
    division: Ordinal
    place: Annotated[Ordinal, Meta(description="In the division.")]
    entrants: Annotated[Number, Meta(description="Of the division.")]
    points: Annotated[
        Number | None, Meta(description="Null if it does not count: of a guest, or of the lesser account of a person.")
    ]
    medal: Annotated[Medal | None, Meta(description="Of the first three of the first division, if it counts.")]

    @classmethod
    def of(cls, known: KnownResult) -> CupPlace:
        entry = known.entry
        return cls(
            cup=entry.cup_id,
            rules=entry.cup.rules,
            opened_at=entry.cup.opens_at,
            division=entry.division,
            place=cast(int, entry.place),
            entrants=known.entrants,
            points=known.points,
            medal=cast(Medal | None, known.medal),
        )


class PlayerCups(JsonObject, frozen=True):
    """A player's places in cups."""

    player: RankedPlayer
    places: Annotated[list[CupPlace], Meta(description="The newest first, at most 100.")]
