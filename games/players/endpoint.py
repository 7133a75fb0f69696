"""Endpoints of the REST API with the player who asks."""

import json
from collections.abc import Callable
from functools import wraps
from typing import Any, cast

from django.http import HttpResponse
from django.utils.translation import gettext
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import ValidationError
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games.doors.rest.bodies import encode
from games.doors.rest.inputs import I, read, read_query
from games.doors.rest.throttling import headers_of
from games.doors.scopes import Scope, require_scope
from games.players.models import Player
from games.players.refusals import BadIdempotencyKey, IdempotencyKeyReused, StillUnderWay
from games.players.repeating import Granted, Repeatable, begin, give_up, keep
from games.runtime.addresses import address_of_request
from games.runtime.clock import clock

View = Callable[..., Any]


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

    def perform_authentication(self, request: Request) -> None:
        """Count the request as soon as it is known whose it is, so that what permissions refuse counts too."""
        super().perform_authentication(request)
        super().check_throttles(request)

    def check_throttles(self, request: Request) -> None:
        """Count nothing a second time."""

    def check_permissions(self, request: Request) -> None:
        """Admit those whom the view admits, unless they come with a token that lacks the scope of the operation.

        An operation that is not there is refused as that, to visitors too. Raises `MethodNotAllowed`.
        """
        if request.method not in self.allowed_methods:
            self.http_method_not_allowed(request)
        super().check_permissions(request)
        if self.reader is not None:
            asked = getattr(self, (request.method or "").lower(), None)
            require_scope(self.reader.scopes, *getattr(asked, "scopes", (Scope.ACCOUNT,)))

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
        """Return the validated query string, in which no name comes twice. Raises `ValidationError`."""
        twice = [name for name, texts in self.request.query_params.lists() if len(texts) > 1]
        if twice:
            raise ValidationError({name: [gettext("Not of the required form.")] for name in twice})
        return read_query(shape, self.request.query_params.dict())


IDEMPOTENCY_KEY = OpenApiParameter(
    "Idempotency-Key",
    {"type": "string", "minLength": 16, "maxLength": 100, "pattern": "^[!-~]+$"},
    OpenApiParameter.HEADER,
    description="A random text of your own, such as a UUID: sent again with it within a day, the request gets the same "
    "answer and is not carried out twice.",
)
REPEATED = (BadIdempotencyKey, IdempotencyKeyReused, StillUnderWay)


def idempotent(view: View) -> View:
    """Have a view method carry out a request with an `Idempotency-Key` once, whose answer is kept for a day."""

    @wraps(view)
    def answer(self: Endpoint, request: Request, *args: Any, **kwargs: Any) -> Any:
        if (key := request.headers.get("Idempotency-Key")) is None:
            return view(self, request, *args, **kwargs)
        sender = f"player {self.reader.pk}" if self.reader else f"address {address_of_request(request._request)}"
        # Escaped, because texts may hold lone surrogates, which the view refuses.
        body = json.dumps(request.data, sort_keys=True, separators=(",", ":")).encode()
        asked = Repeatable(key, sender, request.path, body)
        if known := begin(asked, clock.now()):
            return _sent(known, {"Idempotent-Replayed": "true"})
        try:
            response = view(self, request, *args, **kwargs)
        except BaseException:
            give_up(asked)
            raise
        granted = Granted(response.status_code, response.headers.get("Location", ""), encode(response.data))
        keep(asked, granted)
        return _sent(granted, {})

    return answer


def _sent(granted: Granted, headers: dict[str, str]) -> HttpResponse:
    headers = headers | ({"Location": granted.location} if granted.location else {})
    return HttpResponse(granted.body, "application/json", granted.status, headers=headers)


class PlayersEndpoint(Endpoint):
    """An endpoint for players alone."""

    permission_classes = [IsAuthenticated]
