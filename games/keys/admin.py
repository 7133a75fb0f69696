"""Tokens of the API."""

from typing import Any, cast

from django.contrib import admin
from django.contrib.admin.models import CHANGE, LogEntry
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from knox import admin as knox_admin
from knox.models import AuthToken

from games.doors.admin.cells import link
from games.doors.admin.lists import Editable, Related, relate
from games.players.models import Player

admin.site.unregister(knox_admin.models.AuthToken)
relate(Player, Related(_("API tokens"), AuthToken, "user"))


@admin.register(AuthToken)
class TokenAdmin(Editable):
    """Tokens can be revoked, but not made: a person who makes one can play as its owner."""

    list_display = ("created", "owner", "expiry")
    list_select_related = ("user",)
    player_path = "user"
    linked_by = ("user",)
    search_help_text = _("Part of a player's handle or name")
    fields = readonly_fields = ("owner", "created", "expiry")

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return request.user.has_perm("knox.delete_authtoken")

    def log_deletions(self, request: HttpRequest, queryset: QuerySet[AuthToken]) -> Any:
        """Log a change of the players instead: as text, a token has a name that deleting the account would miss."""
        players = list(dict.fromkeys(token.user for token in queryset))
        return LogEntry.objects.log_actions(
            cast(Player, request.user).pk, players, CHANGE, gettext("Revoked API tokens.")
        )

    @admin.display(description=_("player"))
    def owner(self, token: AuthToken) -> SafeString:
        return link(token.user)
