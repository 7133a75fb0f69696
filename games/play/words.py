"""The words of the server - results, states, decisions, grades, titles - in the reader's language."""

from datetime import datetime, timedelta

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.deals.daily import DailyKey
from games.play.models import Game

WORDS: dict[str, Promise] = {
    "easy": gettext_lazy("easy"),
    "medium": gettext_lazy("medium"),
    "hard": gettext_lazy("hard"),
    "daily": gettext_lazy("daily"),
    "practice": gettext_lazy("practice"),
    "race": gettext_lazy("race"),
    "retest": gettext_lazy("retest"),
    "thirteen": gettext_lazy("pairs of thirteen"),
    "other-pairs": gettext_lazy("other pairs"),
    "two-decks": gettext_lazy("two decks"),
    "main": gettext_lazy("main"),
    "open": gettext_lazy("open"),
    "committed": gettext_lazy("committed"),
    "closing": gettext_lazy("closing"),
    "provisional": gettext_lazy("provisional"),
    "final": gettext_lazy("final"),
    "playing": gettext_lazy("being played"),
    "won": gettext_lazy("won"),
    "stuck": gettext_lazy("stuck"),
    "resigned": gettext_lazy("given up"),
    "expired": gettext_lazy("time was up"),
    "verified": gettext_lazy("verified"),
    "flagged": gettext_lazy("under review"),
    "disqualified": gettext_lazy("disqualified"),
    "reinstated": gettext_lazy("reinstated"),
    "clear": gettext_lazy("cleared"),
    "flag": gettext_lazy("under review"),
    "disqualify": gettext_lazy("disqualified"),
    "reinstate": gettext_lazy("reinstated"),
    "ban": gettext_lazy("banned"),
    "unban": gettext_lazy("no longer banned"),
}


def word(name: object) -> str:
    """Return the word for a code of the server, or the translation of a title, in the reader's language."""
    text = str(name)
    return str(WORDS[text]) if text in WORDS else text and _(text)


def percent_text(number: object) -> str:
    """Return a share of a hundred as the reader's language writes it."""
    return _("%(number)s%%") % {"number": number}


def moves_text(moves: int) -> str:
    return ngettext("%(count)d move", "%(count)d moves", moves) % {"count": moves}


def result_text(game: Game) -> str:
    """Return how a finished game ended, such as `3 cards left after 41 moves`."""
    return result_of(game.cards_left or 0, game.moves or 0)


def result_of(cards_left: int, moves: int) -> str:
    """Return a result by its figures, such as `3 cards left after 41 moves`."""
    if not cards_left:
        return moves_text(moves)
    cards = ngettext("%(count)d card left", "%(count)d cards left", cards_left) % {"count": cards_left}
    after = ngettext("after %(count)d move", "after %(count)d moves", moves) % {"count": moves}
    return f"{cards} {after}"


def when_committed(key: DailyKey, committed_at: datetime) -> str:
    """Return how long before its day a deal was committed to, such as `7 days before the day opened`."""
    ahead = key.opens_at - committed_at
    if ahead > timedelta():
        return _("%(duration)s before the day opened") % {"duration": _duration(ahead)}
    if committed_at < key.closes_at:
        return _("on the day itself, %(duration)s after it opened") % {"duration": _duration(-ahead)}
    return _("%(duration)s after the day closed") % {"duration": _duration(committed_at - key.closes_at)}


def _duration(length: timedelta) -> str:
    """Return a length of time in its largest unit, rounded down."""
    if days := length // timedelta(days=1):
        return ngettext("%(count)d day", "%(count)d days", days) % {"count": days}
    if hours := length // timedelta(hours=1):
        return ngettext("%(count)d hour", "%(count)d hours", hours) % {"count": hours}
    if minutes := length // timedelta(minutes=1):
        return ngettext("%(count)d minute", "%(count)d minutes", minutes) % {"count": minutes}
    return _("less than a minute")
