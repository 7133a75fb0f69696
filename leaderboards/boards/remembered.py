"""Boards and public answers about them, cached until the board changes, for some seconds at most."""

from collections.abc import Callable
from typing import TypeVar

import msgspec
from django.http import HttpResponse
from rest_framework.request import Request

from games.doors.rest.caching import Prepared, prepare, respond
from games.keys import unchanged
from games.runtime.clock import clock
from games.runtime.memory import Memory
from games.runtime.pubsub import Message
from leaderboards.boards.models import Board
from leaderboards.boards.publishing import TOPIC
from leaderboards.boards.reading import find_board

Value = TypeVar("Value")

# A board changes as a whole, so a client that asks again soon mostly learns that nothing is new, without the rows.
FOR_A_MOMENT = "private, max-age=2"
MOST_ANSWERS = 1000
MOST_BOARDS = 200
LONGEST_QUERY = 200


class _AboutBoards(Memory[Value]):
    """Values about boards, which are forgotten with the notice of a new version."""

    def _receive(self, notice: Message) -> None:
        self.drop(notice["board"])


_boards: Memory[Board] = _AboutBoards(TOPIC, MOST_BOARDS)
_answers: Memory[Prepared] = _AboutBoards(TOPIC, MOST_ANSWERS)
unchanged.register(_answers.recall)


def known_board(slug: str) -> Board:
    """Return a board at its current version. Raises `UnknownBoard`."""
    board = _boards.get(slug, lambda: find_board(slug, clock.now()))
    assert board is not None  # noqa: S101  a board is never None
    return board


def answer_alike(request: Request, slug: str, ask: Callable[[], msgspec.Struct]) -> HttpResponse:
    """Answer a request about a board with the one answer that all readers of its address get."""
    query = request.META["QUERY_STRING"]
    if len(query) > LONGEST_QUERY:
        return respond(request, prepare(ask(), FOR_A_MOMENT))
    known = _answers.get(f"{request.path}?{query}", lambda: prepare(ask(), FOR_A_MOMENT), lambda _: slug)
    assert known is not None  # noqa: S101  an answer is never None
    return respond(request, known)
