"""Score tables in the admin, read-only."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.admin.cells import OfPlayer, link, scored, short
from games.admin.cells import title_of as title_of_daily
from games.admin.filters import DayFilter, RuleSetFilter
from games.admin.lists import ReadOnly, Related, relate
from games.models import DailyDeal, Game, Player
from leaderboards.boards import POINTS_TABLE, TABLES, Period
from leaderboards.models import (
    Board,
    Case,
    DayRoot,
    Decision,
    Delivery,
    Entry,
    Following,
    PendingGame,
    Webhook,
    WebhookEvent,
)
from leaderboards.review.cases import visible_to
from leaderboards.titles import title_of

relate(
    Player,
    Related(_("entries on score tables"), Entry, "player"),
    Related(_("decisions about its games"), Decision, "game__player"),
)
relate(Player, Related(_("players whom it follows"), Following, "follower"))
relate(Game, Related(_("entries on score tables"), Entry, "game"), Related(_("decisions"), Decision, "game"))
relate(Board, Related(_("entries"), Entry, "board"))
relate(Player, Related(_("cases"), Case, "player"))
relate(DailyDeal, Related(_("cases"), Case, "daily"))
relate(Game, Related(_("case"), Case, {"player": "player_id", "daily": "daily_id"}))


class DayOfCase(DayFilter):
    field = "daily__day"


class RuleSetOfCase(RuleSetFilter):
    field = "daily__rules"


class PeriodFilter(admin.SimpleListFilter):
    title = _("period")
    parameter_name = "period"

    def lookups(self, request: HttpRequest, model_admin: admin.ModelAdmin[Any]) -> Iterable[tuple[str, str]]:
        return [(period.value, period.value.replace("-", " ").capitalize()) for period in Period]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return queryset.filter(slug__startswith=f"{self.value()}.") if self.value() else queryset


class RuleSetOfBoard(RuleSetFilter):
    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return queryset.filter(slug__contains=f".{self.value()}.") if self.value() else queryset


class RuleSetOfEntry(RuleSetFilter):
    field = "game__deal__rules"


class DayOfEntry(DayFilter):
    field = "game__daily__day"


class TableFilter(admin.SimpleListFilter):
    title = _("table")
    parameter_name = "table"

    def lookups(self, request: HttpRequest, model_admin: admin.ModelAdmin[Any]) -> Iterable[tuple[str, str]]:
        return [(table, table.replace("-", " ").capitalize()) for table in TABLES]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return queryset.filter(board__slug__endswith=f".{self.value()}") if self.value() else queryset


class CurrentFilter(admin.SimpleListFilter):
    title = _("current state")
    parameter_name = "now"

    def lookups(self, request: HttpRequest, model_admin: admin.ModelAdmin[Any]) -> Iterable[tuple[str, str]]:
        return [("ranked", gettext("Has a rank")), ("valid", gettext("Stands")), ("past", gettext("Replaced"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        choices = {
            "ranked": Q(valid_to=None, listed=True),
            "valid": Q(valid_to=None),
            "past": Q(valid_to__isnull=False),
        }
        return queryset.filter(choices.get(self.value() or "", Q()))


@admin.register(Board)
class BoardAdmin(ReadOnly):
    list_display = ("slug", "title", "version")
    list_filter = (PeriodFilter, RuleSetOfBoard)
    search_fields = ("slug", "slug__startswith")
    search_help_text = _("The name of a board, or its beginning: daily.2026-11-20")
    fields = readonly_fields = ("title", "slug", "version", "public_page", "related")

    @admin.display
    def title(self, board: Board) -> str:
        return title_of(board.key)

    @admin.display(description=_("as players see it"))
    def public_page(self, board: Board) -> SafeString:
        return format_html('<a href="/boards/{0}/">/boards/{0}/</a>', board.slug)


@admin.register(Entry)
class EntryAdmin(OfPlayer, ReadOnly):
    list_display = ("score", "its_player", "its_board", "state", "has_rank", "its_game", "changed_at")
    list_filter = ("state", CurrentFilter, TableFilter, DayOfEntry, RuleSetOfEntry)
    list_select_related = ("game", "player", "board")
    linked_by = ("player", "game", "board")
    player_path = "player"
    search_fields = ("game", "board__slug")
    search_help_text = _("The identifier of a game, the name of a board, or part of a player's handle or name")
    fields = readonly_fields = (
        *("score", "player", "board", "game", "state", "has_rank"),
        *("entered_at_version", "valid_from", "valid_to", "changed_at"),
    )

    @admin.display
    def score(self, entry: Entry) -> str:
        return score_text(entry)

    @admin.display(description=_("has a rank"), boolean=True)
    def has_rank(self, entry: Entry) -> bool:
        return entry.listed and entry.valid_to is None

    @admin.display(description=_("board"))
    def its_board(self, entry: Entry) -> SafeString:
        return link(entry.board, title_of(entry.board.key))

    @admin.display(description=_("game"))
    def its_game(self, entry: Entry) -> SafeString:
        return link(entry.game)


@admin.register(PendingGame)
class PendingGameAdmin(ReadOnly):
    list_display = ("game", "finished_at", "error")
    player_path = "game__player"
    search_fields = ("game",)
    search_help_text = _("The identifier of a game, or part of a player's handle or name")
    fields = readonly_fields = ("game", "finished_at", "error")


@admin.register(Decision)
class DecisionAdmin(ReadOnly):
    list_display = ("at", "its_player", "its_game", "state", "reason", "by", "confirmed_by")
    list_filter = ("state",)
    list_select_related = ("game__player", "by", "confirmed_by")
    ordering = ("-id",)
    linked_by = ("game", "game__player")
    player_path = "game__player"
    search_fields = ("game",)
    search_help_text = _("The identifier of a game, or part of a player's handle or name")

    @admin.display(description=_("player"))
    def its_player(self, decision: Decision) -> SafeString:
        return link(decision.game.player)

    @admin.display(description=_("game"))
    def its_game(self, decision: Decision) -> SafeString:
        return link(decision.game)


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
        return link(case.daily, title_of_daily(case.daily))


@admin.register(DayRoot)
class DayRootAdmin(ReadOnly):
    list_display = ("day", "count", "short_root", "made_at")
    search_fields = ("root",)
    fields = readonly_fields = ("number", "day", "count", "root", "link", "made_at")

    @admin.display(description=_("root"))
    def short_root(self, sealed: DayRoot) -> SafeString:
        return short(sealed.root)


@admin.register(Following)
class FollowingAdmin(ReadOnly):
    list_display = ("follower", "followed")
    list_select_related = ("follower", "followed")
    linked_by = ("follower",)
    player_path = "follower"
    search_help_text = _("Part of the follower's handle or name")


def score_text(entry: Entry) -> str:
    """Return the score that an entry's key was packed from, in words: `won, 50 moves, 2:27`."""
    score = entry.board.key.order.unpack(entry.key)
    if entry.board.key.table == POINTS_TABLE:
        shown = {"points": f"{score['points']:,}", "wins": score["wins"], "moves": f"{score['moves']:,}"}
        return gettext("%(points)s points, %(wins)d won, %(moves)s moves") % shown
    said = "" if score["cards_left"] else gettext("won")
    return scored(said, score["cards_left"], score["moves"], score["elapsed_ms"])


