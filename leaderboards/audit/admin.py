"""Sealed days in the admin."""

from django.contrib import admin
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from games.doors.admin.cells import short
from games.doors.admin.lists import ReadOnly
from leaderboards.audit.models import DayRoot


@admin.register(DayRoot)
class DayRootAdmin(ReadOnly):
    list_display = ("day", "count", "short_root", "made_at")
    search_fields = ("root",)
    fields = readonly_fields = ("day", "count", "root", "made_at")

    @admin.display(description=_("root"))
    def short_root(self, sealed: DayRoot) -> SafeString:
        return short(sealed.root)
