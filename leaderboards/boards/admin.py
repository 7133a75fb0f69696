"""Score tables in the admin, read-only."""

from typing import Any

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.doors.admin.cells import OfPlayer, link
from games.doors.admin.filters import ChoiceFilter, DayFilter, RuleSetFilter
from games.doors.admin.lists import ReadOnly, Related, relate
from games.play.admin_cells import scored
from games.play.models import Game
from games.players.models import Player
from leaderboards.boards.catalog import POINTS_TABLE, TABLES, Period
from leaderboards.boards.models import Board, Decision, Entry, Following, PendingGame
from leaderboards.boards.titles import title_of

relate(
    Player,
    Related(_("entries on score tables"), Entry, "player"),
    Related(_("decisions about its games"), Decision, "game__player"),
)
relate(Player, Related(_("players whom it follows"), Following, "follower"))
relate(Game, Related(_("entries on score tables"), Entry, "game"), Related(_("decisions"), Decision, "game"))
relate(Board, Related(_("entries"), Entry, "board"))


class PeriodFilter(ChoiceFilter):
    title = _("period")
    parameter_name = "period"
    conditions = {
        period.value: (period.value.replace("-", " ").capitalize(), Q(slug__startswith=f"{period.value}."))
        for period in Period
    }


class RuleSetOfBoard(RuleSetFilter):
    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return queryset.filter(slug__contains=f".{self.value()}.") if self.value() else queryset


class RuleSetOfEntry(RuleSetFilter):
    field = "game__deal__rules"


class DayOfEntry(DayFilter):
    field = "game__daily__day"


class TableFilter(ChoiceFilter):
    title = _("table")
    parameter_name = "table"
    conditions = {
        table: (table.replace("-", " ").capitalize(), Q(board__slug__endswith=f".{table}")) for table in TABLES
    }


class CurrentFilter(ChoiceFilter):
    title = _("current state")
    parameter_name = "now"
    conditions = {
        "ranked": (_("Has a rank"), Q(valid_to=None, listed=True)),
        "valid": (_("Stands"), Q(valid_to=None)),
        "past": (_("Replaced"), Q(valid_to__isnull=False)),
    }


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
    list_display = ("score", "its_player", "its_board", "state", "has_rank", "held", "its_game", "changed_at")
    list_filter = ("state", CurrentFilter, TableFilter, DayOfEntry, RuleSetOfEntry)
    list_select_related = ("game", "player", "board")
    linked_by = ("player", "game", "board")
    player_path = "player"
    search_fields = ("game", "board__slug")
    search_help_text = _("The identifier of a game, the name of a board, or part of a player's handle or name")
    fields = readonly_fields = (
        *("score", "player", "board", "game", "state", "has_rank", "held"),
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
    if entry.board.key.is_of_runs:
        return ", ".join(f"{name} {value}" for name, value in score.items())
    outcome = "" if score["cards_left"] else gettext("won")
    return scored(outcome, score["cards_left"], score["moves"], score["elapsed_ms"])
