"""Score tables over REST: each view reads the question, asks one service and writes the answer."""

from __future__ import annotations

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games.rest.endpoint import Endpoint
from leaderboards.rest import examples
from leaderboards.rest.serializers import (
    ERROR,
    BoardQuery,
    BoardSerializer,
    BoardsQuery,
    RowSerializer,
    TableSerializer,
)
from leaderboards.services import reading


class BoardsView(Endpoint):
    @extend_schema(
        operation_id="boards_of_day",
        summary="The boards of a day",
        description="Every daily deal has its boards from the moment it opens, and keeps them for ever.",
        tags=["boards"],
        parameters=[BoardsQuery],
        responses={200: BoardSerializer(many=True), 400: ERROR},
        examples=[examples.answer(examples.BOARD), examples.BAD_DAY],
    )
    def get(self, request: Request) -> Response:
        now = timezone.now()
        day = self.query(BoardsQuery).get("day", now.date())
        return Response(BoardSerializer(reading.boards_of_day(day, now), many=True).data)


class BoardView(Endpoint):
    @extend_schema(
        operation_id="board",
        summary="The top of a board, or the rows around a player",
        tags=["boards"],
        parameters=[BoardQuery],
        responses={200: TableSerializer, 400: ERROR, 404: ERROR},
        examples=[examples.answer(examples.TABLE), examples.BAD_LIMIT, examples.UNKNOWN_BOARD, examples.NOT_ON_BOARD],
    )
    def get(self, request: Request, slug: str) -> Response:
        query = self.query(BoardQuery)
        board, limit, handle = reading.find_board(slug, timezone.now()), query["limit"], query.get("around")
        table = reading.around_player(board, handle, limit) if handle else reading.top_of(board, limit)
        return Response(TableSerializer(table).data)


class PlayerOnBoardView(Endpoint):
    @extend_schema(
        operation_id="board_player",
        summary="A player's row on a board",
        tags=["boards"],
        responses={200: RowSerializer, 404: ERROR},
        examples=[examples.answer(examples.ALICE), examples.UNKNOWN_BOARD, examples.NOT_ON_BOARD],
    )
    def get(self, request: Request, slug: str, handle: str) -> Response:
        board = reading.find_board(slug, timezone.now())
        return Response(RowSerializer(reading.standing_of(board, handle)).data)
