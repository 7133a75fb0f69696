"""The form that founds a club or changes it."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from games.players.lookalikes import LONGEST_NAME, mistake_in, require_good_text
from leaderboards.clubs.emblems import COLOURS, SUITS
from leaderboards.clubs.founding import Terms
from leaderboards.clubs.models import LONGEST_DESCRIPTION, Club, ClubReport
from leaderboards.reporting.forms import ReportForm


class ClubForm(forms.Form):
    """The terms of a club."""

    name = forms.CharField(label=_("Name"), max_length=LONGEST_NAME)
    description = forms.CharField(
        label=_("In a sentence"), max_length=LONGEST_DESCRIPTION, required=False, validators=[require_good_text]
    )
    middle = forms.ChoiceField(label=_("Suit in the middle"), choices=SUITS.items(), initial="s")
    above = forms.ChoiceField(label=_("Suit above"), choices=SUITS.items(), initial="c")
    colour = forms.ChoiceField(label=_("Colour"), choices=COLOURS.items(), initial="blue")
    admission = forms.ChoiceField(label=_("Who can join"), choices=Club.Admission.choices, initial=Club.Admission.OPEN)

    @classmethod
    def of(cls, club: Club) -> dict[str, str]:
        """Return the values of a club, to begin with."""
        kept = {name: getattr(club, name) for name in ("name", "description", "admission")}
        return {**kept, "middle": club.emblem[0], "above": club.emblem[1], "colour": club.emblem[3:]}

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        if mistake := mistake_in(name):
            raise ValidationError(mistake)
        return name

    @property
    def terms(self) -> Terms:
        given: dict[str, Any] = self.cleaned_data
        emblem = f"{given['middle']}{given['above']}-{given['colour']}"
        return Terms(given["name"], given["description"], emblem, given["admission"])


class ReportClubForm(ReportForm):
    """The report of a club's name or description."""

    about = forms.ChoiceField(label=_("What is wrong"), choices=ClubReport.About.choices)
    field_order = ("about", "text")
