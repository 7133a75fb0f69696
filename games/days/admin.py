"""Deals, the daily ones among them, programmes, and who looked at secrets."""

from django import forms
from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.core.exceptions import PermissionDenied
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.template.loader import render_to_string
from django.urls import URLPattern, path
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.calendar.dailies import daily_of
from games.calendar.models import DailyDeal, Deal, SetProgramme
from games.days.disclosure import disclose, look_at_secrets
from games.doors.admin.cells import lines, link, short
from games.doors.admin.filters import DailyStateFilter, DayFilter, RuleSetFilter
from games.doors.admin.lists import Editable, ReadOnly, Related, relate
from games.play.admin_cells import HIDDEN, result, title_of
from games.play.models import Game
from games.play.visibility import is_public
from games.players.models import Player
from games.rules import RULE_SETS, Deck, Position
from games.rules.drawing import draw
from games.runtime.clock import clock

MOST_ATTEMPTS = 50  # on the page of a day; its list of games has all

relate(Deal, Related(_("games"), Game, "deal"))
relate(DailyDeal, Related(_("all attempts"), Game, "daily"))


@admin.register(Deal)
class DealAdmin(ReadOnly):
    list_display = ("id", "rule_set_title", "day", "created_at")
    list_filter = (RuleSetFilter,)
    list_select_related = ("daily",)
    search_fields = ("id",)
    search_help_text = _("The identifier of a deal")
    fields = readonly_fields = ("id", "rule_set_title", "day", "created_at", "related", "certificate", "cards")

    @admin.display(description=_("rule set"))
    def rule_set_title(self, deal: Deal) -> str:
        return RULE_SETS[deal.rules].title

    @admin.display(description=_("daily deal"))
    def day(self, deal: Deal) -> SafeString:
        daily = daily_of(deal)
        return link(daily, title_of(daily) if daily else None)

    @admin.display
    def certificate(self, deal: Deal) -> str:
        if not is_public(deal, clock.now()):
            return str(HIDDEN)
        if deal.grade is None:
            return gettext("winnable, not measured yet") if deal.is_winnable else gettext("none")
        known = {
            "par": deal.par or gettext("unknown"),
            "greedy": deal.greedy_moves or gettext("lost"),
            "grade": deal.grade,
        }
        return gettext("par %(par)s, greedy %(greedy)s, %(grade)s") % known

    @admin.display
    def cards(self, deal: Deal) -> SafeString:
        if not is_public(deal, clock.now()):
            return lines(str(HIDDEN))
        layout = Position.deal(Deck.from_text(deal.deck), deal.rule_set)
        return lines(f"{deal.deck}\n\n{draw(layout)}")


class ReasonForm(forms.Form):
    """The reason a superuser gives for looking at the secrets of a deal."""

    reason = forms.CharField(min_length=10, max_length=500, widget=forms.TextInput(attrs={"size": 80}))
    confirmed = forms.BooleanField(
        label=_("I know that this is logged, that all staff can see it, and that I can no longer play this deal.")
    )


@admin.register(DailyDeal)
class DailyDealAdmin(ReadOnly):
    """Daily deals with their attempts; the cards are on the page of the deal, once they are public."""

    list_display = ("day", "rule_set_title", "division", "state", "short_commitment")
    list_filter = (DayFilter, DailyStateFilter, RuleSetFilter, "division")
    search_fields = ("commitment", "deal")
    search_help_text = _("A commitment or the identifier of a deal")
    fields = readonly_fields = (
        *("day", "rule_set_title", "division", "state"),
        *("commitment", "committed_at", "revealed_seed", "deal", "related", "attempts"),
    )

    @admin.display(description=_("rule set"))
    def rule_set_title(self, daily: DailyDeal) -> str:
        return RULE_SETS[daily.rules].title

    @admin.display
    def state(self, daily: DailyDeal) -> str:
        return daily.key.state(clock.now())

    @admin.display(description=_("commitment"))
    def short_commitment(self, daily: DailyDeal) -> SafeString:
        return short(daily.commitment)

    @admin.display(description=_("seed"))
    def revealed_seed(self, daily: DailyDeal) -> str:
        (disclosed,) = disclose([daily], None, clock.now())
        reveal = disclosed.reveal
        if reveal is None:
            return str(HIDDEN)
        return gettext("%(seed)s, its deck number %(number)d") % {"seed": reveal.seed, "number": reveal.candidate}

    @admin.display
    def attempts(self, daily: DailyDeal) -> SafeString:
        games = daily.attempts.select_related("player", "deal").order_by("-created_at")[:MOST_ATTEMPTS]
        rows = [
            {"game": link(game), "player": link(game.player), "result": result(game), "at": game.created_at}
            for game in games
        ]
        return render_to_string("admin/games/dailydeal/attempts.html", {"rows": rows, "most": MOST_ATTEMPTS})

    def get_urls(self) -> list[URLPattern]:
        address = path("<int:pk>/secrets/", self.admin_site.admin_view(self.secrets), name="games_dailydeal_secrets")
        return [address, *super().get_urls()]

    def secrets(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Show seed and deck to a superuser who says why; a visit that only looks gets the question."""
        if not (isinstance(request.user, Player) and request.user.is_superuser):
            raise PermissionDenied
        daily = get_object_or_404(DailyDeal.objects.select_related("deal"), pk=pk)
        form = ReasonForm(request.POST if request.method == "POST" else None)
        context = {
            "title": gettext("Secrets of %(deal)s") % {"deal": daily},
            "daily": daily,
            "form": form,
            "opts": self.opts,
        }
        if form.is_valid() and daily.is_dealt:
            context["reveal"] = look_at_secrets(daily, request.user, form.cleaned_data["reason"], clock.now())
        return render(request, "admin/games/dailydeal/secrets.html", self.admin_site.each_context(request) | context)


@admin.register(SetProgramme)
class ProgrammeAdmin(Editable):
    """Programmes: one is added for days not committed to yet, none is changed."""

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
    player_path = "user"
    search_fields = ("object_repr",)
    search_help_text = _("A daily deal, or part of a name")

    def get_queryset(self, request: HttpRequest) -> QuerySet[LogEntry]:
        return LogEntry.objects.filter(content_type__app_label="games", content_type__model="dailydeal")

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return request.user.is_active and request.user.is_staff

    has_module_permission = has_view_permission
