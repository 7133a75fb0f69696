"""Describe an endpoint in the OpenAPI document, its errors included."""

from __future__ import annotations

import inspect
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Annotated, Any, TypeVar

import msgspec
from drf_spectacular.drainage import set_override
from drf_spectacular.extensions import OpenApiSerializerExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import ResolvedComponent
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import Direction, OpenApiExample, OpenApiParameter, OpenApiResponse, extend_schema
from msgspec import UNSET, Meta, UnsetType
from rest_framework import exceptions

from games.doors import wire
from games.doors.refusals import MessageTooLarge, Unavailable, sample_of
from games.doors.rest.errors import body_of, http_status
from games.doors.scopes import MissingScope, Scope

View = TypeVar("View", bound=Callable[..., Any])
Refusals = Sequence[type[Exception]]

EVERYWHERE: Refusals = (exceptions.NotAcceptable, exceptions.Throttled, Unavailable)
WITH_QUERY: Refusals = (exceptions.ValidationError,)
WITH_BODY: Refusals = (
    exceptions.ParseError,
    exceptions.ValidationError,
    exceptions.UnsupportedMediaType,
    MessageTooLarge,
)
# Everyone may ask, and the answer depends on the reader; only players may ask; players may change something.
FOR_ALL: Refusals = (exceptions.AuthenticationFailed, MissingScope)
FOR_PLAYERS: Refusals = (*FOR_ALL, exceptions.NotAuthenticated)
CHANGES: Refusals = (*FOR_PLAYERS, exceptions.PermissionDenied)


class Refusal(wire.JsonObject, frozen=True):
    """The one shape of every error. `code` is stable, `message` is for people."""

    code: wire.Code
    message: str
    fields: Annotated[
        dict[str, list[str]] | UnsetType,
        Meta(description="What is wrong with which input, with the code `invalid_request`."),
    ] = UNSET
    game: Annotated[
        Annotated[str, Meta(pattern="^[0-9a-z]+$")] | UnsetType,
        Meta(description="The attempt that there is, with `already_attempted`."),
    ] = UNSET
    scope: Annotated[
        Scope | UnsetType,
        Meta(description="The scope that the token lacks, with `missing_scope`."),
    ] = UNSET


class StructSchema(OpenApiSerializerExtension):  # type: ignore[no-untyped-call]
    """Describe bodies and answers from the JSON schemas that msgspec makes of their types."""

    target_class = msgspec.Struct
    match_subclasses = True

    def get_name(self, auto_schema: AutoSchema, direction: Direction) -> str:
        # Nested types are registered by name alone.
        set_override(self.target, "suppress_collision_warning", True)
        name: str = self.target.__name__
        return name

    def map_serializer(self, auto_schema: AutoSchema, direction: Direction) -> dict[str, Any]:
        schemas = wire.schemas_of([self.target], "#/components/schemas/{name}")
        own: dict[str, Any] = schemas.pop(self.target.__name__)
        if issubclass(self.target, wire.Input):
            self.target.document(own)
        for name, schema in schemas.items():
            part = ResolvedComponent(  # type: ignore[no-untyped-call]
                name, ResolvedComponent.SCHEMA, schema=schema, object=name
            )
            auto_schema.registry.register_on_missing(part)
        return own


def location(*, of: str) -> OpenApiParameter:
    """Describe the header that holds the address of a new resource."""
    return OpenApiParameter(
        "Location", str, OpenApiParameter.HEADER, description=f"The address of {of}.", response=[201]
    )


@dataclass(frozen=True)
class Answer:
    """The answer to a granted request: an example of it, or nothing, or a file of a media type."""

    example: wire.JsonObject | wire.Message | None = None
    status: int = 200
    media: str = ""

    @property
    def key(self) -> int | tuple[int, str]:
        """The status, of a file with its media type."""
        return (self.status, self.media) if self.media else self.status

    @property
    def response(self) -> OpenApiResponse:
        if self.media:
            return OpenApiResponse(OpenApiTypes.BINARY, "a file")
        if self.example is None:
            return OpenApiResponse(description=HTTPStatus(self.status).description)
        shown = OpenApiExample("example", value=msgspec.to_builtins(self.example), response_only=True)
        return OpenApiResponse(type(self.example), HTTPStatus(self.status).phrase, [shown])


# Where the document names the scope of an operation, and another that does as well, besides the rights of its security.
SCOPE, OR_SCOPE = "x-scope", "x-scope-or"
ANY_TOKEN: tuple[Scope, ...] = ()
RETRY_AFTER = OpenApiParameter(
    "Retry-After",
    int,
    OpenApiParameter.HEADER,
    description="The seconds to wait before asking again.",
    response=[429, 503],
)
NOT_MODIFIED = Answer(status=304)


def operation(  # noqa: PLR0913  what is different between operations
    name: str,
    answer: Answer | Sequence[Answer],
    refuses: Refusals,
    takes: type[wire.Input] | None = None,
    parameters: Sequence[OpenApiParameter | type[wire.Input]] = (),
    *,
    scope: Scope | tuple[Scope, ...] = Scope.ACCOUNT,
) -> Callable[[View], View]:
    """Describe a view method, and say which scope a token needs for it, or which of several.

    Its docstring becomes the description; `takes` is the type of its body.
    """
    answers = [answer] if isinstance(answer, Answer) else answer
    scopes = scope if isinstance(scope, tuple) else (scope,)
    refuses = [kind for kind in refuses if scopes or kind is not MissingScope]
    refuses = [*refuses, *EVERYWHERE, *(WITH_BODY if takes else ()), *(WITH_QUERY if parameters else ())]

    def describe(view: View) -> View:
        summary, _, description = (inspect.getdoc(view) or "").partition("\n\n")
        setattr(view, "scopes", scopes)  # noqa: B010  mypy: for `Endpoint.check_permissions`
        return extend_schema(
            operation_id=name,
            summary=summary.rstrip("."),
            description=description or summary,
            parameters=[*parameters, RETRY_AFTER],  # type: ignore[list-item]  # `StructSchema` describes ours
            request=takes,
            extensions=scopes_named(*scopes) if MissingScope in refuses else {},
            responses={**{each.key: each.response for each in answers}, **_error_responses(refuses)},
            examples=[OpenApiExample("example", value=takes.example, request_only=True)] if takes else [],
        )(view)

    return describe


def scopes_named(*scopes: Scope) -> dict[str, str]:
    """Return what documents say of an operation for which a token needs one of these scopes, two at most."""
    return dict(zip((SCOPE, OR_SCOPE), (scope.value for scope in scopes), strict=False))


def _error_responses(refuses: Refusals) -> dict[int, OpenApiResponse]:
    by_status = defaultdict(list)
    for error in (sample_of(kind) for kind in dict.fromkeys(refuses)):
        by_status[http_status(error) or 500].append(body_of(error))
    return {
        status: OpenApiResponse(
            Refusal,
            ", ".join(f"`{body['code']}`" for body in bodies),
            [OpenApiExample(body["code"], value=body, response_only=True) for body in bodies],
        )
        for status, bodies in sorted(by_status.items())
    }
