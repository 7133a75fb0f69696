"""Forms of the account pages. The services decide what to refuse."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy

from games.kit.names import LONGEST_NAME, mistake_in
from games.services.accounts import LONGEST_HANDLE, LONGEST_PASSWORD

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

LONGEST_TOKEN = 128


def require_good_name(text: str) -> None:
    if mistake := mistake_in(text):
        raise ValidationError(mistake)


class Handle(forms.CharField):
    """An input for a handle: no capitals, no spell checking, known to password managers."""

    def __init__(self, help_text: str | _StrPromise = "") -> None:
        widget = forms.TextInput({"autocomplete": "username", "autocapitalize": "none", "spellcheck": "false"})
        super().__init__(max_length=LONGEST_HANDLE, widget=widget, label=gettext_lazy("Handle"), help_text=help_text)


class Password(forms.CharField):
    def __init__(self, autocomplete: str, help_text: str | _StrPromise = "") -> None:
        widget = forms.PasswordInput({"autocomplete": autocomplete})
        super().__init__(
            max_length=LONGEST_PASSWORD, widget=widget, strip=False, label=gettext_lazy("Password"), help_text=help_text
        )


class DisplayName(forms.CharField):
    def __init__(self) -> None:
        widget = forms.TextInput({"autocomplete": "nickname"})
        super().__init__(
            max_length=LONGEST_NAME, validators=[require_good_name], widget=widget, label=gettext_lazy("Name")
        )
        self.help_text = gettext_lazy("What others see. You can change it later.")


class ClaimForm(forms.Form):
    handle = Handle(
        gettext_lazy("3 to 32 lower-case letters and digits, single hyphens between. It cannot be changed later.")
    )
    display_name = DisplayName()
    password = Password("new-password", gettext_lazy("At least 8 characters, and none that many people use."))
    token = forms.CharField(
        max_length=LONGEST_TOKEN,
        required=False,
        label=gettext_lazy("Guest token"),
        widget=forms.TextInput({"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}),
        help_text=gettext_lazy("Only if you have played as a guest with a program: its token, to keep those games."),
    )


class SignInForm(forms.Form):
    handle = Handle()
    password = Password("current-password")


class RenameForm(forms.Form):
    display_name = DisplayName()
