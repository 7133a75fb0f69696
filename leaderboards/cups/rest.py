"""Results of cups over REST."""

from datetime import UTC, datetime

from django.http import HttpResponse
from django.urls import path
from rest_framework.request import Request
from rest_framework.response import Response

from games.cups.refusals import UnknownCup
from games.doors.rest.caching import ASK_AGAIN, conditional
from games.doors.rest.openapi import CHANGES, FOR_ALL, NOT_MODIFIED, Answer, operation
from games.doors.scopes import Scope
from games.players.endpoint import Endpoint, PlayersEndpoint
from games.players.names import find_player
from games.players.refusals import UnknownPlayer
from games.runtime.clock import clock
from leaderboards.boards.refusals import BadCursor, UnknownBoard
from leaderboards.boards.wire import RankedPlayer
from leaderboards.cups.refusals import GuestsReportNoCups
from leaderboards.cups.reporting import report_cup
from leaderboards.cups.results import results_of
from leaderboards.cups.seasons import find_season, table_of
from leaderboards.cups.wire import (
    CupPlace,
    CupReport,
    CupSeason,
    CupSeasonInput,
    CupSeasonRow,
    PlayerCups,
    PlayerCupsInput,
    ReportCupInput,
)

_ALICE = RankedPlayer("alice", "Alice", is_bot=False)
_PLACE = CupPlace("4m7vq1ht2x9k", "standard", datetime(2026, 3, 1, 20, tzinfo=UTC), 1, 1, 18, 43, "gold")
_REPORT = CupReport(datetime(2026, 3, 1, 20, tzinfo=UTC))
_SEASON = CupSeason("2026-11", "people", 1, [CupSeasonRow(1, _ALICE, points=84, cups=3, won=1)], None)


class CupsOfPlayer(Endpoint):
    @operation(
        "read_cups_of_player",
        [Answer(PlayerCups(_ALICE, [_PLACE], None)), NOT_MODIFIED],
        (*FOR_ALL, BadCursor, UnknownPlayer),
        parameters=[PlayerCupsInput],
        scope=Scope.READ,
    )
    def get(self, request: Request, handle: str) -> HttpResponse:
        """Read a player's places in cups that are over, with their points and medals."""
        player, query = find_player(handle), self.query(PlayerCupsInput)
        found = results_of(player, query.limit, query.cursor or None)
        places = [CupPlace.of(known) for known in found.places]
        return conditional(request, PlayerCups(RankedPlayer.of(player), places, found.next), ASK_AGAIN)


class OneCupSeason(Endpoint):
    @operation(
        "read_cup_season",
        [Answer(_SEASON), NOT_MODIFIED],
        (*FOR_ALL, BadCursor, UnknownBoard),
        parameters=[CupSeasonInput],
        scope=Scope.READ,
    )
    def get(self, request: Request, month: str) -> HttpResponse:
        """Read the players of a season of cups, a month such as `2026-11`, by the sum of their points."""
        query = self.query(CupSeasonInput)
        season = find_season(month, clock.now(), for_bots=query.of == "bots")
        table = table_of(season, query.limit, query.cursor or None)
        return conditional(request, CupSeason.table(table), ASK_AGAIN)


class ReportCup(PlayersEndpoint):
    @operation("report_tournament", Answer(_REPORT), (*CHANGES, UnknownCup, GuestsReportNoCups), ReportCupInput)
    def post(self, request: Request, cup_id: str) -> Response:
        """Report the name of a tournament by hand to the reviewers. Until they decide, another one changes nothing.

        The number of reports a day is limited. Nobody else sees who reported a name.
        """
        text = self.body(ReportCupInput).text
        return Response(CupReport.of(report_cup(cup_id, self.player, text, clock.now())))


urlpatterns = [
    path("cups/seasons/<str:month>/", OneCupSeason.as_view(), name="cup-season"),
    path("cups/<slug:cup_id>/report/", ReportCup.as_view(), name="report-cup"),
    path("players/<slug:handle>/cups/", CupsOfPlayer.as_view(), name="player-cups"),
]
