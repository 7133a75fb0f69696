"""Cells of the admin about games and daily deals."""

from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from games.calendar.models import DailyDeal
from games.doors.admin.cells import link
from games.play.models import Game
from games.rules import RULE_SETS

HIDDEN = _("hidden while the deal can be played")
RESULTS = {
    Game.Status.PLAYING: _("being played"),
    Game.Status.WON: _("won"),
    Game.Status.STUCK: _("stuck"),
    Game.Status.RESIGNED: _("given up"),
    Game.Status.EXPIRED: _("ran out of time"),
}


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
