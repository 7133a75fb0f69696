"""Format values for lists and pages: links, times, results, long texts."""

from __future__ import annotations

from django.contrib import admin
from django.db.models import Model
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from games.models import DailyDeal, Game, Player
from games.rules import RULE_SETS

SHORT_HASH = 12
RESULTS = {
    Game.Status.PLAYING: _("being played"),
    Game.Status.WON: _("won"),
    Game.Status.STUCK: _("stuck"),
    Game.Status.RESIGNED: _("given up"),
    Game.Status.EXPIRED: _("ran out of time"),
}


def link(row: Model | None, text: object = None) -> SafeString:
    """Return a link to the admin's page of a row; a dash where there is none."""
    if row is None:
        return format_html("{}", "-")
    options = row._meta
    address = reverse(f"admin:{options.app_label}_{options.model_name}_change", args=[row.pk])
    return format_html('<a href="{}">{}</a>', address, row if text is None else text)


def clock(milliseconds: int | None) -> str:
    """Return a duration as a clock shows it: `2:27`, `1:02:03`; a dash where it is not known."""
    if milliseconds is None:
        return "-"
    minutes, seconds = divmod(milliseconds // 1000, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def result(game: Game) -> str:
    """Return how a game ended, in words: `won, 50 moves, 2:27`."""
    said = str(RESULTS[Game.Status(game.status)])
    return scored(said, game.cards_left or 0, game.moves or 0, game.elapsed_ms) if game.is_over else said


def scored(said: str, cards_left: int, moves: int, elapsed_ms: int | None) -> str:
    """Return a score in words, after a remark about it if there is one: `won, 50 moves, 2:27`."""
    left = ngettext("%(count)d left", "%(count)d left", cards_left) % {"count": cards_left} if cards_left else ""
    moved = ngettext("%(count)s move", "%(count)s moves", moves) % {"count": f"{moves:,}"}
    return ", ".join(filter(None, (said, left, moved, clock(elapsed_ms))))


def day_of(game: Game) -> SafeString:
    """Return a link to the daily deal that a game is an attempt at, or what else it is."""
    if game.daily is None:
        return format_html("{}, {}", _(RULE_SETS[game.deal.rules].title), gettext("practice"))
    return link(game.daily, title_of(game.daily))


def title_of(daily: DailyDeal) -> str:
    """Return a daily deal as people say it: `20 Nov 2026, Standard, open`."""
    return f"{date_format(daily.day)}, {_(RULE_SETS[daily.rules].title)}, {_(daily.division)}"


def short(text: str) -> SafeString:
    """Return the beginning of a long hash with the whole in its title."""
    return format_html('<code title="{}">{}…</code>', text, text[:SHORT_HASH]) if text else format_html("{}", "-")


def lines(text: str) -> SafeString:
    """Return a text as it is, line by line."""
    return format_html('<pre tabindex="0">{}</pre>', text)


class OfPlayer:
    """A column that links to the player of a row."""

    @admin.display(description=_("player"))
    def its_player(self, row: Model) -> SafeString:
        player: Player | None = getattr(row, "player", None)
        return link(player)
