"""The data of events, as webhooks send them."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from games.players.wire import DisplayName
from leaderboards.webhooks.models import WebhookEvent

Count = Annotated[int, Meta(ge=0)]
Slug = Annotated[str, Meta(pattern="^[a-z0-9.-]+$", max_length=80)]
PublishedState = Literal["disqualified", "reinstated"]
Sha256 = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]


class DealOfADay(msgspec.Struct, frozen=True):
    """A deal by its rule set and division; `/api/daily/` has the rest."""

    rules: Slug
    division: Slug


class DealsOfADay(msgspec.Struct, frozen=True):
    """The deals of a day that was opened or closed."""

    day: date
    deals: list[DealOfADay]


class SealedDay(msgspec.Struct, frozen=True):
    """A day whose results are sealed: their number, and the root of their tree."""

    day: date
    count: Count
    root: Sha256


class ClosedSeason(msgspec.Struct, frozen=True):
    """A month whose table is frozen, with the number of its players."""

    season: Slug
    month: Annotated[str, Meta(pattern=r"^\d{4}-\d{2}$")]
    count: Count


class ClubOfAWeek(msgspec.Struct, frozen=True):
    """A club with the sum of its best members, and how many are summed."""

    id: Annotated[str, Meta(pattern="^[0-9a-z]+$", max_length=40)]
    name: DisplayName
    rank: Count
    points: Count
    members: Count


class ClubsOfAWeek(msgspec.Struct, frozen=True):
    """The first three clubs of a week that does not change any more; `/api/clubs/weeks/` has the rest."""

    week: Annotated[str, Meta(pattern=r"^\d{4}-W\d{2}$")]
    rules: Slug
    division: Slug
    clubs: list[ClubOfAWeek]


class PublishedDecision(msgspec.Struct, frozen=True):
    """A decision about a score; `day` is null for a game that is of no day."""

    game: Annotated[str, Meta(pattern="^[0-9a-z]+$", max_length=40)]
    day: date | None
    state: PublishedState
    reason: str


EVENTS: dict[WebhookEvent, tuple[type[msgspec.Struct], str]] = {
    WebhookEvent.DAY_OPENED: (DealsOfADay, "A day has opened."),
    WebhookEvent.DAY_CLOSED: (DealsOfADay, "A day has ended, and its deals are public."),
    WebhookEvent.DAY_FINAL: (SealedDay, "The results of a day are sealed."),
    WebhookEvent.SEASON_CLOSED: (ClosedSeason, "The table of a month is frozen."),
    WebhookEvent.CLUB_WEEK: (ClubsOfAWeek, "The last day of a week is sealed, with the first of its clubs."),
    WebhookEvent.DECISION_MADE: (PublishedDecision, "A score was disqualified or reinstated."),
}
