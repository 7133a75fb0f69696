"""Clubs, with their members and what happened there."""

from django.contrib import admin
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from games.doors.admin.cells import link
from games.doors.admin.lists import ReadOnly
from leaderboards.clubs.models import Club, Role

MOST_ACTS = 100


@admin.register(Club)
class ClubAdmin(ReadOnly):
    """A club with its members and the last lines of its log."""

    list_display = ("id", "name", "description", "admission", "founded_at")
    list_filter = ("admission",)
    search_fields = ("id", "name", "code")
    search_help_text = _("The identifier, the letters or part of the name of a club")
    fields = readonly_fields = (
        *("id", "name", "description", "emblem", "admission", "code", "founded_at"),
        *("its_members", "its_log"),
    )

    @admin.display(description=_("members"))
    def its_members(self, club: Club) -> SafeString:
        members = club.memberships.filter(left_at=None).select_related("player")
        rows = ((link(one.player), Role(one.role).label, one.joined_at) for one in members)
        return format_html_join("", "<p>{} {} {}</p>", rows)

    @admin.display(description=_("log"))
    def its_log(self, club: Club) -> SafeString:
        acts = club.acts.select_related("by", "about")[:MOST_ACTS]
        return format_html_join("", "<p>{} {} {} {}</p>", ((one.at, one.act, one.by, one.about) for one in acts))
