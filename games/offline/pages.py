"""The manifest, the service worker, and the page that it shows where there is no line."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import path, reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from games.doors.release import release
from games.doors.scripts import SHARED, are_bundled, imports_of
from games.play.words import word
from games.players.readers import page
from games.rules import RULE_SETS
from games.table.game_data import hello

GROUND = "#f6efe2"
SCRIPT = "games/pages/offline.js"


@require_safe
@cache_control(no_cache=True)
def manifest(request: HttpRequest) -> HttpResponse:
    """Say how the site is installed on a home screen."""
    icons = [("icon.svg", "any", "any"), ("icon-192.png", "192x192", "any"), ("icon-512.png", "512x512", "any")]
    icons.append(("icon-maskable.png", "512x512", "maskable"))
    content: dict[str, Any] = {
        "id": "/",
        "name": _("Pyramid Solitaire"),
        "short_name": "Pyramid",
        "description": _("One deal a day, the same for everyone."),
        "lang": get_language(),
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": GROUND,
        "theme_color": GROUND,
        "icons": [
            {"src": static(f"games/{name}"), "sizes": sizes, "purpose": purpose} for name, sizes, purpose in icons
        ],
        "shortcuts": [{"name": _("Practice"), "url": reverse("web:practice")}],
    }
    return JsonResponse(content, content_type="application/manifest+json")


@require_safe
@cache_control(no_cache=True)
def service_worker(request: HttpRequest) -> HttpResponse:
    """Return the script that keeps this release's page for playing without a line. It never names anything personal."""
    scripts = [SHARED, SCRIPT]
    if not are_bundled():
        scripts += dict.fromkeys((*imports_of(SHARED), *imports_of(SCRIPT)))
    names = ["games/site.css", "games/table.css", "games/icon.svg", *scripts]
    context = {
        "release": release(),
        "page": reverse("web:offline"),
        "files": [static(name) for name in names],
        "icon": static("games/icon-192.png"),
    }
    return render(request, "games/service-worker.js", context, content_type="text/javascript")


@require_safe
@cache_control(no_cache=True)
@gzip_page
def offline(request: HttpRequest) -> HttpResponse:
    """Show a table for practice that needs no server. The page is the same for everyone: a browser keeps it."""
    rule_sets = {
        slug: {"title": word(rules.title), "hello": hello(rules), "rules": rules.fields}
        for slug, rules in RULE_SETS.items()
    }
    return page(request, "games/offline.html", {"reader": None, "rule_sets": rule_sets}, section="practice")


urlpatterns = [
    path("manifest.webmanifest", manifest, name="manifest"),
    path("service-worker.js", service_worker, name="service-worker"),
    path("offline/", offline, name="offline"),
]
