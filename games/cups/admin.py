"""Cups, to look at."""

from django.contrib import admin

from games.cups.models import Cup
from games.doors.admin.lists import ReadOnly


@admin.register(Cup)
class CupAdmin(ReadOnly):
    """A cup; what decides it is on its page."""

    list_display = ("id", "rules", "for_bots", "opens_at", "seeded_at", "ended_at", "end")
    list_filter = ("rules", "for_bots", "end")
    search_fields = ("id",)
    fields = readonly_fields = (
        *("id", "rules", "for_bots", "announced_for", "opens_at", "qualify_s", "limit_s", "qualification"),
        *("seeded_at", "ended_at", "end"),
    )
