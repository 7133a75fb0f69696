"""Answers of the REST API about games and their records."""

from __future__ import annotations

from datetime import date
from typing import Annotated

from msgspec import Meta

from games.deals.daily import Division
from games.deals.policy import Policy
from games.doors.wire import Address, JsonObject, Milliseconds, Number, Ordinal, Path
from games.play import models
from games.play.models import SUMMARY_FIELDS, GameKind
from games.play.notation_wire import GameId, RuleSlug, Status
from games.players.wire import Id, Player, Time

COPIED = ("created_at", "started_at", "downtime_ms", *SUMMARY_FIELDS)


class Game(JsonObject, frozen=True):
    """A game without its cards. The fields of the result are null while it is played."""

    id: GameId
    kind: GameKind
    rules: RuleSlug
    deal: Id
    day: Annotated[date | None, Meta(description="The day of a daily deal.")]
    division: Annotated[Division | None, Meta(description="That of a daily deal.")]
    attempt: Annotated[Ordinal | None, Meta(description="1, 2, 3 ... of your ranked attempts; null for practice.")]
    policy: Policy
    player: Player
    status: Status
    created_at: Time
    started_at: Annotated[Time | None, Meta(description="When the layout was first sent.")]
    finished_at: Time | None
    elapsed_ms: Milliseconds | None
    downtime_ms: Annotated[
        Milliseconds, Meta(description="How long no server was up before the game ended; not part of `elapsed_ms`.")
    ]
    moves: Number | None
    draws: Number | None
    recycles: Number | None
    undos: Number | None
    hints: Number | None
    cards_left: Number | None
    socket: Annotated[Path, Meta(description="Where the game can be played live.")]

    @classmethod
    def of(cls, row: models.Game) -> Game:
        daily = row.daily
        return cls(
            id=row.id,
            kind=row.kind,
            rules=row.deal.rules,
            deal=row.deal_id,
            day=daily.day if daily else None,
            division=Division(daily.division) if daily else None,
            attempt=row.attempt if daily else None,
            policy=row.policy,
            player=Player.of(row.player),
            status=row.status,  # type: ignore[arg-type]  # one of the statuses
            socket=f"/ws/games/{row.id}/",
            **{name: getattr(row, name) for name in COPIED},
        )


class Games(JsonObject, frozen=True):
    """Some of your games."""

    games: Annotated[list[Game], Meta(description="Newest first.")]
    next: Annotated[Address | None, Meta(description="The address of older games, if there may be some.")]


class Record(JsonObject, frozen=True):
    """A whole game as one text."""

    record: Annotated[str, Meta(description="Cards that the reader may not know are `??` in its deck.")]
