from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from games.calendar.models import DailyDeal
from games.days import disclosure
from games.days.disclosure import DisclosedDaily
from games.deals.daily import DailyState, Division
from games.deals.grading import Grade
from games.deals.policy import Policy
from games.doors.wire import Address, Input, JsonObject, LastId, Number, Ordinal, Sha256
from games.play.notation_wire import DeckText, GameId, RuleSlug
from games.players.wire import Time


class CommitmentsInput(Input, frozen=True):
    """The position in the list of commitments to continue from."""

    after: Annotated[LastId, Meta(description="As in the address of later ones.")] = 0


class DailyHistoryInput(Input, frozen=True):
    """The position in the list of past days to continue from."""

    before: Annotated[date | UnsetType, Meta(description="Only days before this one; today if it is left out.")] = UNSET


class Reveal(JsonObject, frozen=True):
    """The disclosed deal; docs/proofs.md explains how to check it against the commitment."""

    seed: Annotated[Sha256, Meta(description="32 bytes, hexadecimal.")]
    candidate: Annotated[Number, Meta(description="Which of the decks that the seed leads to, from 0.")]
    deck: DeckText
    par: Annotated[Number | None, Meta(description="The fewest moves that win; null if that is not known.")]
    greedy_moves: Annotated[Number | None, Meta(description="What a greedy player needs; null if it loses.")]
    grade: Grade | None

    @classmethod
    def of(cls, reveal: disclosure.Reveal) -> Reveal:
        measured = reveal.par, reveal.greedy_moves, _grade(reveal.grade)
        return cls(reveal.seed, reveal.candidate, reveal.deck, *measured)


BeaconName = Annotated[str, Meta(pattern="^[a-z0-9-]+$")]


class Beacon(JsonObject, frozen=True):
    """The round of a public randomness beacon on which a deal depends; see docs/beacon.md."""

    name: BeaconName
    round: Annotated[Ordinal, Meta(description="The first one a minute before the day opens, or later.")]
    state: Annotated[Literal["awaited", "known", "fallback"], Meta(description="`fallback`: it came too late.")]
    randomness: Annotated[Sha256 | None, Meta(description="SHA-256 of the signature; null if the round is not known.")]
    signature: Annotated[
        Annotated[str, Meta(pattern="^[0-9a-f]{96}$")] | None, Meta(description="Of the round, by the beacon.")
    ]

    @classmethod
    def of(cls, awaited: disclosure.Awaited) -> Beacon:
        outcome = awaited.outcome
        if outcome is None:
            return cls(awaited.name, awaited.round, "awaited", None, None)
        state: Literal["known", "fallback"] = "known" if outcome.signature else "fallback"
        return cls(awaited.name, awaited.round, state, outcome.randomness, outcome.signature or None)


class Daily(JsonObject, frozen=True):
    """A daily deal as you may know it."""

    day: date
    rules: RuleSlug
    division: Division
    state: DailyState
    opens_at: Time
    closes_at: Annotated[Time, Meta(description="No attempt starts from here on.")]
    finish_by: Annotated[Time, Meta(description="Attempts still being played expire.")]
    commitment: Annotated[Sha256, Meta(description="SHA-256 of the seed with the day, published when it was made.")]
    committed_at: Annotated[Time, Meta(description="When the deal was committed to; part of its leaf.")]
    beacon: Annotated[Beacon | None, Meta(description="Null if the deal follows from its seed alone.")]
    grade: Annotated[Grade | None, Meta(description="What it was chosen to be; null: anything.")]
    is_certified: Annotated[bool, Meta(description="The deal is proved winnable.")]
    yours: Annotated[bool, Meta(description="You compete in this division on that day. New players compete in `open`.")]
    policy: Policy
    attempt: Annotated[GameId | None, Meta(description="The id of your newest ranked attempt, if there is one.")]
    reveal: Annotated[Reveal | None, Meta(description="Null until `finish_by`.")]

    @classmethod
    def of(cls, daily: DisclosedDaily) -> Daily:
        key = daily.key
        return cls(
            day=key.day,
            rules=key.rules,
            division=Division(key.division),
            state=daily.state,
            opens_at=key.opens_at,
            closes_at=key.closes_at,
            finish_by=key.finish_by,
            commitment=daily.commitment,
            committed_at=daily.committed_at,
            beacon=Beacon.of(daily.beacon) if daily.beacon else None,
            grade=_grade(daily.grade),
            is_certified=daily.is_certified,
            yours=daily.is_yours,
            policy=daily.policy,
            attempt=daily.attempt,
            reveal=Reveal.of(daily.reveal) if daily.reveal else None,
        )


class Day(JsonObject, frozen=True):
    """The deals of a day."""

    server_now: Time
    day: date
    dailies: list[Daily]


class DailyHistory(JsonObject, frozen=True):
    """Some past deals."""

    server_now: Time
    dailies: Annotated[list[Daily], Meta(description="The newest day first.")]
    next: Annotated[Address | None, Meta(description="The address of earlier days, if there may be some.")]


class Commitment(JsonObject, frozen=True):
    """A commitment with its purpose and its time, which its leaf in the log has too."""

    day: date
    rules: RuleSlug
    division: Division
    grade: Annotated[Grade | None, Meta(description="What the deal was chosen to be; null: anything.")]
    committed_at: Annotated[Time, Meta(description="Never before that of the one before.")]
    commitment: Sha256

    @classmethod
    def of(cls, row: DailyDeal) -> Commitment:
        return cls(**{name: getattr(row, name) for name in cls.__struct_fields__})


class Commitments(JsonObject, frozen=True):
    """Some commitments."""

    commitments: Annotated[list[Commitment], Meta(description="Oldest first; days that lie ahead too.")]
    next: Annotated[Address | None, Meta(description="The address of later ones, if there may be some.")]


def _grade(text: str | None) -> Grade | None:
    return Grade(text) if text else None
