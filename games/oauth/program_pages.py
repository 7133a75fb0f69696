"""The addresses at which apps talk to the server themselves. Cookies do not count here."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from http import HTTPStatus
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import path, reverse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST, require_safe
from rest_framework.exceptions import Throttled

from games.doors.scopes import FOR_APPS
from games.oauth.devices import INTERVAL, LASTS, begin
from games.oauth.granting import end_by_token
from games.oauth.refusals import TooManyDevices
from games.oauth.server import GRANT_TYPES, find_app, issuer_of, refused, scopes_for_app, token_response
from games.runtime.addresses import address_of_request
from games.runtime.clock import clock
from games.runtime.limits import Hit, count

View = Callable[[HttpRequest], HttpResponse]


def for_programs(limit: str) -> Callable[[View], View]:
    """Let apps post forms, and count each attempt for its address before anything is looked up."""

    def limited(view: View) -> View:
        @wraps(view)
        def answer(request: HttpRequest) -> HttpResponse:
            try:
                count(Hit(limit, address_of_request(request)))
            except Throttled as throttled:
                response = refused("temporarily_unavailable", HTTPStatus.TOO_MANY_REQUESTS)
                response["Retry-After"] = str(int(getattr(throttled, "wait", 0) or 0) + 1)
                return response
            return view(request)

        return csrf_exempt(require_POST(sensitive_post_parameters()(answer)))

    return limited


@for_programs("app_tokens")
def token(request: HttpRequest) -> HttpResponse:
    """Exchange a code, a refresh token or the code of a device for tokens."""
    return token_response(request)


@for_programs("app_tokens")
def revoke(request: HttpRequest) -> HttpResponse:
    """End a token (RFC 7009); the answer does not say whether there was one."""
    app = find_app(request.POST.get("client_id", ""))
    if app is None or not request.POST.get("token"):
        return refused("invalid_client" if app is None else "invalid_request")
    end_by_token(request.POST["token"], app)
    return JsonResponse({})


@for_programs("device_codes")
def devices(request: HttpRequest) -> HttpResponse:
    """Begin to sign in on a device without a browser (RFC 8628)."""
    app, scopes = find_app(request.POST.get("client_id", "")), scopes_for_app(request.POST.get("scope", ""))
    if app is None or scopes is None:
        return refused("invalid_client" if app is None else "invalid_scope")
    try:
        code, typed = begin(app, scopes, clock.now())
    except TooManyDevices:
        return refused("temporarily_unavailable", HTTPStatus.SERVICE_UNAVAILABLE)
    answer: dict[str, Any] = {
        "device_code": code,
        "user_code": typed,
        "verification_uri": request.build_absolute_uri(reverse("web:device")),
        "expires_in": int(LASTS.total_seconds()),
        "interval": int(INTERVAL.total_seconds()),
    }
    return JsonResponse(answer, headers={"Cache-Control": "no-store"})


@require_safe
def metadata(request: HttpRequest) -> JsonResponse:
    """Say what this authorization server can do, and where (RFC 8414)."""

    def at(name: str) -> str:
        return request.build_absolute_uri(reverse(f"web:{name}"))

    return JsonResponse(
        {
            "issuer": issuer_of(request),
            "authorization_endpoint": at("consent"),
            "token_endpoint": at("app-token"),
            "revocation_endpoint": at("app-revoke"),
            "device_authorization_endpoint": at("app-devices"),
            "scopes_supported": list(FOR_APPS),
            "response_types_supported": ["code"],
            "response_modes_supported": ["query"],
            "grant_types_supported": GRANT_TYPES,
            "token_endpoint_auth_methods_supported": ["none"],
            "revocation_endpoint_auth_methods_supported": ["none"],
            "code_challenge_methods_supported": ["S256"],
            "authorization_response_iss_parameter_supported": True,
            "service_documentation": request.build_absolute_uri("/docs/apps/"),
        }
    )


urlpatterns = [
    path("oauth/token/", token, name="app-token"),
    path("oauth/revoke/", revoke, name="app-revoke"),
    path("oauth/devices/", devices, name="app-devices"),
    path(".well-known/oauth-authorization-server", metadata, name="app-metadata"),
]
