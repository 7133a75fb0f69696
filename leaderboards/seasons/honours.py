"""The honours that still hold."""

from __future__ import annotations

from django.db.models import Exists, F, OuterRef, QuerySet

from leaderboards.boards.models import Entry
from leaderboards.seasons.models import Honour


def standing_honours() -> QuerySet[Honour]:
    """Return the honours whose players are still at least as good on the board; only two reviewers can change that."""
    as_good = Entry.objects.filter(
        board=OuterRef("entry__board"), player=OuterRef("player"), valid_to=None, listed=True, key__lte=OuterRef("key")
    )
    return Honour.objects.select_related("season__board").annotate(key=F("entry__key")).filter(Exists(as_good))
