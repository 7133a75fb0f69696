"""The admin: look up everything, and change a few things about players.

Staff may play too, so the admin hides what players of a deal cannot know until the deal can no longer be played.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import URLPattern, path, reverse
from django.utils.functional import cached_property
from django.utils.html import format_html
from django.utils.safestring import SafeString
from knox import admin as knox_admin
from knox.models import AuthToken

from games.models import SUMMARY_FIELDS, DailyDeal, Deal, Game, GameReview, Player, SetProgramme
from games.rules import RULE_SETS, DamagedLog, Deck, Position, Record, RulesError
from games.rules.drawing import draw
from games.services.disclosure import disclose, look_at_secrets
from games.services.names import give_name
from games.services.visibility import is_public, may_inspect, record_for

MOST_ROWS = 5000
HIDDEN = "hidden as long as the deal can be played"


class FirstRows(Paginator):  # type: ignore[type-arg]  # no generic class at run time
    """Pages of the first `MOST_ROWS` rows, because counting a big table means reading all of it."""

    object_list: QuerySet[Any]

    @cached_property
    def count(self) -> int:
        return self.object_list.order_by()[:MOST_ROWS].count()


class ReadOnly(admin.ModelAdmin):  # type: ignore[type-arg]  # no generic class at run time
    """Read-only rows, found by exact values of `search_fields`."""

    actions = None
    paginator = FirstRows
    show_full_result_count = False
    show_facets = admin.ShowFacets.NEVER

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest | None = None) -> bool:
        """Allow only the filters on offer: `?deck__startswith=` would reveal a deck card by card."""
        offered = {getattr(entry, "parameter_name", entry) for entry in self.list_filter}
        return lookup.partition("__")[0] in offered

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        """Search one field after another, each through its index; an OR of them would scan whole tables."""
        found = queryset
        for field in self.search_fields if search_term else ():
            found = queryset.filter(**{field: search_term})
            if found.exists():
                break
        return found, False


class RuleSetFilter(admin.SimpleListFilter):
    """Offer every rule set, without a query for those in use."""

    title = parameter_name = "rules"

    def lookups(self, request: HttpRequest, model_admin: admin.ModelAdmin[Any]) -> Iterable[tuple[str, str]]:
        return [(rules.slug, rules.title) for rules in RULE_SETS.values()]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return queryset.filter(rules=self.value()) if self.value() else queryset


@admin.register(Player)
class PlayerAdmin(ReadOnly):
    list_display = ("username", "display_name", "is_guest", "is_bot", "is_active", "is_staff", "date_joined")
    list_filter = ("is_guest", "is_bot", "is_active", "is_staff")
    search_fields = ("username", "display_name")
    fields = (
        *("username", "is_guest", "claimed_at", "date_joined", "last_login", "games_played"),
        *("display_name", "is_bot", "is_active", "is_staff", "is_superuser", "groups", "user_permissions"),
    )
    changeable = ("display_name", "is_bot", "is_active")
    changeable_by_superusers = (*changeable, "is_staff", "is_superuser", "groups", "user_permissions")
    filter_horizontal = ("groups", "user_permissions")

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Let only superusers change staff accounts, or any staff member could lock out the others."""
        permitted = request.user.has_perm("games.change_player")
        return permitted and (request.user.is_superuser or not (isinstance(obj, Player) and obj.is_staff))

    def get_readonly_fields(self, request: HttpRequest, obj: Model | None = None) -> list[str]:
        changeable = self.changeable_by_superusers if request.user.is_superuser else self.changeable
        return [field for field in self.fields if field not in changeable]

    def save_model(self, request: HttpRequest, obj: Player, form: forms.Form, change: bool) -> None:
        if "display_name" in form.changed_data:
            give_name(obj, obj.display_name)
        super().save_model(request, obj, form, change)

    @admin.display(description="games")
    def games_played(self, player: Player) -> SafeString:
        address = f"{reverse('admin:games_game_changelist')}?{urlencode({'q': player.username})}"
        return format_html('<a href="{}">{}</a>', address, "all games of this player")


