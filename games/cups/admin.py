"""Cups, and who signed up for tournaments by hand, to look at."""

from django.contrib import admin
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from games.cups.models import Cup
from games.doors.admin.cells import link
from games.doors.admin.lists import ReadOnly


@admin.register(Cup)
class CupAdmin(ReadOnly):
    """A cup; what decides it is on its page."""

    list_display = ("id", "name", "rules", "for_bots", "opens_at", "seeded_at", "ended_at", "end")
    list_filter = ("rules", "for_bots", "end")
    list_select_related = ("host",)
    search_fields = ("id", "name", "code")
    fields = readonly_fields = (
        *("id", "name", "host", "code", "circle", "rules", "for_bots", "announced_for", "opens_at", "qualify_s"),
        *("limit_s", "rounds", "qualification", "seeded_at", "ended_at", "end", "its_signups"),
    )

    @admin.display(description=_("signed up"))
    def its_signups(self, cup: Cup) -> SafeString:
        rows = ((link(one.player), one.at, one.removed_at or "") for one in cup.signups.select_related("player"))
        return format_html_join("", "<p>{} {} {}</p>", rows)
