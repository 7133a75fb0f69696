"""Requested analyses of games."""

import json

from django.contrib import admin
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.analysis.models import GameAnalysis
from games.doors.admin.cells import lines, link
from games.doors.admin.lists import ReadOnly, Related, relate
from games.play.admin_cells import HIDDEN
from games.play.models import Game
from games.play.visibility import is_public
from games.runtime.clock import clock

relate(Game, Related(_("analysis"), GameAnalysis, "game"))


@admin.register(GameAnalysis)
class GameAnalysisAdmin(ReadOnly):
    list_display = ("game_id", "state", "progress", "created_at", "finished_at")
    list_filter = ("state",)
    linked_by = ("game",)
    player_path = "game__player"
    search_fields = ("game",)
    search_help_text = _("The identifier of a game, or part of a player's handle or name")
    fields = readonly_fields = ("its_game", "state", "progress", "created_at", "claimed_at", "finished_at", "analysis")

    @admin.display(description=_("game"))
    def its_game(self, requested: GameAnalysis) -> SafeString:
        return link(requested.game)

    @admin.display
    def progress(self, requested: GameAnalysis) -> str:
        return (
            gettext("%(some)d of %(all)d") % {"some": requested.done, "all": requested.total}
            if requested.total
            else "-"
        )

    @admin.display
    def analysis(self, requested: GameAnalysis) -> SafeString:
        # The deal of a practice game can be opened again after the analysis.
        is_closed = is_public(requested.game.deal, clock.now())
        return lines(json.dumps(requested.result, indent=1) if is_closed else str(HIDDEN))
