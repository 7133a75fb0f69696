"""Endpoints of the REST API with the player who asks."""

from typing import Any, cast

from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games.doors.rest.inputs import I, read, read_query
from games.doors.rest.throttling import headers_of
from games.players.models import Player


class Endpoint(APIView):
    """An endpoint of the API, with its reader and its validated input."""

    http_method_names = ["get", "head", "post", "put", "patch", "delete"]  # where a view has them, and no OPTIONS

    @property
    def default_response_headers(self) -> dict[str, str]:
        return {**super().default_response_headers, "Vary": "Accept"}  # a refusal may be a problem

    def finalize_response(self, request: Request, response: Response, *args: Any, **kwargs: Any) -> Response:
        final = super().finalize_response(request, response, *args, **kwargs)
        if "public" not in final.get("Cache-Control", ""):  # a shared cache would hand it to others
            for name, value in headers_of(request._request).items():
                final[name] = value
        return final

    @property
    def reader(self) -> Player | None:
        """The authenticated player, or None."""
        return self.request.user if isinstance(self.request.user, Player) else None

    @property
    def player(self) -> Player:
        """The authenticated player, where permissions admit nobody else."""
        return cast(Player, self.request.user)

    def body(self, shape: type[I]) -> I:
        """Return the validated body. Raises `ValidationError` or `ParseError`."""
        return read(shape, self.request.data)

    def query(self, shape: type[I]) -> I:
        """Return the validated query string. Raises `ValidationError`."""
        return read_query(shape, self.request.query_params.dict())


class PlayersEndpoint(Endpoint):
    """An endpoint for players alone."""

    permission_classes = [IsAuthenticated]
