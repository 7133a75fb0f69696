"""Saved views of the queue."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_POST

from leaderboards.desk.doors import reviewer_of, see_other
from leaderboards.desk.models import SavedView

MOST_VIEWS = 20
LONGEST_QUERY = 300


@require_POST
def views(request: HttpRequest) -> HttpResponse:
    """Keep the query of the queue under a name, or delete a view of the reviewer's own."""
    reviewer = reviewer_of(request)
    name = request.POST.get("name", "").replace("\0", "").strip()[:40]
    query = request.POST.get("query", "").replace("\0", "")[:LONGEST_QUERY]
    own = SavedView.objects.filter(owner=reviewer)
    if request.POST.get("act") == "delete":
        own.filter(name=name).delete()
        return see_other("admin:review")
    if name and own.exclude(name=name).count() < MOST_VIEWS:
        kept = {"query": query, "is_shared": request.POST.get("is_shared") == "on"}
        SavedView.objects.update_or_create(owner=reviewer, name=name, defaults=kept)
    return see_other(f"{reverse('admin:review')}?{query}")
