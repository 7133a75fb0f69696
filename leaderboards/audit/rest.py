"""Sealed results over REST: roots of days, their chain, the proof for one game, and the export of a day."""

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.urls import path
from django.utils.decorators import method_decorator
from django.views.decorators.gzip import gzip_page
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request

from games.doors.rest.bodies import encode
from games.doors.rest.caching import ASK_AGAIN, FOR_GOOD, conditional
from games.doors.rest.inputs import DayInput, read
from games.doors.rest.openapi import FOR_ALL, NOT_MODIFIED, Answer, operation
from games.players.endpoint import Endpoint
from leaderboards.audit import examples, sealing
from leaderboards.audit.day_export import results_from
from leaderboards.audit.refusals import NotSealed
from leaderboards.audit.wire import DayLine, FirstInput, Proof, ResultLine, Root, Roots, RootsInput

ROOTS_PER_PAGE, RESULTS_PER_PAGE = 100, 500
LINES = "application/x-ndjson"
DAY = OpenApiParameter("day", OpenApiTypes.DATE, OpenApiParameter.PATH, description="A UTC day.")


class AllRoots(Endpoint):
    @operation("list_roots", [Answer(examples.ROOTS), NOT_MODIFIED], FOR_ALL, parameters=[RootsInput])
    def get(self, request: Request) -> HttpResponseBase:
        """List the chain of the roots of all sealed days, oldest first."""
        page = sealing.roots(self.query(RootsInput).after, ROOTS_PER_PAGE)
        later = f"{request.path}?after={page[-1].number}" if len(page) == ROOTS_PER_PAGE else None
        body = Roots([Root.of(row) for row in page], later)
        return conditional(request, body, FOR_GOOD if later else ASK_AGAIN)


class RootOfDay(Endpoint):
    @operation("read_root", [Answer(examples.ROOT), NOT_MODIFIED], (*FOR_ALL, NotSealed), parameters=[DAY])
    def get(self, request: Request, day: str) -> HttpResponseBase:
        """Read the root of the Merkle tree over a day's verified results, available soon after the day is final."""
        made = sealing.root_of(read(DayInput, {"day": day}).day)
        return conditional(request, Root.of(made), FOR_GOOD)


class ProofOfGame(Endpoint):
    @operation("read_proof", [Answer(examples.PROOF), NOT_MODIFIED], (*FOR_ALL, NotSealed))
    def get(self, request: Request, game_id: str) -> HttpResponseBase:
        """Read the proof that the result of a game is among the sealed results of its day."""
        return conditional(request, Proof.of(sealing.proof_of(game_id)), FOR_GOOD)


@method_decorator(gzip_page, name="dispatch")
class ResultsOfDay(Endpoint):
    @operation("export_day", Answer(media=LINES), (*FOR_ALL, NotSealed), parameters=[DAY, FirstInput])
    def get(self, request: Request, day: str) -> HttpResponseBase:
        """Read all verified results of a sealed day with their records, as lines of JSON.

        The first line describes the day and its deals, every other line a result. There are 500 results on a page; the
        header `Link` has the address of the `next` one. It never changes, so keep it as long as you like.
        """
        root, first = sealing.root_of(read(DayInput, {"day": day}).day), self.query(FirstInput).first
        exported = results_from(root, first, RESULTS_PER_PAGE)
        lines = [*([] if first else [DayLine.of(root)]), *(ResultLine.of(result) for result in exported)]
        response = HttpResponse(b"".join(encode(line) + b"\n" for line in lines), content_type=LINES)
        response["Cache-Control"] = FOR_GOOD
        if first + RESULTS_PER_PAGE < root.count:
            response["Link"] = f'<{request.path}?first={first + RESULTS_PER_PAGE}>; rel="next"'
        return response


urlpatterns = [
    path("days/roots/", AllRoots.as_view(), name="roots"),
    path("days/<str:day>/merkle/", RootOfDay.as_view(), name="merkle"),
    path("games/<slug:game_id>/proof/", ProofOfGame.as_view(), name="proof"),
    path("days/<str:day>/results/", ResultsOfDay.as_view(), name="day-results"),
]
