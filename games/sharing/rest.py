"""The shades of games over REST."""

from __future__ import annotations

from typing import Annotated

from django.urls import path, reverse
from msgspec import Meta
from rest_framework.request import Request
from rest_framework.response import Response

from games.doors.rest.openapi import FOR_ALL, Answer, operation
from games.doors.scopes import Scope
from games.doors.wire import JsonObject, Path
from games.play.refusals import NotYours, UnknownGame
from games.play.sessions import find_game
from games.players.endpoint import Endpoint
from games.runtime.clock import clock
from games.sharing import shades

Shade = Annotated[int, Meta(ge=shades.STANDING, le=shades.LATEST)]


class Shades(JsonObject, frozen=True):
    """The time at which each place of the tableau was emptied: 1 early to 5 late, 0 not at all."""

    peaks: Annotated[list[list[list[Shade]]], Meta(description="Peak by peak, row by row.")]
    are_placed: Annotated[
        bool,
        Meta(description="False while the deal can be played for a score: then the shades of each row are sorted."),
    ]
    picture: Annotated[Path, Meta(description="The path of the same as a picture.")]

    @classmethod
    def of(cls, found: shades.Shades, picture: str) -> Shades:
        return cls([[list(row) for row in peak] for peak in found.peaks], found.are_placed, picture)


_EXAMPLE = Shades([[[5], [5, 4], [3, 2, 2]]], are_placed=False, picture="/pictures/games/q7Xv2mPa.png")


class ReadShades(Endpoint):
    @operation("read_shades", Answer(_EXAMPLE), (*FOR_ALL, UnknownGame, NotYours), scope=Scope.READ)
    def get(self, request: Request, game_id: str) -> Response:
        """Read how early each place of the tableau was emptied in a finished game, never by which card.

        For a game of yours, anyone's attempt at a daily deal, or anyone's game once it is public.
        """
        found = shades.shades_of(find_game(game_id), self.reader, clock.now())
        return Response(Shades.of(found, reverse("web:picture-of-game", args=[game_id])))


urlpatterns = [
    path("games/<slug:game_id>/shades/", ReadShades.as_view(), name="shades"),
]
