"""The types of all messages about cups."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, ClassVar, Literal

from msgspec import Meta

from games.accounts.wire import GivenHandle, ListedName
from games.cups import hosting, models
from games.cups.reading import KnownCup, KnownMatch, KnownSeat
from games.doors.wire import Input, JsonObject, Milliseconds, Number, Ordinal, Stripped, Text
from games.play.notation_wire import GameId, RuleSlug
from games.players.models import ID_LENGTH, Player
from games.players.wire import DisplayName, Handle, Id, Name
from games.practice.wire import RuleSetName

Time = Annotated[datetime, Meta(tz=True)]
State = Literal["announced", "qualifying", "playing", "ended"]
End = Literal["completed", "too_few", "server_down", "called_off"]
Letters = Annotated[str, Meta(pattern="^[B-DF-HJ-NP-TV-Z]{6}$")]


class DivisionInput(Input, frozen=True):
    """The division to show."""

    example: ClassVar = {"division": 1}

    division: Annotated[int, Meta(ge=1, le=1000, description="From 1, the one with the best seeds.")] = 1


class TournamentInput(Input, frozen=True):
    """The terms of a tournament by hand."""

    example: ClassVar = {"name": "Oxbow Open", "rules": "standard", "opens_at": "2026-03-01T20:00:00Z"}

    name: Name
    rules: Annotated[RuleSetName, Meta(description="The slug, an alias or the title of a rule set.")]
    opens_at: Annotated[Time, Meta(description="When it begins, within the next thirty days.")]
    limit_s: Annotated[int, Meta(ge=180, le=1200, description="Seconds for each match.")] = hosting.Terms.limit_s
    rounds: Annotated[int, Meta(ge=0, le=hosting.MOST_ROUNDS, description="Of Swiss by points; 0: knockout.")] = (
        hosting.Terms.rounds
    )
    circle: Annotated[
        Stripped,
        Meta(max_length=ID_LENGTH, description="The id of a club that you lead, whose members alone see and enter it."),
    ] = hosting.Terms.circle


class TournamentLettersInput(Input, frozen=True):
    """The six letters of a tournament."""

    example: ClassVar = {"letters": "BCDFGH"}

    letters: Annotated[Text, Meta(max_length=6)]


class DecisionInput(Input, frozen=True):
    """A decision of the organiser of a tournament: to start it, or to call it off."""

    example: ClassVar = {"act": "start"}

    act: Literal["start", "call_off"]


class EntrantInput(Input, frozen=True):
    """The entrant to remove."""

    example: ClassVar = {"handle": "dave"}

    handle: GivenHandle


class ListedCup(JsonObject, frozen=True):
    """A cup in a list."""

    id: Id
    name: Annotated[DisplayName | None, Meta(description="Of a tournament by hand; null for cups of the programme.")]
    host: Annotated[Handle | None, Meta(description="The organiser of a tournament by hand.")]
    rules: RuleSlug
    for_bots: Annotated[bool, Meta(description="Whether it is for bots alone; otherwise for people alone.")]
    circle: Annotated[Id | None, Meta(description="The id of the club whose members alone see it; else null.")]
    state: State
    announced_for: Annotated[Time, Meta(description="When it was to open.")]
    opens_at: Annotated[Time, Meta(description="When it opens: later than announced if the server was down.")]
    qualifies_until: Annotated[Time, Meta(description="When all attempts of the qualification end.")]
    ended_at: Time | None
    end: End | None

    @classmethod
    def of(cls, cup: models.Cup) -> ListedCup:
        return cls(**_fields(cup))


class Cups(JsonObject, frozen=True):
    """Cups that are announced or on their way, the next first, and the last that are over."""

    cups: list[ListedCup]
    past: list[ListedCup]


class OwnCups(JsonObject, frozen=True):
    """The tournaments by hand that you organise or signed up for, the last to begin first."""

    cups: list[ListedCup]


class CupPlayer(JsonObject, frozen=True):
    """An entrant of a division."""

    handle: Handle
    display_name: ListedName
    seed: Annotated[Ordinal | None, Meta(description="Null before the draw of a tournament by hand.")]
    points: Annotated[Number | None, Meta(description="In Swiss by points; else null.")]
    place: Annotated[Ordinal | None, Meta(description="In the division, after its last round.")]

    @classmethod
    def of(cls, entry: models.CupEntry, points: int | None) -> CupPlayer:
        return cls(entry.player.username, entry.player.listed_name, entry.seed, points, entry.place)

    @classmethod
    def signed_up(cls, signup: models.CupSignup) -> CupPlayer:
        return cls(signup.player.username, signup.player.listed_name, None, None, None)


class CupSeat(JsonObject, frozen=True):
    """An entrant in a match, never with a card."""

    handle: Handle
    seed: Ordinal
    cards_left: Annotated[Number | None, Meta(description="Null before the match begins, or if nobody had to play.")]
    elapsed_ms: Annotated[Milliseconds | None, Meta(description="Once the match is over.")]
    place: Annotated[Ordinal | None, Meta(description="Once the match is decided; null then means forfeited.")]
    goes_on: Annotated[
        bool | None, Meta(description="Among the best two, or in Swiss not forfeited; null until the match is decided.")
    ]
    game: Annotated[GameId | None, Meta(description="Once the match is over; anyone can replay this game.")]

    @classmethod
    def of(cls, known: KnownSeat, *, is_over: bool) -> CupSeat:
        seat, racer = known.seat, known.racer if is_over else None
        return cls(
            handle=seat.entry.player.username,
            seed=seat.entry.seed,
            cards_left=known.cards_left,
            elapsed_ms=racer.elapsed_ms if racer else None,
            place=seat.place,
            goes_on=seat.goes_on,
            game=racer.game_id if racer else None,
        )


class CupMatch(JsonObject, frozen=True):
    """A match of a round."""

    number: Annotated[Ordinal, Meta(description="In the round.")]
    race: Annotated[Id | None, Meta(description="Its race, once it is set; null if nobody has to play.")]
    starts_at: Time | None
    decided_at: Time | None
    seats: Annotated[list[CupSeat], Meta(description="Those ahead first.")]

    @classmethod
    def of(cls, known: KnownMatch) -> CupMatch:
        match = known.match
        is_over = match.race is not None and match.race.is_over
        return cls(
            number=match.number + 1,
            race=match.race_id,
            starts_at=match.race.starts_at if match.race else None,
            decided_at=match.decided_at,
            seats=[CupSeat.of(seat, is_over=is_over) for seat in known.seats],
        )


class Cup(ListedCup, frozen=True):
    """A cup with one of its divisions."""

    entrants: Annotated[Number, Meta(description="Who has entered; from the draw on, who qualified.")]
    limit_s: Annotated[Number, Meta(description="Seconds for each match.")]
    swiss_rounds: Annotated[Number, Meta(description="The rounds of Swiss by points; 0 in knockout.")]
    divisions: Annotated[Number, Meta(description="None before the draw.")]
    division: Annotated[Ordinal, Meta(description="The one of these rounds and players.")]
    rounds: Annotated[list[list[CupMatch]], Meta(description="From the first to the final, as far as they are drawn.")]
    players: Annotated[
        list[CupPlayer],
        Meta(description="By place, or else by seed or standing; before the draw of a tournament, who signed up."),
    ]
    letters: Annotated[
        Letters | None,
        Meta(description="To sign up for a tournament; for its organiser, those who have, and members of the club."),
    ]

    @classmethod
    def known(cls, known: KnownCup, reader: Player | None) -> Cup:
        return cls(
            **_fields(known.cup),
            entrants=known.entrants,
            limit_s=known.cup.limit_s,
            swiss_rounds=known.cup.rounds,
            divisions=known.divisions,
            division=known.division,
            rounds=[[CupMatch.of(match) for match in matches] for matches in known.rounds],
            players=[CupPlayer.of(entry, known.points_of(entry)) for entry in known.entries]
            or [CupPlayer.signed_up(signup) for signup in known.signups],
            letters=known.cup.code if known.has(reader) else None,
        )


class Entered(JsonObject, frozen=True):
    """Your attempt in the qualification: play it like any other game."""

    cup: Id
    game: GameId


def _fields(cup: models.Cup) -> dict[str, Any]:
    same = ("id", "rules", "for_bots", "announced_for", "opens_at", "qualifies_until", "ended_at")
    host = cup.host and cup.host.username
    named = {"name": cup.name or None, "host": host, "circle": cup.circle or None}
    return {**{name: getattr(cup, name) for name in same}, **named, "state": cup.state.value, "end": cup.end or None}
