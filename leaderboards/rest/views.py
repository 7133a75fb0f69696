"""Score tables over REST: each view reads the request, calls one service and writes the answer."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.utils import timezone
from django.utils.decorators import method_decorator
from django.views.decorators.cache import cache_control
from django.views.decorators.http import conditional_page
from rest_framework.exceptions import NotAuthenticated, ValidationError
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from games.kit.rest.endpoint import Endpoint
from games.kit.rest.openapi import CHANGES, FOR_ALL, FOR_PLAYERS, Answer, operation
from leaderboards.errors import BadCursor, NotOnBoard, UnknownBoard
from leaderboards.models import Board
from leaderboards.ranking.view import View
from leaderboards.rest import examples, serializers
from leaderboards.rest.inputs import BoardsInput, HistogramInput, PlayersInput, TableInput, ViewInput
from leaderboards.services import following, reading
from leaderboards.services.histogram import histogram
from leaderboards.services.paging import cursor_after, read_cursor

MAX_AGE_SECONDS = 2


# A board changes as a whole, so a client that asks again soon mostly gets a 304, without the rows.
@method_decorator([cache_control(private=True, max_age=MAX_AGE_SECONDS), conditional_page], name="dispatch")
class BoardEndpoint(Endpoint):
    """An endpoint below a board."""

    def board(self, slug: str) -> Board:
        return reading.find_board(slug, timezone.now())

    def view_of(self, board: Board, query: dict[str, Any]) -> View:
        view = replace(reading.view_of(board, query.get("as_of")), verified_only=query["verified"])
        if not query["following"]:
            return view
        if self.reader is None:
            raise NotAuthenticated
        return reading.only_followed(view, self.reader)


class Boards(BoardEndpoint):
    @operation("list_boards", Answer(serializers.BoardsSerializer, examples.BOARDS), FOR_ALL, parameters=[BoardsInput])
    def get(self, request: Request) -> Response:
        """List the boards of a day: its own, those of its week and month, and those of all time.

        A board exists permanently, from the moment its first deal opens.
        """
        now, query = timezone.now(), self.query(BoardsInput)
        boards = reading.boards_of_day(query.pop("day", now.date()), now)
        shown = serializers.BoardsSerializer({"boards": boards}).data["boards"]
        return Response({"boards": [board for board in shown if query.items() <= board.items()]})


class OneBoard(BoardEndpoint):
    @operation(
        "read_board",
        Answer(serializers.TableSerializer, examples.TABLE),
        (*FOR_PLAYERS, BadCursor, UnknownBoard, NotOnBoard),
        parameters=[TableInput],
    )
    def get(self, request: Request, slug: str) -> Response:
        """Read rows of a board: the top, those around a player, or those after a cursor.

        All pages linked by `next` are of one version of the board, so that following them neither skips nor repeats a
        row, whatever is entered in the meantime.
        """
        board, query = self.board(slug), self.query(TableInput)
        limit = query["limit"]
        if "cursor" in query:
            table = reading.page_after(*read_cursor(query["cursor"], board), limit)
        elif "around" in query:
            table = reading.around_player(self.view_of(board, query), query["around"], limit)
        else:
            table = reading.top_of(self.view_of(board, query), limit)
        last = table.rows[-1].place if table.rows else None
        more = last is not None and last.place < table.count
        answer = {
            "board": board,
            "version": table.view.version,
            "count": table.count,
            "rows": table.rows,
            "amendments": reading.amendments_of(board),
            "next": cursor_after(table.view, table.count, last) if last and more else None,
        }
        return Response(serializers.TableSerializer(answer).data)


class PlayersOnBoard(BoardEndpoint):
    @operation(
        "read_standings",
        Answer(serializers.StandingsSerializer, examples.STANDINGS),
        (*FOR_PLAYERS, UnknownBoard),
        parameters=[PlayersInput],
    )
    def get(self, request: Request, slug: str) -> Response:
        """Read the rows of several players."""
        board, query = self.board(slug), self.query(PlayersInput)
        view = self.view_of(board, query)
        standings = reading.standings_of(view, query["handles"])
        found = {standing.row.entry.player.username for standing in standings}
        missing = [handle for handle in query["handles"] if handle not in found]
        answer = {"version": view.version, "standings": standings, "missing": missing}
        return Response(serializers.StandingsSerializer(answer).data)


class PlayerOnBoard(BoardEndpoint):
    @operation(
        "read_standing",
        Answer(serializers.StandingSerializer, examples.STANDING),
        (*FOR_PLAYERS, UnknownBoard, NotOnBoard),
        parameters=[ViewInput],
    )
    def get(self, request: Request, slug: str, handle: str) -> Response:
        """Read the row of a player."""
        view = self.view_of(self.board(slug), self.query(ViewInput))
        return Response(serializers.StandingSerializer(reading.standing_of(view, handle)).data)


class PlayerHistory(BoardEndpoint):
    @operation(
        "read_history",
        Answer(serializers.HistorySerializer, examples.HISTORY),
        (*FOR_ALL, UnknownBoard, NotOnBoard),
    )
    def get(self, request: Request, slug: str, handle: str) -> Response:
        """Read the history of a player's scores on a board, the oldest first."""
        changes = reading.history_of(self.board(slug), handle)
        return Response(serializers.HistorySerializer({"changes": changes}).data)


class BoardHistogram(BoardEndpoint):
    @operation(
        "read_histogram",
        Answer(serializers.HistogramSerializer, examples.HISTOGRAM),
        (*FOR_PLAYERS, UnknownBoard),
        parameters=[HistogramInput],
    )
    def get(self, request: Request, slug: str) -> Response:
        """Read the distribution of a board's scores."""
        board, query = self.board(slug), self.query(HistogramInput)
        fields = board.key.order.fields
        field = query.get("field", fields[0])
        if field not in fields:
            raise ValidationError({"field": [f"This board sorts by {', '.join(fields)}."]})
        counted = histogram(self.view_of(board, query), field, query["bins"])
        return Response(serializers.HistogramSerializer(counted).data)


class Followed(Endpoint):
    permission_classes = [IsAuthenticated]

    @operation("list_followed", Answer(serializers.FollowedSerializer, examples.FOLLOWED), FOR_PLAYERS)
    def get(self, request: Request) -> Response:
        """List the players whom you follow."""
        return Response(serializers.FollowedSerializer({"players": following.followed_by(self.player)}).data)


class OneFollowed(Endpoint):
    permission_classes = [IsAuthenticated]
    http_method_names = ["put", "delete"]

    @operation(
        "follow",
        Answer(serializers.FollowedSerializer, examples.FOLLOWED),
        (*CHANGES, ValidationError),
    )
    def put(self, request: Request, handle: str) -> Response:
        """Follow a player, and read the players whom you follow."""
        try:
            following.follow(self.player, handle)
        except following.FollowingError as error:
            raise ValidationError({"handle": [str(error)]}) from error
        return Response(serializers.FollowedSerializer({"players": following.followed_by(self.player)}).data)

    @operation("unfollow", Answer(serializers.FollowedSerializer, examples.FOLLOWED), CHANGES)
    def delete(self, request: Request, handle: str) -> Response:
        """Stop following a player, and read the players whom you follow."""
        following.unfollow(self.player, handle)
        return Response(serializers.FollowedSerializer({"players": following.followed_by(self.player)}).data)
