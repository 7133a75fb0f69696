"""Format cards, actions, times and amounts for the desk. Pure."""

from datetime import timedelta

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.players.models import Player
from games.rules import Action, Card, Kind, Move
from leaderboards.moderation.models import Outcome

TIMES = "\N{MULTIPLICATION SIGN}"
SUITS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
WITHOUT_CARDS: dict[Kind, Promise] = {
    Kind.DRAW: gettext_lazy("Draw"),
    Kind.RECYCLE: gettext_lazy("Turn the waste over"),
    Kind.UNDO: gettext_lazy("Undo"),
    Kind.REDO: gettext_lazy("Redo"),
    Kind.HINT: gettext_lazy("Hint"),
}
DETECTORS: dict[str, Promise] = {
    "foresight and near par": gettext_lazy("Choices fit cards not yet seen, near par"),
    "foresight bet": gettext_lazy("Choices fit cards not yet seen"),
    "near par": gettext_lazy("More games near par than honest play has"),
    "copied line": gettext_lazy("Follows lines that others had played"),
    "machine timing": gettext_lazy("The times are those of a program"),
    "timing signs": gettext_lazy("No slower before choices or after new cards"),
    "clock slope": gettext_lazy("The player's clock runs at another speed"),
    "preview": gettext_lazy("A linked account saw the deal first"),
    "scouting": gettext_lazy("A linked account looked through the stock and left"),
    "scouting on an open day": gettext_lazy("A linked account looked through the stock; not examined yet"),
    "taking turns": gettext_lazy("One looked through the stock and left, soon afterwards the other won"),
    "skill jump": gettext_lazy("Suddenly far better than before"),
    "verification": gettext_lazy("The record does not replay"),
    "haste": gettext_lazy("Actions followed faster than a person acts"),
    "downtime": gettext_lazy("Much of the time was downtime"),
}
SHARED: dict[str, Promise] = {
    "owner": gettext_lazy("owner"),
    "device": gettext_lazy("device"),
    "address": gettext_lazy("address"),
    "site": gettext_lazy("site (a /48 of IPv6)"),
}


def card(one: Card) -> str:
    """Return a card as people write it: `10♥`."""
    return f"{'10' if one.text[0] == 'T' else one.text[0]}{SUITS[one.text[1].lower()]}"


def is_red(one: Card) -> bool:
    return one.text[1].lower() in "dh"


def action(done: Action) -> str:
    """Return an action in words: `Draw`, `Remove 3♠ 10♥`."""
    if not isinstance(done, Move) or not done.cards:
        return str(WITHOUT_CARDS[done.kind])
    cards = " ".join(map(card, done.cards))
    return (_("Park %(cards)s") if done.kind is Kind.PARK else _("Remove %(cards)s")) % {"cards": cards}


def seconds(milliseconds: float) -> str:
    """Return a short time: `0.11 s`, `2.4 s`, `12 s`, `3 min`."""
    own = milliseconds / 1000
    if own < 1:
        return f"{own:.2f} s"
    if own < 10:
        return f"{own:.1f} s"
    return f"{own:.0f} s" if own < 100 else f"{own / 60:.0f} min"


def age(span: timedelta) -> str:
    """Return an age in words: `12 min`, `20 h`, `3 days`."""
    minutes = max(0, int(span.total_seconds() // 60))
    if minutes < 120:
        return _("%(count)d min") % {"count": minutes}
    if minutes < 72 * 60:
        return _("%(count)d h") % {"count": minutes // 60}
    days = minutes // 1440
    return ngettext("%(count)d day", "%(count)d days", days) % {"count": days}


def times(factor: float) -> str:
    """Return a stake after a multiplication sign, with two digits that count: 0.4, 7, 21,000."""
    if factor < 10:
        return f"{TIMES} {factor:.2g}"
    digits = max(0, len(str(int(factor))) - 2)
    return f"{TIMES} {round(factor, -digits):,.0f}"


def detector(name: str) -> str:
    """Return a detector's finding in a few words."""
    return str(DETECTORS.get(name, name.capitalize()))


def outcome(value: str) -> str:
    """Return a decision in words; empty for none."""
    return str(Outcome(value).label) if value else ""


def name(player: Player) -> str:
    """Return the name of a player; a deleted one has none."""
    return str(player) if player.is_active else _("deleted account")
