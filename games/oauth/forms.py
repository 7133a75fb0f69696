from django import forms
from django.utils.translation import gettext_lazy as _

from games.players.lookalikes import LONGEST_NAME, require_good_name


class AppForm(forms.Form):
    """An app to be registered."""

    name = forms.CharField(
        max_length=LONGEST_NAME,
        validators=[require_good_name],
        label=_("Name"),
        widget=forms.TextInput({"autocomplete": "off"}),
        help_text=_("Players see it when they are asked."),
    )
    addresses = forms.CharField(
        max_length=4000,
        required=False,
        label=_("Addresses"),
        widget=forms.Textarea({"rows": 3, "autocomplete": "off", "spellcheck": "false"}),
        help_text=_("Where players are sent back to, one a line. A program that shows a code needs none."),
    )


class CodeForm(forms.Form):
    """The code that a device shows."""

    code = forms.CharField(
        max_length=20,
        label=_("The code on your device"),
        widget=forms.TextInput({"autocomplete": "off", "autocapitalize": "characters", "spellcheck": "false"}),
    )
