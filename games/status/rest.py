from django.urls import path
from rest_framework.request import Request
from rest_framework.response import Response

from games.doors.rest.openapi import FOR_ALL, Answer, operation
from games.doors.scopes import Scope
from games.players.endpoint import Endpoint
from games.runtime.clock import clock
from games.status.reading import status_of_server
from games.status.wire import Kept, Part, ServerStatus

EXAMPLE = ServerStatus([Part("play", "ok")], [Kept("move", 0.1, 0.999, 0.9998, 0.9996, None)])


class Status(Endpoint):
    @operation("read_status", Answer(EXAMPLE), FOR_ALL, scope=Scope.READ)
    def get(self, request: Request) -> Response:
        """Read how the server is, and how often players got in time what they asked for."""
        return Response(ServerStatus.of(status_of_server(clock.now())))


urlpatterns = [path("status/", Status.as_view(), name="status")]
