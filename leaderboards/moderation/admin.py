"""Cases in the admin; they are read and decided on the desk."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from games.calendar.models import DailyDeal
from games.doors.admin.cells import OfPlayer, link
from games.doors.admin.filters import DayFilter, RuleSetFilter
from games.doors.admin.lists import ReadOnly, Related, relate
from games.play import admin_cells
from games.play.models import Game
from games.players.models import Player
from leaderboards.moderation.cases import visible_to
from leaderboards.moderation.models import Case

relate(Player, Related(_("cases"), Case, "player"))
relate(DailyDeal, Related(_("cases"), Case, "daily"))
relate(Game, Related(_("case"), Case, {"player": "player_id", "daily": "daily_id"}))


class DayOfCase(DayFilter):
    field = "daily__day"


class RuleSetOfCase(RuleSetFilter):
    field = "daily__rules"


@admin.register(Case)
class CaseAdmin(OfPlayer, ReadOnly):
    """All cases visible to a reviewer; they are read and decided on the desk."""

    list_display = ("__str__", "its_player", "its_day", "state", "needs", "rank", "opened_at")
    list_filter = ("state", "needs", DayOfCase, RuleSetOfCase)
    list_select_related = ("player", "daily")
    linked_by = ("player", "daily")
    player_path = "player"
    search_help_text = _("Part of a player's handle or name")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Case]:
        reader = request.user
        return visible_to(reader) if isinstance(reader, Player) else Case.objects.none()

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        return redirect("admin:review-case", object_id) if object_id.isdecimal() else redirect("admin:review")

    @admin.display(description=_("day"))
    def its_day(self, case: Case) -> SafeString:
        return link(case.daily, admin_cells.title_of(case.daily))
