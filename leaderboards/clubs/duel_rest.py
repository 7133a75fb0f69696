"""Duels of clubs over REST."""

from django.http import HttpResponse
from django.urls import path
from rest_framework.request import Request
from rest_framework.response import Response

from games.doors.rest.caching import PRIVATE, conditional
from games.doors.rest.openapi import CHANGES, FOR_ALL, NOT_MODIFIED, Answer, operation
from games.doors.scopes import Scope
from games.players.endpoint import Endpoint, PlayersEndpoint
from games.runtime.clock import clock
from leaderboards.clubs import duel_examples, duel_wire, duels
from leaderboards.clubs.reading import find_club, read_club
from leaderboards.clubs.refusals import (
    DuelAnswered,
    DuelImpossible,
    NotInClub,
    NotOfficer,
    TooManyDuels,
    UnknownClub,
    UnknownDuel,
)

LEADING = (UnknownClub, NotInClub, NotOfficer)


class ClubDuels(Endpoint):
    @operation("read_duels", [Answer(duel_examples.DUELS), NOT_MODIFIED], (*FOR_ALL, UnknownClub), scope=Scope.READ)
    def get(self, request: Request, club_id: str) -> HttpResponse:
        """Read the duels of a club, each with the sums so far or at the end.

        Those that are not answered yet are for its owner and officers.
        """
        known, now = read_club(find_club(club_id), self.reader), clock.now()
        found = duels.duels_of(known.club, now, is_led=known.is_led)
        return conditional(request, duel_wire.Duels.of(found, now), PRIVATE)

    @operation(
        "propose_duel",
        Answer(duel_examples.DUEL, 201),
        (*CHANGES, *LEADING, DuelImpossible, TooManyDuels),
        duel_wire.DuelInput,
    )
    def post(self, request: Request, club_id: str) -> Response:
        """Propose a duel to another club, as owner or officer. Doing so again changes nothing."""
        duel = duels.propose(club_id, self.player, self.body(duel_wire.DuelInput).challenge, clock.now())
        return Response(duel_wire.Duel.of(duel), status=201)


class OneDuel(PlayersEndpoint):
    @operation(
        "answer_duel",
        Answer(duel_examples.DUEL),
        (*CHANGES, *LEADING, UnknownDuel, DuelAnswered),
        duel_wire.DuelAnswerInput,
    )
    def post(self, request: Request, club_id: str, duel_id: str) -> Response:
        """Accept or decline a duel before its week begins, or withdraw it, as owner or officer."""
        now = clock.now()
        duel = duels.answer(club_id, self.player, duel_id, self.body(duel_wire.DuelAnswerInput).act, now)
        return Response(duel_wire.Duels.of([duel], now).duels[0])


urlpatterns = [
    path("clubs/<slug:club_id>/duels/", ClubDuels.as_view(), name="club-duels"),
    path("clubs/<slug:club_id>/duels/<slug:duel_id>/", OneDuel.as_view(), name="club-duel"),
]
