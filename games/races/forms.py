"""The forms that open a race, and that invite someone to it."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from games.accounts.accounts import LONGEST_HANDLE
from games.deals.certify import is_certifiable
from games.play.words import word
from games.players.models import Player
from games.players.refusals import UnknownPlayer
from games.practice.stock import ready_for_races
from games.races.circles import Circle, circles_of
from games.races.invitations import invite
from games.races.models import Race
from games.races.rooms import Terms, create_race
from games.rules import RULE_SETS

LIMITS_S = (180, 300, 600, 1200)


def choices_of_rules() -> list[tuple[str, Any]]:
    """Return the rule sets of races; the name says of which ones deals are still being prepared."""
    ready = ready_for_races()
    return [
        (slug, word(rules.title) if slug in ready else _("%(rules)s (in a moment)") % {"rules": word(rules.title)})
        for slug, rules in RULE_SETS.items()
        if is_certifiable(rules)
    ]


def choices_of_limits() -> list[tuple[int, str]]:
    """Return the time limits of races in words."""
    return [(seconds, _("%(minutes)d minutes") % {"minutes": seconds // 60}) for seconds in LIMITS_S]


def offer_circles(field: forms.Field, circles: Iterable[Circle]) -> None:
    """Let a field choose among circles."""
    assert isinstance(field, forms.ChoiceField)  # noqa: S101  as the forms declare it
    names = [(circle.id, _("Members of %(name)s") % {"name": circle.name}) for circle in circles]
    field.choices = [("", _("Everyone who is invited")), *names] if names else []


class RaceForm(forms.Form):
    """The terms of a race, with the field names of `POST /api/races/`."""

    rules = forms.ChoiceField(
        label=_("Rules"),
        choices=choices_of_rules,
        initial="standard",
    )
    limit_s = forms.TypedChoiceField(
        label=_("Time limit"),
        coerce=int,
        choices=choices_of_limits,
        initial=Terms.limit_s,
    )
    tie_break = forms.ChoiceField(
        label=_("Ties are broken by"),
        choices=[(Race.TieBreak.TIME, _("the time")), (Race.TieBreak.MOVES, _("the number of moves"))],
        initial=Terms.tie_break,
    )
    circle = forms.ChoiceField(label=_("For"), required=False)
    is_public = forms.BooleanField(label=_("Public: listed here, open to everyone"), required=False)
    admits_bots = forms.BooleanField(label=_("Bots may join"), required=False)

    def __init__(self, *arguments: Any, reader: Player | None = None, **named: Any) -> None:
        super().__init__(*arguments, **named)
        offer_circles(self.fields["circle"], circles_of(reader))

    def create(self, host: Player, now: datetime) -> Race:
        """Open the race. Raises a `Refusal`."""
        return create_race(host, Terms(**self.cleaned_data), now)


class InvitationForm(forms.Form):
    """The player to invite to a race, with the field name of `POST /api/races/{race_id}/invitations/`."""

    handle = forms.CharField(label=_("Invite a player by handle"), max_length=LONGEST_HANDLE)

    def invite(self, race_id: str, racer: Player, now: datetime) -> str:
        """Invite the player, and return the handle. Raises a `Refusal`."""
        if not self.is_valid():
            raise UnknownPlayer("a handle is missing")
        handle = str(self.cleaned_data["handle"]).lower()
        invite(race_id, racer, handle, now)
        return handle
