"""Races and their racers."""

from django.contrib import admin
from django.db.models import QuerySet
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from games.doors.admin.cells import link
from games.doors.admin.lists import ReadOnly, Related, narrow, relate
from games.play.models import Game
from games.players.models import Player
from games.races.models import Race, Racer
from games.runtime.clock import clock

relate(Player, Related(_("races hosted"), Race, "host"))


def _without_open_qualifications(reader: object, games: QuerySet[Game]) -> QuerySet[Game]:
    """Leave out the games of a race to which more are to come: how one ended shows nowhere before the race is over."""
    secret = Racer.objects.filter(race__entry=Race.Entry.ROLLING, race__ended_at=None, game__isnull=False)
    return games.exclude(pk__in=secret.order_by().values("game"))


narrow(_without_open_qualifications, Game)


@admin.register(Race)
class RaceAdmin(ReadOnly):
    """A race with its racers; until it is over, their games are hidden from the staff too."""

    list_display = ("id", "its_state", "is_public", "host", "starts_at", "ended_at", "end")
    list_filter = ("is_public", "end")
    list_select_related = ("host",)
    player_path = "host"
    linked_by = ("host",)
    search_fields = ("id",)
    search_help_text = _("The identifier of a race, or part of its host's handle or name")
    fields = readonly_fields = (
        *("id", "its_state", "host", "circle", "deal", "tie_break", "limit_s", "countdown_s"),
        *("is_public", "admits_bots"),
        *("hour", "rematch_of", "created_at", "starts_at", "begun_at", "ended_at", "end", "racers"),
    )

    @admin.display(description=_("state"))
    def its_state(self, race: Race) -> str:
        return race.state(clock.now()).label

    @admin.display(description=_("racers"))
    def racers(self, race: Race) -> SafeString:
        is_shown = race.is_over or race.entry != Race.Entry.ROLLING
        racers = race.racers.select_related("player", "game")
        rows = ((link(racer.player), racer.place or "", link(racer.game if is_shown else None)) for racer in racers)
        return format_html_join("", "<p>{} {} {}</p>", rows)
