"""Clubs over REST."""

from django.urls import path
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from games.doors.rest.inputs import NothingInput
from games.doors.rest.openapi import CHANGES, FOR_ALL, FOR_PLAYERS, Answer, location, operation
from games.doors.scopes import Scope
from games.players.endpoint import IDEMPOTENCY_KEY, REPEATED, Endpoint, PlayersEndpoint, idempotent
from games.players.refusals import UnknownPlayer
from games.runtime.addresses import address_of_request
from games.runtime.clock import clock
from leaderboards.clubs import examples, founding, membership, wire
from leaderboards.clubs.reading import clubs_of, find_by_code, find_club, read_club
from leaderboards.clubs.refusals import (
    BannedFromClub,
    ByInvitation,
    ClubFull,
    ClubNameRemoved,
    ClubNameReserved,
    ClubNameTaken,
    GuestsFoundNoClubs,
    GuestsReportNoClubs,
    NotInClub,
    NotOfficer,
    TooManyClubs,
    UnknownClub,
)
from leaderboards.clubs.reporting import report_club
from leaderboards.clubs.wire import ActInput, ClubInput, LettersInput, ReportClubInput

JOINING = (UnknownClub, BannedFromClub, ByInvitation, TooManyClubs, ClubFull)
LEADING = (UnknownClub, NotInClub, NotOfficer)
NAMING = (ClubNameReserved, ClubNameRemoved, ClubNameTaken)


class ClubEndpoint(Endpoint):
    """An endpoint that answers with a club."""

    def answer(self, club_id: str) -> Response:
        return Response(wire.Club.of(read_club(find_club(club_id), self.reader)))


class Clubs(PlayersEndpoint, ClubEndpoint):
    @operation(
        "found_club",
        Answer(examples.CLUB, 201),
        (*CHANGES, GuestsFoundNoClubs, TooManyClubs, *NAMING, *REPEATED),
        ClubInput,
        [location(of="the club"), IDEMPOTENCY_KEY],
    )
    @idempotent
    def post(self, request: Request) -> Response:
        """Found a club, with yourself as its owner. Send its `letters` to the people you want in it."""
        club = founding.found(self.player, self.body(ClubInput).terms, clock.now())
        response = self.answer(club.pk)
        response.status_code = 201
        response["Location"] = reverse("club", kwargs={"club_id": club.pk})
        return response


class OwnClubs(PlayersEndpoint):
    @operation("list_own_clubs", Answer(examples.OWN_CLUBS), FOR_PLAYERS, scope=Scope.READ)
    def get(self, request: Request) -> Response:
        """List your clubs, those that have invited you, and those that you have asked to join."""
        return Response(wire.OwnClubs([wire.OwnClub.of(*each) for each in clubs_of(self.player)]))


class OneClub(ClubEndpoint):
    @operation("read_club", Answer(examples.CLUB), (*FOR_ALL, UnknownClub), scope=Scope.READ)
    def get(self, request: Request, club_id: str) -> Response:
        """Read a club with its members."""
        return self.answer(club_id)


class ClubTerms(PlayersEndpoint, ClubEndpoint):
    @operation("change_club", Answer(examples.CLUB), (*CHANGES, *LEADING, *NAMING), ClubInput)
    def put(self, request: Request, club_id: str) -> Response:
        """Change what a club that you own says about itself, and who can join it."""
        founding.change(club_id, self.player, self.body(ClubInput).terms, clock.now())
        return self.answer(club_id)


class JoinByCode(PlayersEndpoint, ClubEndpoint):
    @operation("join_club_by_code", Answer(examples.CLUB), (*CHANGES, *JOINING), LettersInput)
    def post(self, request: Request) -> Response:
        """Join the club with these six letters, or ask to. Doing so again changes nothing."""
        club = find_by_code(self.body(LettersInput).letters, address_of_request(request._request))
        membership.join(club.pk, self.player, clock.now())
        return self.answer(club.pk)


class JoinClub(PlayersEndpoint, ClubEndpoint):
    @operation("join_club", Answer(examples.CLUB), (*CHANGES, *JOINING), NothingInput)
    def post(self, request: Request, club_id: str) -> Response:
        """Join a club, or ask to. Doing so again changes nothing."""
        self.body(NothingInput)
        membership.join(club_id, self.player, clock.now())
        return self.answer(club_id)


class LeaveClub(PlayersEndpoint):
    @operation("leave_club", Answer(examples.OWN_CLUBS), (*CHANGES, UnknownClub), NothingInput)
    def post(self, request: Request, club_id: str) -> Response:
        """Leave a club, decline its invitation or take back a request, and read your clubs.

        If the owner leaves, the officer who has been there longest becomes owner, or else such a member.
        """
        self.body(NothingInput)
        membership.leave(club_id, self.player, clock.now())
        return Response(wire.OwnClubs([wire.OwnClub.of(*each) for each in clubs_of(self.player)]))


class ClubActs(PlayersEndpoint, ClubEndpoint):
    @operation(
        "manage_club",
        Answer(examples.CLUB),
        (*CHANGES, *LEADING, UnknownPlayer, BannedFromClub, TooManyClubs, ClubFull),
        ActInput,
    )
    def post(self, request: Request, club_id: str) -> Response:
        """Decide about a player. The owner appoints and demotes officers and can hand the club over.

        Officers invite, admit, decline, remove and ban players, except each other and the owner.
        """
        body = self.body(ActInput)
        membership.manage(club_id, self.player, body.act, body.handle, clock.now())
        return self.answer(club_id)


class ReportClub(PlayersEndpoint):
    @operation("report_club", Answer(examples.REPORT), (*CHANGES, UnknownClub, GuestsReportNoClubs), ReportClubInput)
    def post(self, request: Request, club_id: str) -> Response:
        """Report the name or description of a club to the reviewers. Until they decide, another one changes nothing.

        The number of reports a day is limited. Nobody else sees who reported a club.
        """
        body = self.body(ReportClubInput)
        return Response(wire.ClubReport.of(report_club(club_id, self.player, body.about, body.text, clock.now())))


urlpatterns = [
    path("clubs/", Clubs.as_view(), name="clubs"),
    path("clubs/join/", JoinByCode.as_view(), name="join-club-by-code"),
    path("me/clubs/", OwnClubs.as_view(), name="own-clubs"),
    path("clubs/<slug:club_id>/", OneClub.as_view(), name="club"),
    path("clubs/<slug:club_id>/terms/", ClubTerms.as_view(), name="club-terms"),
    path("clubs/<slug:club_id>/join/", JoinClub.as_view(), name="join-club"),
    path("clubs/<slug:club_id>/leave/", LeaveClub.as_view(), name="leave-club"),
    path("clubs/<slug:club_id>/members/", ClubActs.as_view(), name="club-members"),
    path("clubs/<slug:club_id>/report/", ReportClub.as_view(), name="report-club"),
]
