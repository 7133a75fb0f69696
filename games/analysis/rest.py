from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from django.urls import path
from msgspec import Meta
from rest_framework.request import Request
from rest_framework.response import Response

from games.analysis import examples, models
from games.analysis.analysing import Verdict
from games.analysis.refusals import AnalysisNotYet
from games.analysis.requests import request_analysis
from games.doors.rest.openapi import FOR_PLAYERS, Answer, operation
from games.doors.scopes import Scope
from games.doors.wire import JsonObject, Number
from games.play.notation_wire import ActionText
from games.play.refusals import NotYours, UnknownGame
from games.players.endpoint import PlayersEndpoint
from games.runtime.clock import clock

# A number of actions.
Distance = Number | Literal["unknown"] | None


class AnalysedAction(JsonObject, frozen=True):
    """The effect of an action on the shortest way to the win."""

    version: Annotated[Number, Meta(description="The version that the action led to.")]
    action: ActionText
    before: Annotated[
        Distance, Meta(description="The fewest actions to the win before it; null where there is no win.")
    ]
    after: Annotated[Distance, Meta(description="The same after it.")]
    cost: Annotated[int | None, Meta(description="The actions that it wasted; below 0 where an undo saved some.")]
    verdict: Verdict
    best: Annotated[ActionText | None, Meta(description="A best move instead, or the action itself.")]


class Analysis(JsonObject, frozen=True):
    """The analysis of a finished game."""

    shortest: Annotated[
        Distance, Meta(description="The fewest actions in which the deal can be won; null where it cannot.")
    ]
    lost_at: Annotated[Number | None, Meta(description="From this version on it could not be won any more.")]
    accuracy: Annotated[
        Annotated[float, Meta(ge=0, le=100)] | None,
        Meta(description="0 to 100; docs/analysis.md. Null without a decision."),
    ]
    critical: Annotated[list[Number], Meta(description="The versions of the actions that lost the win or cost most.")]
    steps: list[AnalysedAction]


class GameAnalysis(JsonObject, frozen=True):
    """An analysis and its progress."""

    state: Literal["pending", "done", "failed"]
    done: Annotated[Number, Meta(description="How many positions are solved.")]
    total: Annotated[Number, Meta(description="Of how many; 0 before the work has begun.")]
    analysis: Annotated[Analysis | None, Meta(description="Null unless `state` is `done`.")]

    @classmethod
    def of(cls, row: models.GameAnalysis) -> GameAnalysis:
        return msgspec.convert(
            {"state": row.state, "done": row.done, "total": row.total, "analysis": row.result}, GameAnalysis
        )


class ReadAnalysis(PlayersEndpoint):
    @operation(
        "read_analysis",
        [
            Answer(GameAnalysis.of(examples.ANALYSIS)),
            Answer(GameAnalysis.of(examples.PENDING_ANALYSIS), 202),
        ],
        (*FOR_PLAYERS, UnknownGame, NotYours, AnalysisNotYet),
        scope=Scope.READ,
    )
    def get(self, request: Request, game_id: str) -> Response:
        """Read the effect of each action of a finished game on the shortest way to the win.

        For a game of yours, or anyone's once it is public. The first request queues the analysis: until it is done
        the answer is 202 with the progress; ask again.
        """
        requested = request_analysis(game_id, self.player, clock.now())
        status = 202 if requested.state == models.GameAnalysis.State.PENDING else 200
        return Response(GameAnalysis.of(requested), status=status)


urlpatterns = [
    path("games/<slug:game_id>/analysis/", ReadAnalysis.as_view(), name="analysis"),
]
