"""Answers of the REST API about games and players."""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated, Literal

from msgspec import Meta

from games.deals.policy import Policy
from games.kit.wire import Shape
from games.models import SUMMARY_FIELDS
from games.models import Game as GameRow
from games.models import Player as PlayerRow
from games.services.players import SignedIn as NewKey
from games.services.statistics import Statistics as Figures
from games.services.statistics import Streak as Days

COPIED = ("created_at", "started_at", "downtime_ms", *SUMMARY_FIELDS)
Time = Annotated[datetime, Meta(tz=True)]


class Player(Shape, frozen=True):
    """A player."""

    handle: Annotated[
        str, Meta(description="The name in addresses and records; a guest chooses it once, by claiming the account.")
    ]
    display_name: str
    is_guest: bool
    is_bot: Annotated[bool, Meta(description="Plays by program and says so.")]

    @classmethod
    def of(cls, row: PlayerRow) -> Player:
        return cls(row.username, row.display_name, row.is_guest, row.is_bot)


class SignedIn(Shape, frozen=True):
    """A player and a new key."""

    player: Player
    token: Annotated[str, Meta(description="A key to this account, for a guest the only one; it is shown this once.")]
    expires_at: Annotated[Time, Meta(description="When the token ends unless it is used before.")]

    @classmethod
    def of(cls, signed_in: NewKey) -> SignedIn:
        return cls(Player.of(signed_in.player), signed_in.token, signed_in.expires_at)


class Ticket(Shape, frozen=True):
    """A key that opens sockets."""

    ticket: Annotated[str, Meta(description="Opens sockets: `/ws/games/{id}/?ticket=...`.")]
    expires_in: Annotated[int, Meta(description="Seconds.")]


class SignedOut(Shape, frozen=True):
    """The tokens that have ended."""

    tokens: Annotated[int, Meta(description="How many tokens ended.")]


class Streak(Shape, frozen=True):
    """UTC days in a row."""

    current: Annotated[int, Meta(description="Ends today or yesterday; 0 as soon as a whole day was left out.")]
    longest: int


class Best(Shape, frozen=True):
    """The best of the ranked games won under a rule set."""

    rules: str
    moves: Annotated[int, Meta(description="The fewest moves.")]
    elapsed_ms: Annotated[int, Meta(description="The shortest time, not always of the same game.")]


class Statistics(Shape, frozen=True):
    """The statistics of a player's ranked games."""

    player: Player
    played: Annotated[Streak, Meta(description="Days on which a ranked attempt was started, whatever became of it.")]
    won: Annotated[Streak, Meta(description="Days of which a daily deal was won.")]
    bests: Annotated[list[Best], Meta(description="By rule set; none without a win.")]

    @classmethod
    def of(cls, statistics: Figures) -> Statistics:
        return cls(
            Player.of(statistics.player),
            _streak(statistics.played),
            _streak(statistics.won),
            [Best(best.rules, best.moves, best.elapsed_ms) for best in statistics.bests],
        )


class Game(Shape, frozen=True):
    """A game without its cards. The fields of the result are null while it is played."""

    id: str
    kind: Literal["daily", "practice"]
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
    def of(cls, row: GameRow) -> Game:
        daily = row.daily
        return cls(
            id=row.id,
            kind="daily" if daily else "practice",
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


class Games(Shape, frozen=True):
    """Some of your games."""

    games: Annotated[list[Game], Meta(description="The newest first.")]
    next: Annotated[str | None, Meta(description="The address of older games, if there may be some.")]


def _streak(days: Days) -> Streak:
    return Streak(days.current, days.longest)
