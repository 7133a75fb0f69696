from __future__ import annotations

from typing import Any, cast

from rest_framework.views import APIView

from games.kit.rest.inputs import Input
from games.models.players import Player


class Endpoint(APIView):
    """An address of the API: who asks, and reading what they say."""

    http_method_names = ["get", "head", "post"]

    @property
    def reader(self) -> Player | None:
        """The player who asks, or None for someone unknown."""
        return self.request.user if isinstance(self.request.user, Player) else None

    @property
    def player(self) -> Player:
        """The player who asks, where permissions let nobody else through."""
        return cast(Player, self.request.user)

    def body(self, shape: type[Input]) -> dict[str, Any]:
        """Return the values in the body. Raises `ValidationError` or `ParseError`."""
        return understand(shape, self.request.data)

    def query(self, shape: type[Input]) -> dict[str, Any]:
        """Return the values in the query string. Raises `ValidationError`."""
        return understand(shape, self.request.query_params.dict())


def understand(shape: type[Input], data: object) -> dict[str, Any]:
    serializer = shape(data=data)
    serializer.is_valid(raise_exception=True)
    values: dict[str, Any] = serializer.validated_data
    return values
