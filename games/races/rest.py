"""Races: each view reads the request, calls one service and answers with the room as the reader may know it."""

from asgiref.sync import async_to_sync
from django.urls import path
from msgspec.structs import asdict
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from games.doors.rest.inputs import NothingInput
from games.doors.rest.openapi import CHANGES, FOR_ALL, FOR_PLAYERS, Answer, location, operation
from games.doors.scopes import Scope
from games.players.endpoint import IDEMPOTENCY_KEY, REPEATED, Endpoint, PlayersEndpoint, idempotent
from games.players.refusals import UnknownPlayer
from games.players.wire import Player
from games.practice.refusals import NoCertifiedDeal, NotCertifiable
from games.races import acting, invitations, race_examples, reading, rooms, wire
from games.races.examples import RATINGS
from games.races.rating_wire import RatedPlayer, Rating, Ratings, RatingsInput
from games.races.ratings import best_rated
from games.races.refusals import (
    BotsNotAdmitted,
    NotHost,
    NotInCircle,
    NotInRace,
    RaceFull,
    RaceNotOver,
    RaceStarted,
    TooFewRacers,
    TooManyRaces,
    UnknownRace,
)
from games.races.strength import figures_of
from games.races.wire import BeforeInput, CircleInput, InvitationInput, JoinInput, NewRaceInput, RacesInput
from games.rules import UnknownRuleSet
from games.runtime.clock import clock

RACES_PER_PAGE = 20
MAKING = (NotCertifiable, NoCertifiedDeal, BotsNotAdmitted, NotInCircle, TooManyRaces)
JOINING = (UnknownRace, RaceStarted, RaceFull, BotsNotAdmitted, TooManyRaces)


class RaceEndpoint(Endpoint):
    """An endpoint that answers with a race."""

    def answer(self, race_id: str) -> Response:
        known, now = reading.read_race(race_id, self.reader), clock.now()
        return Response(wire.Race.of(known, self.reader, now))

    def made(self, race_id: str) -> Response:
        response = self.answer(race_id)
        response.status_code = 201
        response["Location"] = reverse("race", kwargs={"race_id": race_id})
        return response


class Races(RaceEndpoint):
    @operation(
        "list_races", Answer(race_examples.RACES), (*FOR_ALL, UnknownRace), parameters=[RacesInput], scope=Scope.READ
    )
    def get(self, request: Request) -> Response:
        """List public races: those that are not over, the next to start first; or past ones, the last first."""
        query, now = self.query(RacesInput), clock.now()
        if query.when == "current":
            return Response(wire.Races([wire.ListedRace.of(race, now) for race in reading.public_races()], None))
        past = reading.past_races(query.before or None, RACES_PER_PAGE)
        older = f"{request.path}?when=past&before={past[-1].pk}" if len(past) == RACES_PER_PAGE else None
        return Response(wire.Races([wire.ListedRace.of(race, now) for race in past], older))

    @operation(
        "create_race",
        Answer(race_examples.RACE, 201),
        (*CHANGES, UnknownRuleSet, *MAKING, *REPEATED),
        NewRaceInput,
        [location(of="the race"), IDEMPOTENCY_KEY],
        scope=Scope.RACES,
    )
    @idempotent
    def post(self, request: Request) -> Response:
        """Open a room for a race on a new certified deal, with yourself in it as its host.

        Send its `invite` to the people you want to race, or make the race public.
        """
        race = rooms.create_race(self.player, rooms.Terms(**asdict(self.body(NewRaceInput))), clock.now())
        return self.made(race.pk)


class OwnRaces(PlayersEndpoint):
    @operation(
        "list_own_races",
        Answer(race_examples.OWN_RACES),
        (*FOR_PLAYERS, UnknownRace),
        parameters=[BeforeInput],
        scope=Scope.READ,
    )
    def get(self, request: Request) -> Response:
        """List your races with your results, the last joined first."""
        own, now = reading.races_of(self.player, self.query(BeforeInput).before or None, RACES_PER_PAGE), clock.now()
        older = f"{request.path}?before={own[-1].race_id}" if len(own) == RACES_PER_PAGE else None
        return Response(wire.OwnRaces([wire.OwnRace.of(racer, now) for racer in own], older))


class OneRace(RaceEndpoint):
    @operation("read_race", Answer(race_examples.RACE), (*FOR_ALL, UnknownRace), scope=Scope.READ)
    def get(self, request: Request, race_id: str) -> Response:
        """Read a race with its racers: a public one, one that you are in, or the rematch of one that you were in."""
        return self.answer(race_id)


