from __future__ import annotations

from typing import Any, cast

from rest_framework.views import APIView

from games.kit.rest.inputs import Input
from games.models.players import Player


class Endpoint(APIView):
    """An endpoint of the API, with its reader and its validated input."""

    http_method_names = ["get", "head", "post"]

    @property
    def reader(self) -> Player | None:
        """The authenticated player, or None."""
        return self.request.user if isinstance(self.request.user, Player) else None

    @property
    def player(self) -> Player:
        """The authenticated player, where permissions admit nobody else."""
        return cast(Player, self.request.user)

    def body(self, shape: type[Input]) -> dict[str, Any]:
        """Return the validated body. Raises `ValidationError` or `ParseError`."""
        return understand(shape, self.request.data)

    def query(self, shape: type[Input]) -> dict[str, Any]:
        """Return the validated query string. Raises `ValidationError`."""
        return understand(shape, self.request.query_params.dict())


def understand(shape: type[Input], data: object) -> dict[str, Any]:
    serializer = shape(data=data)
    serializer.is_valid(raise_exception=True)
    values: dict[str, Any] = serializer.validated_data
    return values
