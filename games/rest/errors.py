"""The one shape of an error over REST: `{"code": ..., "message": ...}`, with `fields` where single inputs are wrong."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.views import defaults
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.views import set_rollback

from games.errors import Refusal, status_of
from games.rules import RulesError

# Codes of requests that do not reach a service. First match wins.
REQUEST_CODES: tuple[tuple[type[Exception], str], ...] = (
    (exceptions.ValidationError, "invalid_request"),
    (exceptions.ParseError, "malformed_request"),
    (exceptions.UnsupportedMediaType, "unsupported_media_type"),
    (exceptions.AuthenticationFailed, "bad_credentials"),
    (exceptions.NotAuthenticated, "not_signed_in"),
    (exceptions.PermissionDenied, "forbidden"),
    (exceptions.NotFound, "not_found"),
    (exceptions.MethodNotAllowed, "method_not_allowed"),
    (exceptions.NotAcceptable, "not_acceptable"),
    (exceptions.Throttled, "too_many_requests"),
)


def exception_handler(error: Exception, context: dict[str, Any]) -> Response | None:
    """Answer an exception of a view; None for a fault of ours, which is logged and becomes a 500."""
    if isinstance(error, Http404):
        error = exceptions.NotFound()
    if isinstance(error, PermissionDenied):
        error = exceptions.PermissionDenied()
    if isinstance(error, Refusal | RulesError):
        return _answer(error.code, str(error), status_of(error), error.details if isinstance(error, Refusal) else {})
    if isinstance(error, exceptions.APIException):
        set_rollback()
        return _answer_request_error(error)
    return None


def _answer_request_error(error: exceptions.APIException) -> Response:
    code = next(code for kind, code in REQUEST_CODES if isinstance(error, kind))
    if isinstance(error, exceptions.ValidationError):
        return _answer(code, "some fields are missing or wrong", error.status_code, {"fields": error.detail})
    response = _answer(code, str(error.detail), error.status_code, {})
    if isinstance(error, exceptions.Throttled) and error.wait is not None:
        response["Retry-After"] = str(int(error.wait) + 1)
    if auth_header := getattr(error, "auth_header", None):
        response["WWW-Authenticate"] = auth_header
    return response


def _answer(code: str, message: str, status: int, details: dict[str, Any]) -> Response:
    return Response({"code": code, "message": message, **details}, status=status)


def handler404(request: HttpRequest, exception: Exception) -> HttpResponse:
    if _is_api(request):
        return JsonResponse({"code": "not_found", "message": "there is nothing here"}, status=HTTPStatus.NOT_FOUND)
    return defaults.page_not_found(request, exception)


def handler500(request: HttpRequest) -> HttpResponse:
    if _is_api(request):
        answer = {"code": "server_error", "message": "something went wrong on our side"}
        return JsonResponse(answer, status=HTTPStatus.INTERNAL_SERVER_ERROR)
    return defaults.server_error(request)


def _is_api(request: HttpRequest) -> bool:
    return request.path.startswith("/api/")