class Join(PlayersEndpoint, RaceEndpoint):
    @operation("join_race", Answer(race_examples.RACE), (*CHANGES, *JOINING), JoinInput, scope=Scope.RACES)
    def post(self, request: Request, race_id: str) -> Response:
        """Enter a race before it starts. Doing so again, even from another device, changes nothing."""
        rooms.join(race_id, self.player, self.body(JoinInput).invite, clock.now())
        return self.answer(race_id)


class Invitations(PlayersEndpoint):
    @operation(
        "invite_to_race",
        Answer(race_examples.INVITED),
        (*CHANGES, UnknownRace, NotInRace, RaceStarted, RaceFull, UnknownPlayer, BotsNotAdmitted, NotInCircle),
        InvitationInput,
        scope=Scope.RACES,
    )
    def post(self, request: Request, race_id: str) -> Response:
        """Invite a player by handle to a race that you are in, before it starts.

        The player gets one notification, which leads into the room, unless they have switched invitations off.
        """
        handle = self.body(InvitationInput).handle
        invitations.invite(race_id, self.player, handle, clock.now())
        return Response(wire.Invited(race_id, handle))


class CircleInvitations(PlayersEndpoint):
    @operation(
        "invite_circle_to_race",
        Answer(race_examples.CIRCLE_INVITED),
        (*CHANGES, UnknownRace, NotInRace, RaceStarted, RaceFull, NotInCircle),
        CircleInput,
        scope=Scope.RACES,
    )
    def post(self, request: Request, race_id: str) -> Response:
        """Invite all members of a club that you lead to a race that you are in, before it starts."""
        circle = self.body(CircleInput).circle
        invitations.invite_circle(race_id, self.player, circle, clock.now())
        return Response(wire.CircleInvited(race_id, circle))


class Leave(PlayersEndpoint):
    @operation("leave_race", Answer(race_examples.LEFT), (*CHANGES, UnknownRace), NothingInput, scope=Scope.RACES)
    def post(self, request: Request, race_id: str) -> Response:
        """Leave a race; while it is running, give up your game, whose result stays.

        If the host leaves before the start, the racer who has been there longest becomes host.
        """
        self.body(NothingInput)
        async_to_sync(acting.leave)(race_id, self.player, clock.now())
        return Response(wire.Left(race_id))


class Start(PlayersEndpoint, RaceEndpoint):
    @operation(
        "start_race",
        Answer(race_examples.RACE),
        (*CHANGES, UnknownRace, NotInRace, NotHost, TooFewRacers),
        NothingInput,
        scope=Scope.RACES,
    )
    def post(self, request: Request, race_id: str) -> Response:
        """Begin the countdown of a race that you host. Doing so again changes nothing."""
        self.body(NothingInput)
        rooms.start(race_id, self.player, clock.now())
        return self.answer(race_id)


class Rematch(PlayersEndpoint, RaceEndpoint):
    @operation(
        "rematch",
        Answer(race_examples.RACE, 201),
        (*CHANGES, *JOINING, *MAKING, NotInRace, RaceNotOver),
        NothingInput,
        [location(of="the race")],
        scope=Scope.RACES,
    )
    def post(self, request: Request, race_id: str) -> Response:
        """Race again on the same terms and a new deal.

        The first racer to ask becomes host of the new room; everyone else who asks enters it, without an invite.
        """
        self.body(NothingInput)
        return self.made(rooms.rematch(race_id, self.player, clock.now()).pk)


class ListRatings(Endpoint):
    @operation("list_ratings", Answer(RATINGS), FOR_ALL, parameters=[RatingsInput], scope=Scope.READ)
    def get(self, request: Request) -> Response:
        """List the best ratings from races in a family of rule sets; provisional ones are not listed."""
        query = self.query(RatingsInput)
        rows = [
            RatedPlayer(place, Player.of(row.player), Rating.of(query.family, figures_of(row)))
            for place, row in enumerate(best_rated(query.family, query.limit, bots=query.of == "bots"), 1)
        ]
        return Response(Ratings(query.family, query.of, rows))


urlpatterns = [
    path("races/", Races.as_view(), name="races"),
    path("ratings/", ListRatings.as_view(), name="ratings"),
    path("me/races/", OwnRaces.as_view(), name="own-races"),
    path("races/<slug:race_id>/", OneRace.as_view(), name="race"),
    path("races/<slug:race_id>/join/", Join.as_view(), name="join-race"),
    path("races/<slug:race_id>/invitations/", Invitations.as_view(), name="race-invitations"),
    path("races/<slug:race_id>/invitations/circle/", CircleInvitations.as_view(), name="invite-circle-to-race"),
    path("races/<slug:race_id>/leave/", Leave.as_view(), name="leave-race"),
    path("races/<slug:race_id>/start/", Start.as_view(), name="start-race"),
    path("races/<slug:race_id>/rematch/", Rematch.as_view(), name="rematch"),
]
