"""Answers of the REST API about games and their records."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

from msgspec import Meta

from games.deals.policy import Policy
from games.doors.wire import JsonObject
from games.play import models
from games.play.models import SUMMARY_FIELDS, GameKind
from games.players.wire import Player, Time

COPIED = ("created_at", "started_at", "downtime_ms", *SUMMARY_FIELDS)


class Game(JsonObject, frozen=True):
    """A game without its cards. The fields of the result are null while it is played."""

    id: str
    kind: GameKind
    rules: str
    deal: str
    day: Annotated[date | None, Meta(description="The day of a daily deal.")]
    division: Annotated[str | None, Meta(description="That of a daily deal.")]
    attempt: Annotated[int | None, Meta(description="1, 2, 3 ... of your ranked attempts; null for practice.")]
    policy: Policy
    player: Player
    status: Literal["playing", "won", "stuck", "resigned", "expired"]
    created_at: Time
    started_at: Annotated[Time | None, Meta(description="When the layout was first sent.")]
    finished_at: Time | None
    elapsed_ms: int | None
    downtime_ms: Annotated[
        int, Meta(description="How long no server was up before the game ended; not part of `elapsed_ms`.")
    ]
    moves: int | None
    draws: int | None
    recycles: int | None
    undos: int | None
    hints: int | None
    cards_left: int | None
    socket: Annotated[str, Meta(description="Where the game can be played live.")]

    @classmethod
    def of(cls, row: models.Game) -> Game:
        daily = row.daily
        return cls(
            id=row.id,
            kind=row.kind,
            rules=row.deal.rules,
            deal=row.deal_id,
            day=daily.day if daily else None,
            division=daily.division if daily else None,
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
    next: Annotated[str | None, Meta(description="The address of older games, if there may be some.")]


class Record(JsonObject, frozen=True):
    """A whole game as one text."""

    record: Annotated[str, Meta(description="Cards that the reader may not know are `??` in its deck.")]
