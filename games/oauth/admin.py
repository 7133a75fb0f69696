"""Apps of third parties: who has registered them, where they send players, and how many allow them something."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from games.doors.admin.cells import lines
from games.doors.admin.lists import Related, Removable, relate
from games.oauth.models import App
from games.oauth.registering import remove_app
from games.players.models import Player

relate(Player, Related(_("apps"), App, "owner"))


@admin.register(App)
class AppAdmin(Removable):
    """An app that deceives players can be removed, which ends everything that they have allowed it."""

    list_display = ("id", "name", "owner", "created_at")
    list_select_related = ("owner",)
    player_path = "owner"
    linked_by = ("owner",)
    search_fields = ("id",)
    search_help_text = _("The client_id of an app, or part of its owner's handle or name")
    fields = readonly_fields = ("id", "name", "owner", "sends_players_to", "players", "created_at")
    removed = _("Removed an app.")

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Any:
        """Name the apps alone: `remove_app` ends the tokens first, which no other deletion may take along."""
        return [str(app) for app in objs], {}, set(), []

    def delete_model(self, request: HttpRequest, obj: App) -> None:
        remove_app(obj)

    @admin.display(description=_("sends players to"))
    def sends_players_to(self, app: App) -> SafeString:
        return lines(app.addresses)

    @admin.display(description=_("players who allow it something"))
    def players(self, app: App) -> int:
        return app.grants.values("player").distinct().count()
