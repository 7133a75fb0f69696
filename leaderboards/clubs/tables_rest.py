"""Tables of clubs over REST: boards and seasons that are narrowed to a club, and the clubs of a week."""

from django.http import HttpResponse
from django.urls import path
from rest_framework.request import Request

from games.doors.rest.caching import ASK_AGAIN, conditional
from games.doors.rest.openapi import FOR_ALL, FOR_PLAYERS, NOT_MODIFIED, Answer, operation
from games.doors.scopes import Scope
from games.players.endpoint import Endpoint
from games.runtime.clock import clock
from leaderboards.boards import examples as board_examples
from leaderboards.boards.models import Board
from leaderboards.boards.ranking.view import View
from leaderboards.boards.refusals import BadCursor, NotOnBoard, UnknownBoard
from leaderboards.boards.remembered import FOR_A_MOMENT
from leaderboards.boards.rest import BoardEndpoint, BoardHistogram, OneBoard, PlayerOnBoard
from leaderboards.boards.wire import HistogramInput, TableInput, ViewInput
from leaderboards.clubs import examples, wire
from leaderboards.clubs.refusals import UnknownClub
from leaderboards.clubs.tables import narrowed_to_club, season_of_club
from leaderboards.clubs.week import find_table, read_cursor
from leaderboards.clubs.wire import ClubsOfWeekInput
from leaderboards.seasons.examples import SEASON_PAGE
from leaderboards.seasons.refusals import UnknownSeason
from leaderboards.seasons.rest import season_page
from leaderboards.seasons.seasons import find_season
from leaderboards.seasons.wire import SeasonInput


class _OfClub(BoardEndpoint):
    """An endpoint below a board, which is narrowed to a club."""

    def view_of(self, board: Board, query: ViewInput) -> View:
        now = clock.now()
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


class ClubHistogram(_OfClub, BoardHistogram):
    @operation(
        "read_histogram_of_club",
        [Answer(board_examples.HISTOGRAM), NOT_MODIFIED],
        (*FOR_PLAYERS, UnknownClub, UnknownBoard),
        parameters=[HistogramInput],
        scope=Scope.READ,
    )
    def get(self, request: Request, club_id: str, slug: str) -> HttpResponse:  # type: ignore[override]
        """Read the distribution of the scores that the members of a club have on a board."""
        return self.answer(slug, lambda: self.histogram_of(slug))


class ClubSeason(Endpoint):
    @operation(
        "read_season_of_club",
        [Answer(SEASON_PAGE), NOT_MODIFIED],
        (*FOR_ALL, UnknownClub, UnknownSeason, BadCursor),
        parameters=[SeasonInput],
        scope=Scope.READ,
    )
    def get(self, request: Request, club_id: str, slug: str) -> HttpResponse:
        """Read a season narrowed to those who were members of a club on its last day. It never changes.

        The `season` and its `count` are those of everyone.
        """
        season = find_season(slug)
        page = season_page(season, self.query(SeasonInput), season_of_club(club_id, season))
        return conditional(request, page, ASK_AGAIN)


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
        table, first = find_table(week, query.rules, query.division, clock.now()), 0
        if query.cursor:
            table, first = read_cursor(query.cursor, table.board)
        return conditional(request, wire.ClubsOfWeek.of(table, first, query.limit), FOR_A_MOMENT)


urlpatterns = [
    path("clubs/weeks/<str:week>/", ClubsOfWeek.as_view(), name="clubs-of-week"),
    path("clubs/<slug:club_id>/boards/<str:slug>/", ClubBoard.as_view(), name="club-board"),
    path("clubs/<slug:club_id>/boards/<str:slug>/histogram/", ClubHistogram.as_view(), name="club-histogram"),
    path(
        "clubs/<slug:club_id>/boards/<str:slug>/players/<slug:handle>/",
        PlayerOnClubBoard.as_view(),
        name="player-on-club-board",
    ),
    path("clubs/<slug:club_id>/seasons/<str:slug>/", ClubSeason.as_view(), name="club-season"),
]