class WebhookForm(forms.ModelForm):  # type: ignore[type-arg]  # generic for type checkers alone
    events = forms.MultipleChoiceField(choices=WebhookEvent.choices, widget=forms.CheckboxSelectMultiple)

    class Meta:
        model = Webhook
        fields = ["address", "events", "is_active"]


@admin.register(Webhook)
class WebhookAdmin(admin.ModelAdmin):  # type: ignore[type-arg]  # no generic class at run time
    """Addresses to which events are sent, for superusers alone, because events contain decisions."""

    form = WebhookForm
    list_display = ["address", "events", "is_active", "last_delivery"]
    fields = ["address", "events", "is_active", "key", "last_deliveries"]
    readonly_fields = ["key", "last_deliveries"]

    def has_view_permission(self, request: HttpRequest, obj: Webhook | None = None) -> bool:
        return bool(request.user.is_active and request.user.is_superuser)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return self.has_view_permission(request)

    def has_change_permission(self, request: HttpRequest, obj: Webhook | None = None) -> bool:
        return self.has_view_permission(request)

    def has_delete_permission(self, request: HttpRequest, obj: Webhook | None = None) -> bool:
        return self.has_view_permission(request)

    def has_module_permission(self, request: HttpRequest) -> bool:
        return self.has_view_permission(request)

    def get_fields(self, request: HttpRequest, obj: Webhook | None = None) -> list[Any]:
        return self.fields if obj else self.form.Meta.fields

    @admin.display(description=_("key of its signatures"))
    def key(self, webhook: Webhook) -> str:
        return webhook.secret

    @admin.display(description=_("last delivery"))
    def last_delivery(self, webhook: Webhook) -> str:
        last = webhook.deliveries.first()
        return _outcome_of(last) if last else ""

    @admin.display(description=_("last deliveries"))
    def last_deliveries(self, webhook: Webhook) -> SafeString:
        rows = ((delivery, _outcome_of(delivery)) for delivery in webhook.deliveries.all()[:20])
        return format_html("<ul>{}</ul>", format_html_join("", "<li>{}: {}</li>", rows))


def _outcome_of(delivery: Delivery) -> str:
    """Return the outcome of a delivery in words."""
    if delivery.delivered_at:
        return gettext("accepted %(at)s") % {"at": f"{delivery.delivered_at:%Y-%m-%d %H:%M:%S} UTC"}
    tried = {"count": delivery.attempts, "error": delivery.error}
    if delivery.next_at:
        return gettext("%(count)d attempts, another follows: %(error)s") % tried
    return gettext("given up after %(count)d attempts: %(error)s") % tried
