"""Players, and the staff among them."""

from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.auth.models import Permission
from django.core.exceptions import ValidationError
from django.db.models import ManyToManyField, Model, Q
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from games.doors.admin.filters import ChoiceFilter, yes_or_no
from games.doors.admin.lists import Editable, Related, relate
from games.doors.pages import sentence
from games.doors.refusals import Refusal
from games.players.models import Player
from games.players.names import give_name, publish_names, tell_apart

relate(Player, Related(_("bots"), Player, "owner"))


class BannedFilter(ChoiceFilter):
    title = _("banned")
    parameter_name = "banned"
    conditions = yes_or_no(Q(banned_at__isnull=False))


class PlayerForm(forms.ModelForm):  # type: ignore[type-arg]  # at run time Django's class takes none
    """The form of a player, whose name may be refused."""

    instance: Player

    def clean_display_name(self) -> str:
        """Give the player a new name, and return it as it is stored."""
        if "display_name" in self.changed_data:
            try:
                give_name(self.instance, self.cleaned_data["display_name"])
            except Refusal as error:
                raise ValidationError(sentence(error)) from error
        return self.instance.display_name


@admin.register(Player)
class PlayerAdmin(Editable):
    """Players are found by part of their handle or name."""

    form = PlayerForm
    list_display = (
        *("username", "display_name", "is_guest", "is_bot", "is_active", "is_staff"),
        *("banned_at", "date_joined"),
    )
    list_filter = ("is_guest", "is_bot", "is_active", BannedFilter, "is_staff")
    player_path = "pk"
    search_help_text = _("Part of a handle or a name")
    fields = (
        *("username", "is_guest", "claimed_at", "date_joined", "last_login", "banned_at", "owner", "related"),
        *("display_name", "is_bot", "is_active", "is_staff", "is_superuser", "groups", "user_permissions"),
    )
    linked_by = ("owner",)
    changeable = ("display_name", "is_bot", "is_active")
    changeable_by_superusers = (*changeable, "is_staff", "is_superuser", "groups", "user_permissions")
    filter_horizontal = ("groups", "user_permissions")

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Leave the accounts of staff to superusers, or any of the staff could lock out the others."""
        permitted = request.user.has_perm("games.change_player")
        return permitted and (request.user.is_superuser or not (isinstance(obj, Player) and obj.is_staff))

    def formfield_for_manytomany(
        self, db_field: "ManyToManyField[Any, Any]", request: HttpRequest, **options: Any
    ) -> "forms.ModelMultipleChoiceField[Any] | None":
        if db_field.name == "user_permissions":  # whose names say to which table they apply
            options["queryset"] = Permission.objects.select_related("content_type")
        return super().formfield_for_manytomany(db_field, request, **options)

    def save_model(self, request: HttpRequest, obj: Player, form: forms.Form, change: bool) -> None:
        """Write what the form has changed and nothing else: the player may have been banned since it was read."""
        former = Player.objects.get(pk=obj.pk).name_key  # the form has given the new one
        changed = {field.name for field in Player._meta.concrete_fields}.intersection(form.changed_data)
        obj.save(update_fields=changed | ({"name_key"} if "display_name" in changed else set()))
        tell_apart(former, obj.name_key)
        publish_names()

    def get_readonly_fields(self, request: HttpRequest, obj: Model | None = None) -> list[str]:
        changeable = self.changeable_by_superusers if request.user.is_superuser else self.changeable
        fixed = {"is_bot"} if isinstance(obj, Player) and (obj.owner_id or obj.bots.exists()) else set()
        return [field for field in self.fields if field not in changeable or field in fixed]
