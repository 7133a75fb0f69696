from django import forms
from django.utils.translation import gettext_lazy

from games.players.lookalikes import LONGEST_NAME, require_good_name


class TokenForm(forms.Form):
    name = forms.CharField(
        max_length=LONGEST_NAME,
        validators=[require_good_name],
        label=gettext_lazy("Name"),
        widget=forms.TextInput({"autocomplete": "off"}),
        help_text=gettext_lazy("So that you recognise it: which program, on which machine."),
    )
