"""Sealed results over REST: roots of days, their chain, and the proof for one game."""

from __future__ import annotations

from django.http.response import HttpResponseBase
from django.urls import path
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request

from games.doors.rest.caching import ASK_AGAIN, FOR_GOOD, conditional
from games.doors.rest.inputs import DayInput, read
from games.doors.rest.openapi import FOR_ALL, NOT_MODIFIED, Answer, operation
from games.players.endpoint import Endpoint
from leaderboards.audit import examples, sealing
from leaderboards.audit.refusals import NotSealed
from leaderboards.audit.wire import Proof, Root, Roots, RootsInput

ROOTS_PER_PAGE = 100


class AllRoots(Endpoint):
    @operation("list_roots", [Answer(examples.ROOTS), NOT_MODIFIED], FOR_ALL, parameters=[RootsInput])
    def get(self, request: Request) -> HttpResponseBase:
        """List the chain of the roots of all sealed days, oldest first."""
        page = sealing.roots(self.query(RootsInput).after, ROOTS_PER_PAGE)
        later = f"{request.path}?after={page[-1].number}" if len(page) == ROOTS_PER_PAGE else None
        body = Roots([Root.of(row) for row in page], later)
        return conditional(request, body, FOR_GOOD if later else ASK_AGAIN)


class RootOfDay(Endpoint):
    @operation(
        "read_root",
        [Answer(examples.ROOT), NOT_MODIFIED],
        (*FOR_ALL, NotSealed),
        parameters=[OpenApiParameter("day", OpenApiTypes.DATE, OpenApiParameter.PATH, description="A UTC day.")],
    )
    def get(self, request: Request, day: str) -> HttpResponseBase:
        """Read the root of the Merkle tree over a day's verified results, available soon after the day is final."""
        made = sealing.root_of(read(DayInput, {"day": day}).day)
        return conditional(request, Root.of(made), FOR_GOOD)


class ProofOfGame(Endpoint):
    @operation("read_proof", [Answer(examples.PROOF), NOT_MODIFIED], (*FOR_ALL, NotSealed))
    def get(self, request: Request, game_id: str) -> HttpResponseBase:
        """Read the proof that the result of a game is among the sealed results of its day."""
        return conditional(request, Proof.of(sealing.proof_of(game_id)), FOR_GOOD)


urlpatterns = [
    path("days/roots/", AllRoots.as_view(), name="roots"),
    path("days/<str:day>/merkle/", RootOfDay.as_view(), name="merkle"),
    path("games/<slug:game_id>/proof/", ProofOfGame.as_view(), name="proof"),
]
