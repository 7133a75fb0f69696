"""Games."""

from collections.abc import Callable

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.doors.admin.cells import OfPlayer, lines
from games.doors.admin.filters import DayFilter, RankedFilter, RuleSetFilter
from games.doors.admin.lists import ReadOnly, Related, relate
from games.play.admin_cells import HIDDEN, day_of, result
from games.play.models import SUMMARY_FIELDS, Game
from games.play.visibility import may_inspect, record_for
from games.players.models import Player
from games.rules import DamagedLog, Record, RulesError
from games.rules.drawing import draw
from games.runtime.clock import clock

relate(Player, Related(_("games"), Game, "player"))


class RuleSetOfGame(RuleSetFilter):
    field = "deal__rules"


class DayOfGame(DayFilter):
    field = "daily__day"


@admin.register(Game)
class GameAdmin(OfPlayer, ReadOnly):
    """A game with its log, its board and its record as its player may know them, once its deal is public.

    Before that, staff who have looked at the secrets of its deal see them too, and cannot play it any more.
    """

    list_display = ("id", "its_player", "its_day", "score", "attempt", "created_at")
    # Fetched for the rows of one page: joined, those of the whole table would be sorted with them.
    list_select_related = ()
    list_filter = ("status", RankedFilter, DayOfGame, RuleSetOfGame)
    linked_by = ("player", "deal", "daily")
    player_path = "player"
    search_fields = ("id",)
    search_help_text = _("The identifier of a game, or part of a player's handle or name")
    fields = readonly_fields = (
        *("id", "player", "deal", "its_day", "score", "status", "attempt", "created_at", "started_at"),
        *(*SUMMARY_FIELDS, "hasty", "downtime_ms", "related"),
        *("board", "log", "record"),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Game]:
        return super().get_queryset(request).prefetch_related("player", "deal", "daily")

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> Game | None:
        game: Game | None = super().get_object(request, object_id, from_field)
        if game is not None and isinstance(request.user, Player):
            game.is_shown = may_inspect(game, request.user, clock.now())  # type: ignore[attr-defined]
        return game

    @admin.display(description=_("day"))
    def its_day(self, game: Game) -> SafeString:
        return day_of(game)

    @admin.display(description=_("result"))
    def score(self, game: Game) -> str:
        return result(game)

    @admin.display
    def board(self, game: Game) -> SafeString:
        return _from_record(game, lambda record: draw(record.replay().position))

    @admin.display
    def log(self, game: Game) -> SafeString:
        if not _is_shown(game):
            return lines(str(HIDDEN))
        try:
            log = game.whole_log()
        except DamagedLog as error:
            return lines(gettext("The log cannot be read: %(error)s.") % {"error": error})
        rows = [
            f"{version:7}  {action:6} {at_ms:13} {'-' if client_ms is None else client_ms:>13}"
            for version, action, at_ms, client_ms in log
        ]
        return lines("\n".join([gettext("version  action     server ms     client ms"), *rows]))

    @admin.display
    def record(self, game: Game) -> SafeString:
        return _from_record(game, lambda record: record.text)


def _from_record(game: Game, show: Callable[[Record], str]) -> SafeString:
    """Show something of a game's record, as its player may read it now."""
    if not _is_shown(game):
        return lines(str(HIDDEN))
    try:
        return lines(show(record_for(game, game.player, clock.now())))
    except RulesError as error:
        # The text of such an error may name unseen cards.
        return lines(gettext("The log does not replay: %(error)s.") % {"error": error.code})


def _is_shown(game: Game) -> bool:
    return bool(getattr(game, "is_shown", False))
