"""Tokens of the API."""

from django.contrib import admin
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from knox import admin as knox_admin
from knox.models import AuthToken

from games.doors.admin.cells import link
from games.doors.admin.lists import Related, Removable, relate
from games.players.models import Player

admin.site.unregister(knox_admin.models.AuthToken)
relate(Player, Related(_("API tokens"), AuthToken, "user"))


@admin.register(AuthToken)
class TokenAdmin(Removable):
    """Tokens can be revoked, but not made: a person who makes one can play as its owner."""

    list_display = ("created", "owner", "expiry")
    list_select_related = ("user",)
    player_path = "user"
    linked_by = ("user",)
    search_help_text = _("Part of a player's handle or name")
    fields = readonly_fields = ("owner", "created", "expiry")
    removed = _("Revoked API tokens.")

    @admin.display(description=_("player"))
    def owner(self, token: AuthToken) -> SafeString:
        return link(token.user)
