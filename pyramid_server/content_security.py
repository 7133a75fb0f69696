from __future__ import annotations

import re
from collections.abc import Callable

from django.core.exceptions import DisallowedHost
from django.http import HttpRequest
from django.http.response import HttpResponseBase

EVERYWHERE = "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
FOR_PACKAGES = f"default-src 'self'; img-src 'self' data:; object-src 'none'; {EVERYWHERE}"
# The one policy by which a text becomes the address of a script is that of the service worker.
TRUSTED_TYPES = "require-trusted-types-for 'script'; trusted-types service-worker"
# Pages of third-party packages. Their scripts do not use trusted types, and their images are data URLs.
OF_PACKAGES = ("/api/",)
ADMIN = "/admin/"
# Forms of Django itself, whose jQuery writes markup. Lists and pages of the desk have no such script.
FORMS_OF_ADMIN = re.compile(r"/admin/\w+/\w+/(add|[^/]+/change)/")

GetResponse = Callable[[HttpRequest], HttpResponseBase]


def content_security_policy(get_response: GetResponse) -> GetResponse:
    """Add the content security policy. Django 6 has this built in; it is here until the next long-term release."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        response.headers.setdefault("Content-Security-Policy", policy_for(request))
        return response

    return middleware


def policy_for(request: HttpRequest) -> str:
    """Return the policy of a page: only our own files, no inline code, and no text turned into markup."""
    if request.path.startswith(OF_PACKAGES):
        return FOR_PACKAGES
    images = "'self' data:" if request.path.startswith(ADMIN) else "'self'"
    policy = (
        f"default-src 'none'; script-src 'self'; style-src 'self'; img-src {images}; manifest-src 'self'; "
        f"worker-src 'self'; connect-src 'self'{_own_socket(request)}; {EVERYWHERE}"
    )
    return policy if FORMS_OF_ADMIN.match(request.path) else f"{policy}; {TRUSTED_TYPES}"


def _own_socket(request: HttpRequest) -> str:
    """Return our own host with the WebSocket scheme, which older versions of WebKit do not count as 'self'."""
    try:
        host = request.get_host()
    except DisallowedHost:
        return ""
    return f" {'wss' if request.is_secure() else 'ws'}://{host}"
