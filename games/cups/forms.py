"""The form that announces a tournament by hand."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from games.cups.hosting import MOST_ROUNDS, Terms
from games.players.lookalikes import LONGEST_NAME, mistake_in
from games.players.models import Player
from games.races.circles import circles_of
from games.races.forms import choices_of_limits, choices_of_rules, offer_circles

FEWEST_OFFERED = 3


def _choices_of_rounds() -> list[tuple[int, Any]]:
    counts = range(FEWEST_OFFERED, MOST_ROUNDS + 1)
    return [
        (0, _("Knockout: the best two of a match go on")),
        *((count, _("%(count)d rounds for all, by points") % {"count": count}) for count in counts),
    ]


class TournamentForm(forms.Form):
    """The terms of a tournament, with the field names of `POST /api/cups/`."""

    name = forms.CharField(label=_("Name"), max_length=LONGEST_NAME)
    rules = forms.ChoiceField(label=_("Rules"), choices=choices_of_rules, initial="standard")
    opens_at = forms.DateTimeField(
        label=_("Start (UTC)"), widget=forms.DateTimeInput({"type": "datetime-local"}, format="%Y-%m-%dT%H:%M")
    )
    limit_s = forms.TypedChoiceField(
        label=_("Time limit of a match"), coerce=int, choices=choices_of_limits, initial=Terms.limit_s
    )

    rounds = forms.TypedChoiceField(label=_("Rounds"), coerce=int, choices=_choices_of_rounds, initial=Terms.rounds)

    circle = forms.ChoiceField(label=_("For"), required=False)

    def __init__(self, *arguments: Any, reader: Player, **named: Any) -> None:
        super().__init__(*arguments, **named)
        offer_circles(self.fields["circle"], [circle for circle in circles_of(reader) if circle.is_led])

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        if mistake := mistake_in(name):
            raise ValidationError(mistake)
        return name

    @property
    def terms(self) -> Terms:
        return Terms(**self.cleaned_data)
