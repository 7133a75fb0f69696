"""The one shape of an error over REST: `{"code": ..., "message": ...}`, with `fields` where single inputs are wrong.

Clients that accept `application/problem+json` get the same as a problem (RFC 9457).
"""

import logging
import sys
from http import HTTPStatus
from typing import Any, NamedTuple

from django.conf import settings
from django.core.exceptions import PermissionDenied, RequestDataTooBig
from django.db import InterfaceError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.template import loader
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views import defaults
from rest_framework import exceptions
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import set_rollback

from games.doors.refusals import MessageTooLarge, Unavailable, declaration_of, declare, message_of
from games.runtime.outages import briefly, failure_of, outages

PROBLEM = "application/problem+json"

logger = logging.getLogger(__name__)

# Requests that do not reach a use case, with an example for the documents. The first match wins.
for _error, _code, _reason in (
    (exceptions.ValidationError({"non_field_errors": ["There is no field 'colour'."]}), "invalid_request", None),
    (
        exceptions.ParseError("this is not JSON: Expecting value: line 1 column 1 (char 0)"),
        "malformed_request",
        _("The request cannot be read."),
    ),
    (
        exceptions.UnsupportedMediaType("text/plain"),
        "unsupported_media_type",
        _("The body of a request has to be JSON."),
    ),
    (
        exceptions.AuthenticationFailed("Invalid token."),
        "bad_credentials",
        _("The token is invalid or has expired, or its account is closed."),
    ),
    (exceptions.NotAuthenticated(), "not_signed_in", _("Sign in first.")),
    (exceptions.PermissionDenied("CSRF Failed: CSRF token missing."), "forbidden", _("You may not do that.")),
    (exceptions.NotFound("there is nothing here"), "not_found", _("There is nothing here.")),
    (exceptions.MethodNotAllowed("PUT"), "method_not_allowed", _("This address does not support that.")),
    (exceptions.NotAcceptable(), "not_acceptable", _("The answers of this server are JSON.")),
    (exceptions.Throttled(wait=41), "too_many_requests", _("Too many requests. Wait a moment.")),
    (
        exceptions.APIException("something went wrong on our side"),
        "server_error",
        _("Something went wrong on our side."),
    ),
):
    declare(_error, _code, _error.status_code, _reason)


class Refused(NamedTuple):
    """The answer to an exception."""

    status: int
    body: dict[str, Any]
    headers: dict[str, str]
    is_logged: bool


def exception_handler(error: Exception, context: dict[str, Any]) -> Response | None:
    """Return the response to an exception of a view; None for an internal error, which is logged and becomes a 500."""
    refused = refusal_of(error)
    if refused is None:
        return None
    set_rollback()
    body, media = body_for(refused.body, refused.status, context["request"])
    response = Response(body, status=refused.status, headers=refused.headers, content_type=media)
    response._has_been_logged = refused.is_logged  # type: ignore[attr-defined]  # or Django logs it too
    return response


def refusal_of(error: Exception) -> Refused | None:
    """Return the answer to an exception, which is logged here if the database is away; None for an internal error."""
    error = _in_our_words(error)
    status = http_status(error)
    return None if status is None else Refused(status, body_of(error), _headers(error), isinstance(error, Unavailable))


def body_for(body: dict[str, Any], status: int, request: HttpRequest | Request) -> tuple[dict[str, Any], str]:
    """Return the object for an error in the shape that a request accepts, and its media type."""
    accepted = request.headers.get("Accept", "").lower()
    if PROBLEM not in (media.partition(";")[0].strip() for media in accepted.split(",")):
        return body, "application/json"
    more = {name: value for name, value in body.items() if name != "message"}
    return {
        "type": request.build_absolute_uri(f"/docs/errors/#{body['code']}"),
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": body["message"],
        **more,
    }, PROBLEM


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
            return MessageTooLarge(f"the body of a request has at most {settings.DATA_UPLOAD_MAX_MEMORY_SIZE} bytes")
        case OperationalError() | InterfaceError():
            if outages.note("requests", error):
                logger.error("%s: %s", failure_of(error), briefly(error))
            return Unavailable(f"{failure_of(error)}; try again, an action that was kept is not taken twice")
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
        return _answer_outside_views(request, exceptions.ParseError())
    return defaults.bad_request(request, exception)


def handler404(request: HttpRequest, exception: Exception) -> HttpResponse:
    if _is_api(request):
        return _answer_outside_views(request, exceptions.NotFound("there is nothing here"))
    if request.path.startswith("/tlog/"):  # files for programs
        return HttpResponse("there is nothing here\n", "text/plain; charset=utf-8", HTTPStatus.NOT_FOUND)
    return defaults.page_not_found(request, exception)


def too_many_requests(request: HttpRequest, wait: float) -> HttpResponse:
    return _answer_outside_views(request, exceptions.Throttled(wait=wait))


def handler500(request: HttpRequest) -> HttpResponse:
    """Answer an exception that nobody caught: 503 and a line in the log if the database does not answer."""
    error = sys.exception()
    if isinstance(error, Exception) and isinstance(away := _in_our_words(error), Unavailable):
        response = unavailable(request, away)
        response._has_been_logged = True  # type: ignore[attr-defined]  # or Django logs a traceback
        return response
    if _is_api(request):
        return _answer_outside_views(request, exceptions.APIException("something went wrong on our side"))
    return defaults.server_error(request)


def _answer_outside_views(request: HttpRequest, error: Exception) -> HttpResponse:
    status = http_status(error) or HTTPStatus.INTERNAL_SERVER_ERROR
    body, media = body_for(body_of(error), status, request)
    return JsonResponse(body, status=status, headers={"Vary": "Accept", **_headers(error)}, content_type=media)


def unavailable(request: HttpRequest, error: Unavailable) -> HttpResponse:
    """Answer a request that cannot be served just now, as JSON or as a page."""
    if _is_api(request):
        return _answer_outside_views(request, error)
    return HttpResponse(loader.render_to_string("503.html"), status=error.status)


def _is_api(request: HttpRequest) -> bool:
    return request.path.startswith("/api/")
