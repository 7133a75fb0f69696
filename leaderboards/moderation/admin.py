"""Cases in the admin; they are read and decided on the desk."""

from functools import partial
from typing import Any

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from games.calendar.models import DailyDeal
from games.doors.admin.cells import OfPlayer, link
from games.doors.admin.filters import DayFilter, RuleSetFilter
from games.doors.admin.lists import ReadOnly, Related, narrow, relate
from games.play import admin_cells
from games.play.models import Game
from games.players.models import Player
from leaderboards.boards.models import Decision, Entry, PendingGame
from leaderboards.moderation.models import Case
from leaderboards.moderation.visibility import visible_to

relate(Player, Related(_("cases"), Case, "player"))
relate(DailyDeal, Related(_("cases"), Case, "daily"))
relate(Game, Related(_("case"), Case, {"player": "player_id", "daily": "daily_id"}))


narrow(visible_to, Case, Game, Entry)
narrow(partial(visible_to, about="game__player"), PendingGame, Decision)


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

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        return redirect("admin:review-case", object_id) if object_id.isdecimal() else redirect("admin:review")

    @admin.display(description=_("day"))
    def its_day(self, case: Case) -> SafeString:
        return link(case.daily, admin_cells.title_of(case.daily))
