"""Cups over REST."""

from django.http import HttpResponse
from django.urls import path
from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from games.cups import examples, wire
from games.cups.qualification import enter
from games.cups.reading import current_cups, past_cups, read_cup
from games.cups.refusals import CupNotOpen, NotYourCup, UnknownCup
from games.cups.wire import DivisionInput
from games.doors.rest.caching import ASK_AGAIN, conditional
from games.doors.rest.inputs import NothingInput
from games.doors.rest.openapi import CHANGES, FOR_ALL, NOT_MODIFIED, Answer, operation
from games.doors.scopes import Scope
from games.players.endpoint import Endpoint, PlayersEndpoint


class ListCups(Endpoint):
    @operation("list_cups", [Answer(examples.CUPS), NOT_MODIFIED], FOR_ALL, scope=Scope.READ)
    def get(self, request: Request) -> HttpResponse:
        """List the cups that are announced or on their way, the next first, and the last that are over."""
        current, past = ([wire.ListedCup.of(cup) for cup in cups] for cups in (current_cups(), past_cups()))
        return conditional(request, wire.Cups(current, past), ASK_AGAIN)


class OneCup(Endpoint):
    @operation(
        "read_cup",
        [Answer(examples.CUP), NOT_MODIFIED],
        (*FOR_ALL, UnknownCup),
        parameters=[DivisionInput],
        scope=Scope.READ,
    )
    def get(self, request: Request, cup_id: str) -> HttpResponse:
        """Read a cup with the bracket of a division: who plays now, and how many cards each has left."""
        known = read_cup(cup_id, self.query(DivisionInput).division)
        return conditional(request, wire.Cup.known(known), ASK_AGAIN)


class Enter(PlayersEndpoint):
    @operation(
        "enter_cup",
        Answer(examples.ENTERED),
        (*CHANGES, UnknownCup, CupNotOpen, NotYourCup),
        NothingInput,
        scope=Scope.RACES,
    )
    def post(self, request: Request, cup_id: str) -> Response:
        """Begin your one attempt in the qualification of a cup. Doing so again returns the same game."""
        self.body(NothingInput)
        game = enter(cup_id, self.player, timezone.now())
        return Response(wire.Entered(cup_id, game.pk))


urlpatterns = [
    path("cups/", ListCups.as_view(), name="cups"),
    path("cups/<slug:cup_id>/", OneCup.as_view(), name="cup"),
    path("cups/<slug:cup_id>/enter/", Enter.as_view(), name="enter-cup"),
]
