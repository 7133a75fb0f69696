"""Score tables over REST: each view reads the request, calls one service and writes the answer."""

from collections.abc import Callable
from dataclasses import replace

import msgspec
from django.http import HttpResponse
from django.urls import path
from django.utils.translation import gettext as _
from rest_framework.exceptions import NotAuthenticated, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from games.doors.rest.caching import conditional
from games.doors.rest.openapi import CHANGES, FOR_ALL, FOR_PLAYERS, NOT_MODIFIED, Answer, operation
from games.doors.scopes import Scope
from games.players.endpoint import Endpoint, PlayersEndpoint
from games.players.refusals import UnknownPlayer
from games.runtime.clock import clock
from leaderboards.boards import examples, following, reading, wire
from leaderboards.boards.histogram import Histogram, histogram
from leaderboards.boards.models import Board
from leaderboards.boards.ranking.view import View
from leaderboards.boards.reading import cursor_after, read_cursor
from leaderboards.boards.refusals import BadCursor, NotOnBoard, UnknownBoard
from leaderboards.boards.remembered import FOR_A_MOMENT, answer_alike, known_board
from leaderboards.boards.wire import BoardsInput, HistogramInput, PlayersInput, TableInput, ViewInput


class BoardEndpoint(Endpoint):
    """An endpoint below a board."""

    def answer(self, slug: str, ask: Callable[[], msgspec.Struct]) -> HttpResponse:
        """Answer a question about a board. Answers about followed players are never cached."""
        if "following" in self.request.query_params:
            return conditional(self.request, ask(), FOR_A_MOMENT)
        return answer_alike(self.request, slug, ask)

    def view_of(self, board: Board, query: ViewInput) -> View:
        view = replace(reading.view_of(board, query.as_of or None), verified_only=query.verified)
        if not query.following:
            return view
        if self.reader is None:
            raise NotAuthenticated
        return reading.only_followed(view, self.reader)


class Boards(BoardEndpoint):
    @operation(
        "list_boards", [Answer(examples.BOARDS), NOT_MODIFIED], FOR_ALL, parameters=[BoardsInput], scope=Scope.READ
    )
    def get(self, request: Request) -> HttpResponse:
        """List the boards of a day: its own, those of its week and month, and those of all time.

        A board exists from the moment its first deal opens, permanently.
        """
        now, query = clock.now(), self.query(BoardsInput)
        boards = [wire.Board.of(row) for row in reading.boards_of_day(query.day or now.date(), now)]
        wanted = {name: value for name in ("period", "rules", "division") if (value := getattr(query, name))}
        shown = [board for board in boards if all(getattr(board, name) == value for name, value in wanted.items())]
        return conditional(request, wire.Boards(shown), FOR_A_MOMENT)


class OneBoard(BoardEndpoint):
    @operation(
        "read_board",
        [Answer(examples.TABLE), NOT_MODIFIED],
        (*FOR_PLAYERS, BadCursor, UnknownBoard, NotOnBoard),
        parameters=[TableInput],
        scope=Scope.READ,
    )
    def get(self, request: Request, slug: str) -> HttpResponse:
        """Read rows of a board: the top, those around a player, or those after a cursor.

        All pages linked by `next` belong to one version of the board, so following them neither skips nor repeats a
        row, whatever is entered in the meantime.
        """
        return self.answer(slug, lambda: self.page_of(slug))

    def page_of(self, slug: str) -> wire.TablePage:
        board, query = known_board(slug), self.query(TableInput)
        table = self._table(board, query)
        last = table.rows[-1].place if table.rows else None
        has_more = last is not None and last.place < table.count
        return wire.TablePage(
            board=wire.Board.of(board),
            version=table.view.version,
            count=table.count,
            rows=[wire.Row.at_place(row) for row in table.rows],
            amendments=[wire.Amendment.of(decision) for decision in reading.amendments_of(board, clock.now())],
            next=cursor_after(table.view, table.count, last) if last and has_more else None,
        )

    def _table(self, board: Board, query: TableInput) -> reading.Table:
        limit = query.limit
        if query.cursor:
            return reading.page_after(*read_cursor(query.cursor, board), limit)
        view = self.view_of(board, query)
        return reading.around_player(view, query.around, limit) if query.around else reading.top_of(view, limit)


