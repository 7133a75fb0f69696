"""Clubs over REST, and the boards that are narrowed to their members."""

from django.http import HttpResponse
from django.urls import path
from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from games.doors.rest.caching import conditional
from games.doors.rest.inputs import NothingInput
from games.doors.rest.openapi import CHANGES, FOR_ALL, FOR_PLAYERS, NOT_MODIFIED, Answer, location, operation
from games.doors.scopes import Scope
from games.players.endpoint import IDEMPOTENCY_KEY, REPEATED, Endpoint, PlayersEndpoint, idempotent
from games.players.refusals import UnknownPlayer
from games.runtime.addresses import address_of_request
from leaderboards.boards import examples as board_examples
from leaderboards.boards.models import Board
from leaderboards.boards.ranking.view import View
from leaderboards.boards.refusals import BadCursor, NotOnBoard, UnknownBoard
from leaderboards.boards.remembered import FOR_A_MOMENT
from leaderboards.boards.rest import BoardEndpoint, OneBoard, PlayerOnBoard
from leaderboards.boards.wire import TableInput, ViewInput
from leaderboards.clubs import examples, founding, membership, wire
from leaderboards.clubs.reading import clubs_of, find_by_code, find_club, read_club
from leaderboards.clubs.refusals import (
    BannedFromClub,
    ByInvitation,
    ClubFull,
    ClubNameReserved,
    ClubNameTaken,
    GuestsFoundNoClubs,
    NotInClub,
    NotOfficer,
    TooManyClubs,
    UnknownClub,
)
from leaderboards.clubs.tables import narrowed_to_club
from leaderboards.clubs.week import find_table, read_cursor
from leaderboards.clubs.wire import ActInput, ClubInput, ClubsOfWeekInput, LettersInput

JOINING = (UnknownClub, BannedFromClub, ByInvitation, TooManyClubs, ClubFull)
LEADING = (UnknownClub, NotInClub, NotOfficer)
NAMING = (ClubNameReserved, ClubNameTaken)


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
        club = founding.found(self.player, self.body(ClubInput).terms, timezone.now())
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
        founding.change(club_id, self.player, self.body(ClubInput).terms, timezone.now())
        return self.answer(club_id)


class JoinByCode(PlayersEndpoint, ClubEndpoint):
    @operation("join_club_by_code", Answer(examples.CLUB), (*CHANGES, *JOINING), LettersInput)
    def post(self, request: Request) -> Response:
        """Join the club with these six letters, or ask to. Doing so again changes nothing."""
        club = find_by_code(self.body(LettersInput).letters, address_of_request(request._request))
        membership.join(club.pk, self.player, timezone.now())
        return self.answer(club.pk)


class JoinClub(PlayersEndpoint, ClubEndpoint):
    @operation("join_club", Answer(examples.CLUB), (*CHANGES, *JOINING), NothingInput)
    def post(self, request: Request, club_id: str) -> Response:
        """Join a club, or ask to. Doing so again changes nothing."""
        self.body(NothingInput)
        membership.join(club_id, self.player, timezone.now())
        return self.answer(club_id)


class LeaveClub(PlayersEndpoint):
    @operation("leave_club", Answer(examples.OWN_CLUBS), (*CHANGES, UnknownClub), NothingInput)
    def post(self, request: Request, club_id: str) -> Response:
        """Leave a club, decline its invitation or take back a request, and read your clubs.

        If the owner leaves, the officer who has been there longest becomes owner, or else such a member.
        """
        self.body(NothingInput)
        membership.leave(club_id, self.player, timezone.now())
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
        membership.manage(club_id, self.player, body.act, body.handle, timezone.now())
        return self.answer(club_id)


class _OfClub(BoardEndpoint):
    """An endpoint below a board, which is narrowed to a club."""

    def view_of(self, board: Board, query: ViewInput) -> View:
        now = timezone.now()
        return narrowed_to_club(self.kwargs["club_id"], super().view_of(board, query), min(query.as_of or now, now))


class ClubBoard(_OfClub, OneBoard):
    @operation(
        "read_club_board",
        [Answer(board_examples.TABLE), NOT_MODIFIED],
        (*FOR_PLAYERS, UnknownClub, BadCursor, UnknownBoard, NotOnBoard),
        parameters=[TableInput],
        scope=Scope.READ,
    )
    def get(self, request: Request, club_id: str, slug: str) -> HttpResponse:  # type: ignore[override]
        """Read rows of a board, narrowed to the members of a club, with ranks among them.

        Members count from the first day that opens after they have joined.
        """
        return self.answer(slug, lambda: self.page_of(slug))


class PlayerOnClubBoard(_OfClub, PlayerOnBoard):
    @operation(
        "read_standing_in_club",
        [Answer(board_examples.STANDING), NOT_MODIFIED],
        (*FOR_PLAYERS, UnknownClub, UnknownBoard, NotOnBoard),
        parameters=[ViewInput],
        scope=Scope.READ,
    )
    def get(self, request: Request, club_id: str, slug: str, handle: str) -> HttpResponse:  # type: ignore[override]
        """Read the row of a player, with the rank among the members of a club."""
        return self.answer(slug, lambda: self.standing_of(slug, handle))


class ClubsOfWeek(Endpoint):
    @operation(
        "read_clubs_of_week",
        [Answer(examples.CLUBS_OF_WEEK), NOT_MODIFIED],
        (*FOR_ALL, BadCursor, UnknownBoard),
        parameters=[ClubsOfWeekInput],
        scope=Scope.READ,
    )
    def get(self, request: Request, week: str) -> HttpResponse:
        """Read the clubs of a week such as `2026-W47`, each with the sum of its five best members.

        A week whose last day is final does not change any more.
        """
        query = self.query(ClubsOfWeekInput)
        table, first = find_table(week, query.rules, query.division, timezone.now()), 0
        if query.cursor:
            table, first = read_cursor(query.cursor, table.board)
        return conditional(request, wire.ClubsOfWeek.of(table, first, query.limit), FOR_A_MOMENT)


urlpatterns = [
    path("clubs/", Clubs.as_view(), name="clubs"),
    path("clubs/weeks/<str:week>/", ClubsOfWeek.as_view(), name="clubs-of-week"),
    path("clubs/join/", JoinByCode.as_view(), name="join-club-by-code"),
    path("me/clubs/", OwnClubs.as_view(), name="own-clubs"),
    path("clubs/<slug:club_id>/", OneClub.as_view(), name="club"),
    path("clubs/<slug:club_id>/terms/", ClubTerms.as_view(), name="club-terms"),
    path("clubs/<slug:club_id>/join/", JoinClub.as_view(), name="join-club"),
    path("clubs/<slug:club_id>/leave/", LeaveClub.as_view(), name="leave-club"),
    path("clubs/<slug:club_id>/members/", ClubActs.as_view(), name="club-members"),
    path("clubs/<slug:club_id>/boards/<str:slug>/", ClubBoard.as_view(), name="club-board"),
    path(
        "clubs/<slug:club_id>/boards/<str:slug>/players/<slug:handle>/",
        PlayerOnClubBoard.as_view(),
        name="player-on-club-board",
    ),
]
