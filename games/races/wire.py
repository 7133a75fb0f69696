"""The types of races, for REST, the socket, OpenAPI and AsyncAPI."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, ClassVar, Literal, cast

from msgspec import UNSET, Meta, UnsetType

from games.accounts.wire import GivenHandle, ListedName
from games.doors.wire import (
    Address,
    Input,
    JsonObject,
    Milliseconds,
    Number,
    Ordinal,
    Stripped,
    Text,
)
from games.play.notation_wire import GameId, RuleSlug
from games.players.models import ID_LENGTH, Player
from games.players.wire import Handle, Id
from games.practice.wire import RuleSetName
from games.races import models, rooms
from games.races.invites import invite_of
from games.races.notices import Progress
from games.races.order import ABSENT
from games.races.reading import KnownRace, is_rated
from games.races.strength import figures_of

Time = Annotated[datetime, Meta(tz=True)]
State = Literal["open", "countdown", "running", "ended"]
TieBreak = Literal["time", "moves"]
End = Literal["all_finished", "time_up", "cancelled"]
Result = Literal["playing", "won", "stuck", "resigned", "expired", "absent"]


class NewRaceInput(Input, frozen=True):
    """The terms of a new race."""

    example: ClassVar = {"rules": "standard", "limit_s": 600, "is_public": False}

    rules: Annotated[
        RuleSetName, Meta(description="The slug, an alias or the title of a rule set whose deals can be certified.")
    ]
    tie_break: Annotated[
        TieBreak,
        Meta(description="What counts after the cards left: `time`, then moves, or `moves`, then time."),
    ] = "time"
    limit_s: Annotated[int, Meta(ge=30, le=3600, description="Seconds from the start to the end.")] = (
        rooms.Terms.limit_s
    )
    countdown_s: Annotated[int, Meta(ge=0, le=60, description="Seconds until it starts.")] = rooms.Terms.countdown_s
    is_public: Annotated[bool, Meta(description="Listed and open to all; otherwise by invite.")] = rooms.Terms.is_public
    admits_bots: Annotated[bool, Meta(description="Whether bots may join.")] = rooms.Terms.admits_bots
    circle: Annotated[
        Stripped,
        Meta(
            max_length=ID_LENGTH,
            description="The id of a club of yours, whose members alone see and join it; it is not public.",
        ),
    ] = rooms.Terms.circle


class JoinInput(Input, frozen=True):
    """The invite to a race that is not public."""

    example: ClassVar = {"invite": "5f0c4f7a9be1d2c38a6405b7e91d23fc"}

    invite: Annotated[Stripped, Meta(max_length=64, description="The last part of its link.")] = ""


class InvitationInput(Input, frozen=True):
    """The player to invite."""

    example: ClassVar = {"handle": "dave"}

    handle: GivenHandle


class CircleInput(Input, frozen=True):
    """The club whose members to invite."""

    example: ClassVar = {"circle": "4m7vq1ht2x9k"}

    circle: Annotated[Text, Meta(max_length=ID_LENGTH, description="Its id.")]


class BeforeInput(Input, frozen=True):
    """The position in the list of races to continue from."""

    before: Annotated[Id | UnsetType, Meta(description="A race: only those before it.")] = UNSET


class RacesInput(BeforeInput, frozen=True):
    """Races that are not over, or past ones."""

    when: Annotated[
        Literal["current", "past"],
        Meta(description="`current`: those that are not over; `past`: those that were run."),
    ] = "current"


class RatingChange(JsonObject, frozen=True):
    """A rating after a race, among people or among bots."""

    rating: int
    change: Annotated[int, Meta(description="Of the rating, by this race.")]
    uncertainty: Annotated[Number, Meta(description="Two standard deviations of the rating.")]
    is_provisional: Annotated[bool, Meta(description="Until ten races are rated.")]

    @classmethod
    def of(cls, racer: models.Racer) -> RatingChange | None:
        if not hasattr(racer, "rating_change"):
            return None
        figures = figures_of(racer.rating_change)
        change = figures.rating - round(racer.rating_change.mean_before)
        return cls(figures.rating, change, figures.uncertainty, figures.is_provisional)


class Racer(JsonObject, frozen=True):
    """A racer with the progress of the game, but never a card or a move."""

    handle: Handle
    display_name: ListedName
    is_bot: bool
    result: Annotated[Result | None, Meta(description="Null before the start.")]
    cards_left: Number | None
    moves: Number | None
    elapsed_ms: Annotated[Milliseconds | None, Meta(description="From the start to the last action.")]
    place: Annotated[Ordinal | None, Meta(description="Once the race has ended; equal results share one.")]
    game: Annotated[GameId | None, Meta(description="Set once the race has ended; anyone can replay this game.")]
    rating: Annotated[RatingChange | None, Meta(description="A moment after the end of a rated race.")]

    @classmethod
    def of(cls, racer: models.Racer, known: KnownRace) -> Racer:
        far = known.progress.get(racer.game_id) if racer.game_id else None
        figures = racer if racer.place else far
        has_begun, is_over = known.race.begun_at is not None, known.race.is_over
        return cls(
            handle=racer.player.username,
            display_name=racer.player.listed_name,
            is_bot=racer.player.is_bot,
            result=_result(racer, far) if has_begun else None,
            cards_left=figures.cards_left if figures else None,
            moves=figures.moves if figures else None,
            elapsed_ms=figures.elapsed_ms if figures else None,
            place=racer.place,
            game=racer.game_id if is_over else None,
            rating=RatingChange.of(racer),
        )


class Terms(JsonObject, frozen=True):
    """The terms of a race."""

    id: Id
    rules: RuleSlug
    tie_break: Annotated[TieBreak, Meta(description="What counts after the cards left; then the other.")]
    limit_s: Annotated[Number, Meta(description="Seconds from the start to the end.")]
    countdown_s: Annotated[Number, Meta(description="Seconds from the host's command to the start.")]
    is_public: bool
    is_rated: Annotated[bool, Meta(description="Whether it is rated with these racers.")]
    admits_bots: bool
    circle: Annotated[Id | None, Meta(description="The id of the club whose members alone see it; else null.")]
    state: State
    host: Annotated[Handle | None, Meta(description="A handle; null in hourly races.")]
    hour: Annotated[Time | None, Meta(description="The full hour of an hourly race; null in others.")]
    created_at: Time
    starts_at: Annotated[Time | None, Meta(description="Null until the host starts it.")]
    ends_at: Annotated[Time | None, Meta(description="When the time is up.")]
    ended_at: Time | None
    end: End | None


class ListedRace(Terms, frozen=True):
    """A race in a list."""

    racers: Annotated[Number, Meta(description="The number of racers.")]

    @classmethod
    def of(cls, race: models.Race, now: datetime) -> ListedRace:
        joined, people, bots = race.joined, race.people, race.bots  # type: ignore[attr-defined]  # annotated
        return cls(**_terms(race, now, is_rated=is_rated(race, people, bots)), racers=joined)


class Races(JsonObject, frozen=True):
    """Public races."""

    races: list[ListedRace]
    next: Annotated[Address | None, Meta(description="The address of the next page.")]


class OwnRace(JsonObject, frozen=True):
    """A race of yours, and its result."""

    race: ListedRace
    place: Ordinal | None
    result: Result | None
    cards_left: Number | None
    moves: Number | None
    elapsed_ms: Milliseconds | None
    game: GameId | None

    @classmethod
    def of(cls, racer: models.Racer, now: datetime) -> OwnRace:
        return cls(
            race=ListedRace.of(racer.race, now),
            place=racer.place,
            result=cast("Result | None", racer.outcome or None),
            cards_left=racer.cards_left,
            moves=racer.moves,
            elapsed_ms=racer.elapsed_ms,
            game=racer.game_id,
        )


class OwnRaces(JsonObject, frozen=True):
    """Your races, the last joined first."""

    races: list[OwnRace]
    next: Annotated[Address | None, Meta(description="The address of the next page.")]


class Left(JsonObject, frozen=True):
    """You have left a race, or given up your game in it."""

    race: Id


class Invited(JsonObject, frozen=True):
    """A player is invited to a race: a notification is on its way, unless the player has switched its kind off."""

    race: Id
    handle: Handle


class CircleInvited(JsonObject, frozen=True):
    """The members of a club are invited to a race, except those who have switched such notifications off."""

    race: Id
    circle: Id


class Race(Terms, frozen=True):
    """A race with its racers, as its reader may know it."""

    racers: Annotated[list[Racer], Meta(description="The first to join first; by place once the race has ended.")]
    invite: Annotated[
        Annotated[str, Meta(pattern="^[0-9a-f]{32}$")] | None,
        Meta(description="Opens a race that is not public; for its racers alone."),
    ]
    game: Annotated[GameId | None, Meta(description="Yours, from the start on.")]
    deal: Annotated[Id | None, Meta(description="Once the race has ended.")]
    rematch_of: Id | None
    rematch: Annotated[Id | None, Meta(description="The race that follows, once someone has asked for it.")]

    @classmethod
    def of(
        cls, known: KnownRace, reader: Player | None, now: datetime, rows: Mapping[str, Racer] | None = None
    ) -> Race:
        """Return a race to its reader; `rows` are those of its racers by handle, where they are made already."""
        race, own = known.race, known.racer_of(reader)
        racers = sorted(known.racers, key=lambda racer: racer.place or 0)
        return cls(
            **_terms(race, now, is_rated=known.is_rated),
            racers=[rows[racer.player.username] if rows else Racer.of(racer, known) for racer in racers],
            invite=invite_of(race.pk) if own is not None and not (race.is_public or race.circle) else None,
            game=own.game_id if own is not None else None,
            deal=race.deal_id if race.is_over and race.begun_at else None,
            rematch_of=race.rematch_of_id,
            rematch=race.rematch.pk if hasattr(race, "rematch") else None,
        )


def _result(racer: models.Racer, far: Progress | None) -> Result:
    """Return the result of a racer in a race that has begun; a game that is gone was deleted with the account."""
    return cast("Result", racer.outcome or (ABSENT if far is None else far.outcome or "playing"))


def _terms(race: models.Race, now: datetime, *, is_rated: bool) -> dict[str, Any]:
    same = ("id", "tie_break", "limit_s", "countdown_s", "is_public", "admits_bots", "hour", "created_at")
    times = ("starts_at", "ends_at", "ended_at")
    return {
        **{name: getattr(race, name) for name in (*same, *times)},
        "rules": race.deal.rules,
        "circle": race.circle or None,
        "is_rated": is_rated,
        "state": race.state(now).value,
        "host": race.host and race.host.username,
        "end": race.end or None,
    }