class PlayersOnBoard(BoardEndpoint):
    @operation(
        "read_standings",
        [Answer(examples.STANDINGS), NOT_MODIFIED],
        (*FOR_PLAYERS, UnknownBoard),
        parameters=[PlayersInput],
        scope=Scope.READ,
    )
    def get(self, request: Request, slug: str) -> HttpResponse:
        """Read the rows of several players."""
        return self.answer(slug, lambda: self._standings(known_board(slug), self.query(PlayersInput)))

    def _standings(self, board: Board, query: PlayersInput) -> wire.Standings:
        view = self.view_of(board, query)
        standings = [wire.Standing.of(standing) for standing in reading.standings_of(view, query.players)]
        found = {standing.row.player.handle for standing in standings}
        missing = [handle for handle in query.players if handle not in found]
        return wire.Standings(view.version, standings, missing)


class PlayerOnBoard(BoardEndpoint):
    @operation(
        "read_standing",
        [Answer(examples.STANDING), NOT_MODIFIED],
        (*FOR_PLAYERS, UnknownBoard, NotOnBoard),
        parameters=[ViewInput],
        scope=Scope.READ,
    )
    def get(self, request: Request, slug: str, handle: str) -> HttpResponse:
        """Read the row of a player."""
        return self.answer(slug, lambda: self.standing_of(slug, handle))

    def standing_of(self, slug: str, handle: str) -> wire.Standing:
        view = self.view_of(known_board(slug), self.query(ViewInput))
        return wire.Standing.of(reading.standing_of(view, handle))


class PlayerHistory(BoardEndpoint):
    @operation(
        "read_history", [Answer(examples.HISTORY), NOT_MODIFIED], (*FOR_ALL, UnknownBoard, NotOnBoard), scope=Scope.READ
    )
    def get(self, request: Request, slug: str, handle: str) -> HttpResponse:
        """Read the history of a player's scores on a board, oldest first."""
        changes = reading.history_of(known_board(slug), handle)
        return conditional(request, wire.History([wire.Change.of(change) for change in changes]), FOR_A_MOMENT)


class BoardHistogram(BoardEndpoint):
    @operation(
        "read_histogram",
        [Answer(examples.HISTOGRAM), NOT_MODIFIED],
        (*FOR_PLAYERS, UnknownBoard),
        parameters=[HistogramInput],
        scope=Scope.READ,
    )
    def get(self, request: Request, slug: str) -> HttpResponse:
        """Read the distribution of a board's scores."""
        return self.answer(slug, lambda: self.histogram_of(slug))

    def histogram_of(self, slug: str) -> Histogram:
        board, query = known_board(slug), self.query(HistogramInput)
        fields = board.key.order.fields
        field = query.field or fields[0]
        if field not in fields:
            raise ValidationError({"field": [_("This board sorts by %(fields)s.") % {"fields": ", ".join(fields)}]})
        if query.won and "cards_left" not in fields:
            raise ValidationError({"won": [_("This board sorts by %(fields)s.") % {"fields": ", ".join(fields)}]})
        return histogram(self.view_of(board, query), field, query.bins, won=query.won)


class Followed(PlayersEndpoint):
    @operation("list_followed", Answer(examples.FOLLOWED), FOR_PLAYERS, scope=Scope.READ)
    def get(self, request: Request) -> Response:
        """List the players you follow."""
        return Response(wire.Followed.of(following.followed_by(self.player)))


class OneFollowed(PlayersEndpoint):
    @operation("follow", Answer(examples.FOLLOWED), (*CHANGES, UnknownPlayer, ValidationError))
    def put(self, request: Request, handle: str) -> Response:
        """Follow a player, and read the players you follow."""
        try:
            following.follow(self.player, handle)
        except following.FollowingError as error:
            raise ValidationError({"handle": [str(error)]}) from error
        return Response(wire.Followed.of(following.followed_by(self.player)))

    @operation("unfollow", Answer(examples.FOLLOWED), CHANGES)
    def delete(self, request: Request, handle: str) -> Response:
        """Stop following a player, and read the players you follow."""
        following.unfollow(self.player, handle)
        return Response(wire.Followed.of(following.followed_by(self.player)))


urlpatterns = [
    path("boards/", Boards.as_view(), name="boards"),
    path("boards/following/", Followed.as_view(), name="followed"),
    path("boards/following/<slug:handle>/", OneFollowed.as_view(), name="one-followed"),
    path("boards/<str:slug>/", OneBoard.as_view(), name="board"),
    path("boards/<str:slug>/histogram/", BoardHistogram.as_view(), name="histogram"),
    path("boards/<str:slug>/players/", PlayersOnBoard.as_view(), name="players-on-board"),
    path("boards/<str:slug>/players/<slug:handle>/", PlayerOnBoard.as_view(), name="player-on-board"),
    path("boards/<str:slug>/players/<slug:handle>/history/", PlayerHistory.as_view(), name="player-history"),
]
