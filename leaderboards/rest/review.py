"""The review of scores over REST: reports, decisions about the reader's scores, appeals, figures."""

from __future__ import annotations

from functools import lru_cache
from typing import ClassVar

from django.http.response import HttpResponseBase
from django.utils import timezone
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from games.deals.chain import FIRST_LINK
from games.kit.limits import Hit, count
from games.kit.rest.caching import ASK_AGAIN, conditional
from games.kit.rest.endpoint import Endpoint
from games.kit.rest.inputs import Input, Text
from games.kit.rest.openapi import CHANGES, FOR_ALL, FOR_PLAYERS, NOT_MODIFIED, Answer, operation
from leaderboards.errors import AppealTooLate, NotAppealable, NotReportable
from leaderboards.models import LogHead
from leaderboards.rest import review_examples as examples
from leaderboards.rest import review_schemas as schemas
from leaderboards.review import own_scores, transparency
from leaderboards.review.appeals import appeal
from leaderboards.review.reports import report


class ReportInput(Input):
    """The suspicion about a score, for the reviewers."""

    example: ClassVar = {"text": "The same line as dune, an hour later."}

    text = Text(required=False, default="", allow_blank=True, max_length=500)


class AppealInput(Input):
    """The reason why a decision is wrong."""

    example: ClassVar = {"text": "My brother plays on the same tablet."}

    text = Text(max_length=2000)


class ReportGame(Endpoint):
    permission_classes = [IsAuthenticated]

    @operation(
        "report_score",
        Answer(schemas.Report, examples.REPORT),
        (*CHANGES, NotReportable),
        ReportInput,
    )
    def post(self, request: Request, game_id: str) -> Response:
        """Report a listed score to the reviewers. A second report of yours about it changes nothing.

        The number of reports a day is limited. Nobody else sees who reported a score.
        """
        text = self.body(ReportInput)["text"]
        count(Hit("reports", str(self.player.pk)))
        return Response(schemas.Report.of(report(game_id, self.player, text, timezone.now())))


class OwnReview(Endpoint):
    permission_classes = [IsAuthenticated]

    @operation("read_own_review", Answer(schemas.ReviewOfYours, examples.OWN), FOR_PLAYERS)
    def get(self, request: Request) -> Response:
        """Read which of your scores are flagged, disqualified or reinstated, and the decisions with their reasons."""
        return Response(_own_review(self))


class AppealDecision(Endpoint):
    permission_classes = [IsAuthenticated]

    @operation(
        "appeal",
        Answer(schemas.ReviewOfYours, examples.OWN),
        (*CHANGES, NotAppealable, AppealTooLate),
        AppealInput,
    )
    def post(self, request: Request, number: int) -> Response:
        """Appeal against a decision about one of your scores, once. Someone who had no part in it answers."""
        appeal(self.player, number, self.body(AppealInput)["text"], timezone.now())
        return Response(_own_review(self))


class Figures(Endpoint):
    @operation("read_transparency", [Answer(schemas.Transparency, examples.FIGURES), NOT_MODIFIED], FOR_ALL)
    def get(self, request: Request) -> HttpResponseBase:
        """Read the outcomes of the review, month by month, counted from the decision log."""
        head = LogHead.objects.first() or LogHead(link=FIRST_LINK)
        return conditional(request, _figures(head.number, head.link), ASK_AGAIN)


@lru_cache(maxsize=2)
def _figures(lines: int, link: str) -> schemas.Transparency:
    """Return the review in figures; they change only when the log does."""
    months = [schemas.ReviewMonth.of(month) for month in transparency.report()]
    return schemas.Transparency(months, lines, link)


def _own_review(endpoint: Endpoint) -> schemas.ReviewOfYours:
    player = endpoint.player
    return schemas.ReviewOfYours(
        [schemas.ReviewedScore.of(score) for score in own_scores.scores_of(player)],
        [schemas.ReviewDecision.of(decision) for decision in own_scores.decisions_of(player, timezone.now())],
    )
