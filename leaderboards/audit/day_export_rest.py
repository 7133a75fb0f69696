"""The export of a sealed day, as lines of JSON."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.urls import path
from django.utils.decorators import method_decorator
from django.views.decorators.gzip import gzip_page
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from msgspec import Meta
from rest_framework.request import Request

from games.calendar.models import DailyDeal
from games.doors.rest.bodies import encode
from games.doors.rest.caching import FOR_GOOD
from games.doors.rest.inputs import DayInput, read
from games.doors.rest.openapi import FOR_ALL, Answer, operation
from games.doors.wire import Input, JsonObject, LastId
from games.players.endpoint import Endpoint
from leaderboards.audit.day_export import ExportedResult, deals_of, results_from
from leaderboards.audit.models import DayRoot
from leaderboards.audit.refusals import NotSealed
from leaderboards.audit.sealing import root_of
from leaderboards.boards.catalog import Entrants

LINES = "application/x-ndjson"
RESULTS_A_PAGE = 500
GROUPS: dict[Entrants, Literal["people", "bots", "assisted"]] = {
    Entrants.PEOPLE: "people",
    Entrants.BOTS: "bots",
    Entrants.ASSISTED: "assisted",
}


class ExportedDeal(JsonObject, frozen=True):
    """A deal of a sealed day, with everything that its commitment covered."""

    rules: str
    division: str
    grade: str | None
    commitment: str
    seed: str
    candidate: int
    deck: str

    @classmethod
    def of(cls, row: DailyDeal) -> ExportedDeal:
        return cls(row.rules, row.division, row.grade, row.commitment, row.seed, row.candidate, row.deal.deck)


class DayLine(JsonObject, frozen=True, tag_field="type", tag="day"):
    """The first line: the day, its root, and its deals."""

    day: date
    number: int
    count: Annotated[int, Meta(description="How many results follow, on all pages.")]
    root: str
    link: str
    deals: list[ExportedDeal]

    @classmethod
    def of(cls, root: DayRoot) -> DayLine:
        return cls(
            root.day,
            root.number,
            root.count,
            root.root,
            root.link,
            [ExportedDeal.of(row) for row in deals_of(root.day)],
        )


class ResultLine(JsonObject, frozen=True, tag_field="type", tag="result"):
    """A result. `leaf` is the text that was hashed; `record` names no player."""

    index: int
    game: str
    rules: str
    division: str
    entrants: Literal["people", "bots", "assisted"]
    result: str
    cards_left: int
    moves: int
    elapsed_ms: int
    leaf: str
    record: str

    @classmethod
    def of(cls, exported: ExportedResult) -> ResultLine:
        sealed, game = exported.sealed, exported.game
        _, _, rules, division, *_ = sealed.leaf.split("|")
        return cls(
            index=sealed.index,
            game=game.pk,
            rules=rules,
            division=division,
            entrants=GROUPS[exported.entrants],
            result=game.status,
            cards_left=game.cards_left or 0,
            moves=game.moves or 0,
            elapsed_ms=game.elapsed_ms or 0,
            leaf=sealed.leaf,
            record=exported.record,
        )


class FirstInput(Input, frozen=True):
    """The position to start from."""

    first: Annotated[LastId, Meta(description="The `index` of the first result.")] = 0


@method_decorator(gzip_page, name="dispatch")
class ResultsOfDay(Endpoint):
    @operation(
        "export_day",
        Answer(media=LINES),
        (*FOR_ALL, NotSealed),
        parameters=[
            OpenApiParameter("day", OpenApiTypes.DATE, OpenApiParameter.PATH, description="A UTC day."),
            FirstInput,
        ],
    )
    def get(self, request: Request, day: str) -> HttpResponseBase:
        """Read all verified results of a sealed day with their records, as lines of JSON.

        The first line describes the day and its deals, every other line a result. There are 500 results on a page; the
        header `Link` has the address of the `next` one. It never changes, so keep it as long as you like.
        """
        root, first = root_of(read(DayInput, {"day": day}).day), self.query(FirstInput).first
        exported = results_from(root, first, RESULTS_A_PAGE)
        lines = [*([] if first else [DayLine.of(root)]), *(ResultLine.of(result) for result in exported)]
        response = HttpResponse(b"".join(encode(line) + b"\n" for line in lines), content_type=LINES)
        response["Cache-Control"] = FOR_GOOD
        if first + RESULTS_A_PAGE < root.count:
            response["Link"] = f'<{request.path}?first={first + RESULTS_A_PAGE}>; rel="next"'
        return response


urlpatterns = [
    path("days/<str:day>/results/", ResultsOfDay.as_view(), name="day-results"),
]