@admin.register(Deal)
class DealAdmin(ReadOnly):
    list_display = ("id", "rules", "created_at")
    search_fields = ("id",)
    fields = readonly_fields = ("id", "rules", "created_at", "certificate", "cards")

    @admin.display
    def certificate(self, deal: Deal) -> str:
        if not is_public(deal, datetime.now(UTC)):
            return HIDDEN
        if deal.grade is None:
            return "winnable, not measured yet" if deal.is_winnable else "none"
        return f"par {deal.par or 'unknown'}, greedy {deal.greedy_moves or 'lost'}, {deal.grade}"

    @admin.display
    def cards(self, deal: Deal) -> SafeString:
        if not is_public(deal, datetime.now(UTC)):
            return _text(HIDDEN)
        layout = Position.deal(Deck.from_text(deal.deck), deal.rule_set)
        return _text(f"{deal.deck}\n\n{draw(layout)}")


class ReasonForm(forms.Form):
    """The reason a superuser gives for looking at the secrets of a deal."""

    reason = forms.CharField(min_length=10, max_length=500, widget=forms.TextInput(attrs={"size": 80}))
    confirmed = forms.BooleanField(
        label="I know that this is logged, that all staff can see it, and that I can no longer play this deal."
    )


@admin.register(DailyDeal)
class DailyDealAdmin(ReadOnly):
    list_display = ("day", "rules", "division", "state", "commitment")
    list_filter = ("day", RuleSetFilter, "division")
    search_fields = ("commitment", "deal")
    fields = readonly_fields = (
        *("number", "day", "rules", "division", "state"),
        *("commitment", "committed_at", "link", "revealed_seed", "deal"),
    )

    @admin.display
    def state(self, daily: DailyDeal) -> str:
        return daily.key.state(datetime.now(UTC))

    @admin.display(description="seed")
    def revealed_seed(self, daily: DailyDeal) -> str:
        (disclosed,) = disclose([daily], None, datetime.now(UTC))
        reveal = disclosed.reveal
        return f"{reveal.seed}, its deck number {reveal.candidate}" if reveal else HIDDEN

    def get_urls(self) -> list[URLPattern]:
        address = path("<int:pk>/secrets/", self.admin_site.admin_view(self.secrets), name="games_dailydeal_secrets")
        return [address, *super().get_urls()]

    def secrets(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Show seed and deck to a superuser who gives a reason; a GET shows only the form that asks for it."""
        if not (isinstance(request.user, Player) and request.user.is_superuser):
            raise PermissionDenied
        daily = get_object_or_404(DailyDeal.objects.select_related("deal"), pk=pk)
        form = ReasonForm(request.POST if request.method == "POST" else None)
        context = {"title": f"Secrets of {daily}", "daily": daily, "form": form, "opts": self.opts}
        if form.is_valid():
            context["reveal"] = look_at_secrets(daily, request.user, form.cleaned_data["reason"], datetime.now(UTC))
        return render(request, "admin/games/dailydeal/secrets.html", self.admin_site.each_context(request) | context)


@admin.register(SetProgramme)
class ProgrammeAdmin(ReadOnly):
    """Programmes can be added for days without commitments, and never changed."""

    list_display = ("valid_from", "made_by", "made_at")
    fields = ("valid_from", "slots")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("games.add_setprogramme")

    def save_model(self, request: HttpRequest, obj: SetProgramme, form: forms.Form, change: bool) -> None:
        obj.made_by = request.user if isinstance(request.user, Player) else None
        super().save_model(request, obj, form, change)


@admin.register(LogEntry)
class SecretAccessAdmin(ReadOnly):
    """The log of superusers who looked at the secrets of a daily deal, with their reasons; all staff can read it."""

    list_display = ("action_time", "user__username", "object_repr", "change_message")
    list_display_links = None
    list_select_related = ("user",)
    search_fields = ("user__username", "object_repr")

    def get_queryset(self, request: HttpRequest) -> QuerySet[LogEntry]:
        return LogEntry.objects.filter(content_type__app_label="games", content_type__model="dailydeal")

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return request.user.is_active and request.user.is_staff

    has_module_permission = has_view_permission


class RankedFilter(admin.SimpleListFilter):
    title = parameter_name = "ranked"

    def lookups(self, request: HttpRequest, model_admin: admin.ModelAdmin[Any]) -> Iterable[tuple[str, str]]:
        return [("yes", "Yes"), ("no", "No")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return queryset.filter(daily__isnull=self.value() == "no") if self.value() else queryset


@admin.register(Game)
class GameAdmin(ReadOnly):
    """A game with its log, board and record as its player may know them, once its deal is public.

    Before that only staff who have looked at the secrets of the deal see them; they can no longer play it.
    """

    list_display = ("id", "player", "deal", "daily", "status", "created_at", "elapsed_ms", "moves", "cards_left")
    # Fetched for the rows of one page only: with a join the database would sort the whole table.
    list_select_related = ()
    list_filter = ("status", RankedFilter)
    search_fields = ("id", "player__username")
    fields = readonly_fields = (
        *(
            "id",
            "player",
            "deal",
            "daily",
            "status",
            "attempt",
            "created_at",
            "started_at",
            *SUMMARY_FIELDS,
            "hasty",
            "downtime_ms",
        ),
        *("board", "log", "record"),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Game]:
        return Game.objects.prefetch_related("player", "deal", "daily")

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> Game | None:
        game: Game | None = super().get_object(request, object_id, from_field)
        if game is not None and isinstance(request.user, Player):
            game.is_shown = may_inspect(game, request.user, datetime.now(UTC))  # type: ignore[attr-defined]
        return game

    @admin.display
    def board(self, game: Game) -> SafeString:
        return _from_record(game, lambda record: draw(record.replay().position))

    @admin.display
    def log(self, game: Game) -> SafeString:
        if not _is_shown(game):
            return _text(HIDDEN)
        try:
            log = game.whole_log()
        except DamagedLog as error:
            return _text(f"The log cannot be read: {error}.")
        lines = [
            f"{version:7}  {action:6} {at_ms:13} {'-' if client_ms is None else client_ms:>13}"
            for version, action, at_ms, client_ms in log
        ]
        return _text("\n".join(["version  action     server ms     client ms", *lines]))

    @admin.display
    def record(self, game: Game) -> SafeString:
        return _from_record(game, lambda record: record.text)


@admin.register(GameReview)
class GameReviewAdmin(ReadOnly):
    list_display = ("game_id", "state", "done", "total", "created_at", "finished_at")
    list_filter = ("state",)
    search_fields = ("game",)
    fields = readonly_fields = ("game", "state", "done", "total", "created_at", "claimed_at", "finished_at", "review")

    @admin.display
    def review(self, requested: GameReview) -> SafeString:
        # The deal of a practice game can be played again once its review has been read.
        is_closed = is_public(requested.game.deal, datetime.now(UTC))
        return _text(json.dumps(requested.result, indent=1) if is_closed else HIDDEN)


def _from_record(game: Game, show: Callable[[Record], str]) -> SafeString:
    """Show a part of the game's record as its player may read it now."""
    if not _is_shown(game):
        return _text(HIDDEN)
    try:
        return _text(show(record_for(game, game.player, datetime.now(UTC))))
    except RulesError as error:
        # The text of such an error may name unseen cards.
        return _text(f"The log does not replay: {error.code}.")


def _is_shown(game: Game) -> bool:
    return bool(getattr(game, "is_shown", False))


def _text(text: str) -> SafeString:
    return format_html("<pre>{}</pre>", text)


admin.site.unregister(knox_admin.models.AuthToken)


@admin.register(AuthToken)
class TokenAdmin(ReadOnly):
    """Tokens can be revoked but not created: whoever creates one can play as its owner."""

    list_display = ("user", "created", "expiry")
    list_select_related = ("user",)
    search_fields = ("user__username",)
    fields = readonly_fields = ("user", "created", "expiry")

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return request.user.has_perm("knox.delete_authtoken")
