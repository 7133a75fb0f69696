"""The one shape of an error over REST: `{"code": ..., "message": ...}`, with `fields` where single inputs are wrong."""

from __future__ import annotations

import logging
import sys
from typing import Any

from django.core.exceptions import PermissionDenied, RequestDataTooBig
from django.db import InterfaceError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.template import loader
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views import defaults
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.views import set_rollback

from games.doors.refusals import MessageTooLarge, Unavailable, declaration_of, declare, message_of

logger = logging.getLogger(__name__)

# Requests that do not reach a use case. The first match wins.
declare(
    exceptions.ValidationError,
    "invalid_request",
    exceptions.ValidationError.status_code,
    None,
    exceptions.ValidationError({"non_field_errors": ["There is no field 'colour'."]}),
)
declare(
    exceptions.ParseError,
    "malformed_request",
    exceptions.ParseError.status_code,
    _("The request cannot be read."),
    exceptions.ParseError("this is not JSON: Expecting value: line 1 column 1 (char 0)"),
)
declare(
    exceptions.UnsupportedMediaType,
    "unsupported_media_type",
    exceptions.UnsupportedMediaType.status_code,
    _("The body of a request has to be JSON."),
    exceptions.UnsupportedMediaType("text/plain"),
)
declare(
    exceptions.AuthenticationFailed,
    "bad_credentials",
    exceptions.AuthenticationFailed.status_code,
    _("The token is invalid or has expired, or its account is closed."),
    exceptions.AuthenticationFailed("Invalid token."),
)
declare(
    exceptions.NotAuthenticated,
    "not_signed_in",
    exceptions.NotAuthenticated.status_code,
    _("Sign in first."),
    exceptions.NotAuthenticated(),
)
declare(
    exceptions.PermissionDenied,
    "forbidden",
    exceptions.PermissionDenied.status_code,
    _("You may not do that."),
    exceptions.PermissionDenied("CSRF Failed: CSRF token missing."),
)
declare(
    exceptions.NotFound,
    "not_found",
    exceptions.NotFound.status_code,
    _("There is nothing here."),
    exceptions.NotFound("there is nothing here"),
)
declare(
    exceptions.MethodNotAllowed,
    "method_not_allowed",
    exceptions.MethodNotAllowed.status_code,
    _("This address does not support that."),
    exceptions.MethodNotAllowed("PUT"),
)
declare(
    exceptions.NotAcceptable,
    "not_acceptable",
    exceptions.NotAcceptable.status_code,
    _("The answers of this server are JSON."),
    exceptions.NotAcceptable(),
)
declare(
    exceptions.Throttled,
    "too_many_requests",
    exceptions.Throttled.status_code,
    _("Too many requests. Wait a moment."),
    exceptions.Throttled(wait=41),
)
declare(
    exceptions.APIException,
    "server_error",
    exceptions.APIException.status_code,
    _("Something went wrong on our side."),
    exceptions.APIException("something went wrong on our side"),
)


def exception_handler(error: Exception, context: dict[str, Any]) -> Response | None:
    """Return the response to an exception of a view; None for an internal error, which is logged and becomes a 500."""
    error = _in_our_words(error)
    status = http_status(error)
    if status is None:
        return None
    set_rollback()
    return Response(body_of(error), status=status, headers=_headers(error))


def body_of(error: Exception) -> dict[str, Any]:
    """Return the JSON object for an error that has a status."""
    declaration = declaration_of(type(error))
    code = "server_error" if declaration is None else declaration.code
    if isinstance(error, exceptions.ValidationError):
        return {"code": code, "message": gettext("some fields are missing or wrong"), "fields": error.detail}
    return {"code": code, "message": message_of(error), **getattr(error, "details", {})}


def http_status(error: Exception) -> int | None:
    """Return the HTTP status for an error; None for an internal error."""
    if isinstance(error, exceptions.APIException):
        return error.status_code
    declaration = declaration_of(type(error))
    return None if declaration is None else declaration.status


def _in_our_words(error: Exception) -> Exception:
    """Translate errors of Django and of the database drivers into ours."""
    match error:
        case Http404():
            return exceptions.NotFound()
        case PermissionDenied():
            return exceptions.PermissionDenied()
        case RequestDataTooBig():
            return MessageTooLarge("the body of the request is too long")
        case OperationalError() | InterfaceError():
            logger.error("the database does not answer: %s", error)
            return Unavailable("the database does not answer; try again, an action that was kept is not taken twice")
    return error


def _headers(error: Exception) -> dict[str, str]:
    headers = {}
    if (wait := getattr(error, "wait", None)) is not None:
        headers["Retry-After"] = str(int(wait) + 1)
    if (auth_header := getattr(error, "auth_header", None)) is not None:
        headers["WWW-Authenticate"] = auth_header
    return headers


def handler400(request: HttpRequest, exception: Exception) -> HttpResponse:
    if _is_api(request):
        return _answer_outside_views(exceptions.ParseError())
    return defaults.bad_request(request, exception)


def handler404(request: HttpRequest, exception: Exception) -> HttpResponse:
    if _is_api(request):
        return _answer_outside_views(exceptions.NotFound("there is nothing here"))
    return defaults.page_not_found(request, exception)


def handler500(request: HttpRequest) -> HttpResponse:
    """Answer an exception that nobody caught: 503 and a line in the log if the database does not answer."""
    error = sys.exception()
    if isinstance(error, Exception) and isinstance(away := _in_our_words(error), Unavailable):
        response = _unavailable(request, away)
        response._has_been_logged = True  # type: ignore[attr-defined]  # or Django logs a traceback
        return response
    if _is_api(request):
        return _answer_outside_views(exceptions.APIException("something went wrong on our side"))
    return defaults.server_error(request)


def _answer_outside_views(error: Exception) -> HttpResponse:
    return JsonResponse(body_of(error), status=http_status(error))


def _unavailable(request: HttpRequest, error: Unavailable) -> HttpResponse:
    if _is_api(request):
        return _answer_outside_views(error)
    return HttpResponse(loader.render_to_string("503.html"), status=error.status)


def _is_api(request: HttpRequest) -> bool:
    return request.path.startswith("/api/")
