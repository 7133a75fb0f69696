"""Answers of the REST API about games, players and days."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Annotated, Any, Literal

from django.conf import settings
from msgspec import Meta

from games.deals.daily import DailyState
from games.deals.grading import Grade
from games.deals.policy import Policy
from games.kit.wire import Shape
from games.models import SUMMARY_FIELDS, DailyDeal, DataExport
from games.models import Game as GameRow
from games.models import Player as PlayerRow
from games.services.disclosure import DisclosedDaily
from games.services.disclosure import Reveal as Revealed
from games.services.keys import Key as OwnKey
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


class Key(Shape, frozen=True):
    """A browser session or a token."""

    id: Annotated[str, Meta(description="To end it by. It opens nothing.")]
    kind: Literal["session", "token"]
    name: Annotated[str, Meta(description="What you called the token; empty if nothing.")]
    created_at: Time
    last_used_at: Annotated[Time, Meta(description="Of a token correct to an hour, of a session to a day.")]
    expires_at: Annotated[Time, Meta(description="When it ends unless it is used before.")]
    is_current: Annotated[bool, Meta(description="This request was sent with it.")]


class Keys(Shape, frozen=True):
    """The sessions and tokens that open an account."""

    keys: Annotated[list[Key], Meta(description="The last used first.")]

    @classmethod
    def of(cls, keys: list[OwnKey], current: str) -> Keys:
        fields = [field for field in Key.__struct_fields__ if field != "is_current"]
        return cls(
            [Key(**{field: getattr(key, field) for field in fields}, is_current=key.key == current) for key in keys]
        )


class Export(Shape, frozen=True):
    """The progress of the copy of your data."""

    state: Literal["pending", "done", "failed"]
    done: Annotated[int, Meta(description="How many of your games are in it.")]
    total: Annotated[int, Meta(description="Of how many; 0 before the work has begun.")]
    requested_at: Time
    finished_at: Time | None
    removed_at: Annotated[Time | None, Meta(description="Until when it can be downloaded.")]

    @classmethod
    def of(cls, row: DataExport) -> Export:
        removed_at = row.finished_at + timedelta(days=settings.PYRAMID_EXPORT_DAYS) if row.finished_at else None
        state: Any = row.state
        return cls(state, row.done, row.total, row.requested_at, row.finished_at, removed_at)


class MailSent(Shape, frozen=True):
    """The answer to whoever asked for a mail."""

    is_sent: Annotated[bool, Meta(description="A mail is on its way, if there is someone to get it.")]


class ClaimLink(Shape, frozen=True):
    """A link with which a browser takes over a guest."""

    url: Annotated[str, Meta(description="To be opened by its owner alone. It ends with the claim.")]
    expires_in: Annotated[int, Meta(description="Seconds.")]


class Deleted(Shape, frozen=True):
    """The remains of a deleted account."""

    handle: Annotated[str, Meta(description="The made-up handle under which your ranked games stay.")]


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


class Record(Shape, frozen=True):
    """A whole game as one text."""

    record: Annotated[str, Meta(description="Cards that the reader may not know are `??` in its deck.")]


class Reveal(Shape, frozen=True):
    """The disclosed deal; docs/daily-deals.md explains how to check it against the commitment."""

    seed: Annotated[str, Meta(description="32 bytes, hexadecimal.")]
    candidate: Annotated[int, Meta(description="Which of the decks that the seed leads to, from 0.")]
    deck: str
    par: Annotated[int | None, Meta(description="The fewest moves that win; null if that is not known.")]
    greedy_moves: Annotated[int | None, Meta(description="What a greedy player needs; null if it loses.")]
    grade: Grade | None

    @classmethod
    def of(cls, reveal: Revealed) -> Reveal:
        measured = reveal.par, reveal.greedy_moves, _grade(reveal.grade)
        return cls(reveal.seed, reveal.candidate, reveal.deck, *measured)


class Daily(Shape, frozen=True):
    """A daily deal as you may know it."""

    day: date
    rules: str
    division: str
    state: DailyState
    opens_at: Time
    closes_at: Annotated[Time, Meta(description="No attempt starts from here on.")]
    finish_by: Annotated[Time, Meta(description="Attempts still being played expire.")]
    commitment: Annotated[str, Meta(description="SHA-256 of the seed with the day, published when it was made.")]
    committed_at: Annotated[Time, Meta(description="When the deal was committed to; part of the chain.")]
    grade: Annotated[Grade | None, Meta(description="What it was chosen to be; null: anything.")]
    is_certified: Annotated[bool, Meta(description="The deal is proved winnable.")]
    yours: Annotated[
        bool, Meta(description="You compete in this division on that day. Whoever is new competes in `open`.")
    ]
    policy: Policy
    attempt: Annotated[str | None, Meta(description="The id of your newest ranked attempt, if there is one.")]
    reveal: Annotated[Reveal | None, Meta(description="Null until `finish_by`.")]

    @classmethod
    def of(cls, daily: DisclosedDaily) -> Daily:
        key = daily.key
        return cls(
            day=key.day,
            rules=key.rules,
            division=key.division,
            state=daily.state,
            opens_at=key.opens_at,
            closes_at=key.closes_at,
            finish_by=key.finish_by,
            commitment=daily.commitment,
            committed_at=daily.committed_at,
            grade=_grade(daily.grade),
            is_certified=daily.is_certified,
            yours=daily.is_yours,
            policy=daily.policy,
            attempt=daily.attempt,
            reveal=Reveal.of(daily.reveal) if daily.reveal else None,
        )


class Day(Shape, frozen=True):
    """The deals of a day."""

    server_now: Time
    day: date
    dailies: list[Daily]


class DailyHistory(Shape, frozen=True):
    """Some past deals."""

    server_now: Time
    dailies: Annotated[list[Daily], Meta(description="The newest day first.")]
    next: Annotated[str | None, Meta(description="The address of earlier days, if there may be some.")]


class Commitment(Shape, frozen=True):
    """A link of the chain: a commitment, its purpose and its time; see docs/daily-deals.md."""

    number: Annotated[int, Meta(description="1, 2, 3 ... in the order in which they were made.")]
    day: date
    rules: str
    division: str
    grade: Annotated[str | None, Meta(description="What the deal was chosen to be; null: anything.")]
    committed_at: Annotated[Time, Meta(description="Never before that of the link before.")]
    commitment: str
    formula: Annotated[int, Meta(description="By which formula the link was made: 2, or 1 in old databases.")]
    link: str

    @classmethod
    def of(cls, row: DailyDeal) -> Commitment:
        return cls(**{name: getattr(row, name) for name in cls.__struct_fields__})


class Commitments(Shape, frozen=True):
    """A stretch of the chain."""

    commitments: Annotated[list[Commitment], Meta(description="The oldest first; days that lie ahead too.")]
    next: Annotated[str | None, Meta(description="The address of later ones, if there may be some.")]


def _grade(text: str | None) -> Grade | None:
    return Grade(text) if text else None


def _streak(days: Days) -> Streak:
    return Streak(days.current, days.longest)
