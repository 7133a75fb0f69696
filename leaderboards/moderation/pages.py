"""The page of what moderation decided, month by month, computed from the decision log."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.urls import path
from django.views.decorators.cache import cache_control
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from games.players.readers import page
from leaderboards.moderation import transparency


@require_safe
@cache_control(public=True, max_age=300)
@gzip_page
def moderation_report(request: HttpRequest) -> HttpResponse:
    """Show cases, outcomes, times to the decision, and appeals, by month."""
    return page(request, "leaderboards/moderation.html", {"months": transparency.report()})


urlpatterns = [
    path("review/", moderation_report, name="review-report"),
]
