"""Public answers about a board, cached until the board changes, for some seconds at most."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
from django.http import HttpResponse
from rest_framework.request import Request

from games.kit.memory import Memory
from games.kit.pubsub import Message
from games.kit.rest import unchanged
from games.kit.rest.caching import Prepared, prepare, respond
from leaderboards.services.notifications import TOPIC

# A board changes as a whole, so a client that asks again soon mostly learns that nothing is new, without the rows.
FOR_A_MOMENT = "private, max-age=2"
MOST_ANSWERS = 1000
LONGEST_QUERY = 200


class _Answers(Memory[Prepared]):
    """Answers by address, each about a board, which are forgotten with the notice of a new version."""

    def _hear(self, notice: Message) -> None:
        self.drop(notice["board"])


_answers = _Answers(TOPIC, MOST_ANSWERS)
unchanged.register(_answers.recall)


def answer_alike(request: Request, slug: str, ask: Callable[[], msgspec.Struct]) -> HttpResponse:
    """Answer about a board, the same for everyone who asks for the same address."""
    query = request.META["QUERY_STRING"]
    if len(query) > LONGEST_QUERY:
        return respond(request, prepare(ask(), FOR_A_MOMENT))
    known = _answers.get(f"{request.path}?{query}", lambda: prepare(ask(), FOR_A_MOMENT), lambda _: slug)
    assert known is not None  # noqa: S101  an answer is never None
    return respond(request, known)
