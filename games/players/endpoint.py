"""Endpoints of the REST API with the player who asks."""

from typing import cast

from rest_framework.permissions import IsAuthenticated
from rest_framework.views import APIView

from games.doors.rest.inputs import I, read, read_query
from games.players.models import Player


class Endpoint(APIView):
    """An endpoint of the API, with its reader and its validated input."""

    http_method_names = ["get", "head", "post", "put", "patch", "delete"]  # where a view has them, and no OPTIONS

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
