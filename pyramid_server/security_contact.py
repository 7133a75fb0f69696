"""`/.well-known/security.txt` (RFC 9116): to whom to report a vulnerability, and where the threat model is."""

from datetime import timedelta

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from games.runtime.clock import clock

VALID_FOR = timedelta(days=180)


@require_safe
@cache_control(public=True, max_age=24 * 60 * 60)
def security_txt(request: HttpRequest) -> HttpResponse:
    """Return the contact of the operator; without one, the page that says how to reach the maintainers."""
    policy = f"{settings.PYRAMID_PUBLIC_URL}/docs/security/"
    expires = (clock.now() + VALID_FOR).strftime("%Y-%m-%dT00:00:00Z")
    fields = {
        "Contact": settings.PYRAMID_SECURITY_CONTACT or f"{policy}#report-a-vulnerability",
        "Expires": expires,
        "Policy": policy,
        "Preferred-Languages": "en, de",
        "Canonical": f"{settings.PYRAMID_PUBLIC_URL}{request.path}",
    }
    text = "".join(f"{name}: {value}\n" for name, value in fields.items())
    return HttpResponse(text, content_type="text/plain; charset=utf-8")
