"""Answers of the REST API about retests."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from msgspec import Meta

from games.doors.wire import JsonObject, Number, Ordinal
from games.play.notation_wire import GameId, RuleSlug, Status
from games.players.wire import Id, Time
from leaderboards.retests import models
from leaderboards.retests.words import invitation


class RetestGame(JsonObject, frozen=True):
    """A deal of a retest that you have started."""

    number: Ordinal
    game: Annotated[GameId | None, Meta(description="Null if it was deleted.")]
    status: Annotated[Status | None, Meta(description="Null if it was deleted.")]

    @classmethod
    def of(cls, deal: models.RetestDeal) -> RetestGame:
        return cls(deal.number, deal.game_id, deal.game.status if deal.game else None)  # type: ignore[arg-type]  # one of those


class Retest(JsonObject, frozen=True):
    """A retest that a reviewer offers you."""

    id: Id
    state: Literal["offered", "accepted", "running", "ended"]
    end: Annotated[
        Literal["declined", "expired", "done", "time_up"] | None,
        Meta(description="How it ended; null until the server has noted it."),
    ]
    rules: RuleSlug
    deals: Annotated[Ordinal, Meta(description="How many deals it has.")]
    minutes: Annotated[Number, Meta(description="How long the sitting lasts at most.")]
    offered_at: Time
    open_until: Annotated[Time, Meta(description="When the sitting has to have begun.")]
    accepted_at: Time | None
    begun_at: Time | None
    ends_at: Annotated[Time | None, Meta(description="When the sitting ends at the latest.")]
    ended_at: Time | None
    games: Annotated[list[RetestGame], Meta(description="Those that you have started, in order.")]
    words: Annotated[list[str], Meta(description="What happens in it, what it can show and what not.")]

    @classmethod
    def of(cls, row: models.Retest, now: datetime) -> Retest:
        return cls(
            id=row.pk,
            state=row.state(now).value,  # type: ignore[arg-type]  # one of those
            end=row.end or None,  # type: ignore[arg-type]  # one of those
            rules=row.rules,
            deals=row.size,
            minutes=row.minutes,
            offered_at=row.offered_at,
            open_until=row.open_until,
            accepted_at=row.accepted_at,
            begun_at=row.begun_at,
            ends_at=row.ends_at,
            ended_at=row.ended_at,
            games=[RetestGame.of(deal) for deal in row.deals.all()],
            words=invitation(row),
        )


class Retests(JsonObject, frozen=True):
    """Your retests."""

    retests: Annotated[list[Retest], Meta(description="The newest first.")]
