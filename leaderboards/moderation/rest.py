"""Moderation over REST: reports, decisions about the reader's scores, appeals, figures."""

from django.http.response import HttpResponseBase
from django.urls import path
from rest_framework.request import Request
from rest_framework.response import Response

from games.doors.rest.caching import ASK_AGAIN, conditional
from games.doors.rest.openapi import CHANGES, FOR_ALL, FOR_PLAYERS, NOT_MODIFIED, Answer, operation
from games.doors.scopes import Scope
from games.play.refusals import UnknownGame
from games.players.endpoint import Endpoint, PlayersEndpoint
from games.runtime.clock import clock
from games.runtime.limits import Hit, count
from leaderboards.moderation import examples, own_scores, transparency, wire
from leaderboards.moderation.appeals import appeal
from leaderboards.moderation.refusals import AppealTooLate, NotAppealable, NotReportable, UnknownDecision
from leaderboards.moderation.reports import report
from leaderboards.moderation.wire import AppealInput, ReportInput


class ReportGame(PlayersEndpoint):
    @operation("report_score", Answer(examples.REPORT), (*CHANGES, UnknownGame, NotReportable), ReportInput)
    def post(self, request: Request, game_id: str) -> Response:
        """Report a listed score to the reviewers. A second report of yours about it changes nothing.

        The number of reports a day is limited. Nobody else sees who reported a score.
        """
        text = self.body(ReportInput).text
        count(Hit("reports", str(self.player.pk)))
        return Response(wire.Report.of(report(game_id, self.player, text, clock.now())))


class OwnModeration(PlayersEndpoint):
    @operation("read_own_moderation", Answer(examples.OWN), FOR_PLAYERS)
    def get(self, request: Request) -> Response:
        """Read which of your scores are flagged, disqualified or reinstated, and the decisions with their reasons."""
        return Response(_own_moderation(self))


class AppealDecision(PlayersEndpoint):
    @operation("appeal", Answer(examples.OWN), (*CHANGES, UnknownDecision, NotAppealable, AppealTooLate), AppealInput)
    def post(self, request: Request, number: int) -> Response:
        """Appeal against a decision about one of your scores, once. Someone who had no part in it answers."""
        appeal(self.player, number, self.body(AppealInput).text, clock.now())
        return Response(_own_moderation(self))


class Figures(Endpoint):
    @operation("read_transparency", [Answer(examples.FIGURES), NOT_MODIFIED], FOR_ALL, scope=Scope.READ)
    def get(self, request: Request) -> HttpResponseBase:
        """Read the outcomes of moderation, month by month, counted from the decision log."""
        return conditional(request, wire.Transparency(transparency.report(), transparency.lines_of_log()), ASK_AGAIN)


def _own_moderation(endpoint: Endpoint) -> wire.ModerationOfYours:
    player = endpoint.player
    return wire.ModerationOfYours(
        [wire.ModeratedScore.of(score) for score in own_scores.scores_of(player)],
        [wire.ModerationDecision.of(decision) for decision in own_scores.decisions_of(player, clock.now())],
    )


urlpatterns = [
    path("games/<slug:game_id>/report/", ReportGame.as_view(), name="report"),
    path("me/review/", OwnModeration.as_view(), name="me-review"),
    path("me/review/<int:number>/appeal/", AppealDecision.as_view(), name="appeal"),
    path("transparency/", Figures.as_view(), name="transparency"),
]
