"""The export of a sealed day over REST."""

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.urls import path
from django.utils.decorators import method_decorator
from django.views.decorators.gzip import gzip_page
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request

from games.doors.rest.bodies import encode
from games.doors.rest.caching import FOR_GOOD
from games.doors.rest.inputs import DayInput, read
from games.doors.rest.openapi import FOR_ALL, Answer, operation
from games.doors.scopes import Scope
from games.players.endpoint import Endpoint
from leaderboards.audit import sealing
from leaderboards.audit.day_export import results_from
from leaderboards.audit.refusals import NotSealed
from leaderboards.audit.wire import DayLine, FirstInput, ResultLine

RESULTS_PER_PAGE = 500
LINES = "application/x-ndjson"
DAY = OpenApiParameter("day", OpenApiTypes.DATE, OpenApiParameter.PATH, description="A UTC day.")


@method_decorator(gzip_page, name="dispatch")
class ResultsOfDay(Endpoint):
    @operation("export_day", Answer(media=LINES), (*FOR_ALL, NotSealed), parameters=[DAY, FirstInput], scope=Scope.READ)
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


urlpatterns = [path("days/<str:day>/results/", ResultsOfDay.as_view(), name="day-results")]
