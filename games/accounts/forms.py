"""Forms of the account pages. The use cases decide what to refuse."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.translation import gettext_lazy

from games.accounts.accounts import LONGEST_HANDLE, LONGEST_PASSWORD
from games.accounts.mail import LONGEST_ADDRESS
from games.players.lookalikes import LONGEST_NAME, require_good_name
from games.players.models import Player

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise


class Handle(forms.CharField):
    """An input for a handle: no capitals, no spell checking; one's own is known to password managers."""

    def __init__(self, help_text: str | _StrPromise = "", autocomplete: str = "username") -> None:
        widget = forms.TextInput({"autocomplete": autocomplete, "autocapitalize": "none", "spellcheck": "false"})
        super().__init__(max_length=LONGEST_HANDLE, widget=widget, label=gettext_lazy("Handle"), help_text=help_text)


PASSWORD = gettext_lazy("Password")


class Password(forms.CharField):
    def __init__(
        self, autocomplete: str, help_text: str | _StrPromise = "", label: str | _StrPromise = PASSWORD
    ) -> None:
        widget = forms.PasswordInput({"autocomplete": autocomplete})
        super().__init__(max_length=LONGEST_PASSWORD, widget=widget, strip=False, label=label, help_text=help_text)


class DisplayName(forms.CharField):
    def __init__(self, help_text: str | _StrPromise, *, required: bool = True, autocomplete: str = "nickname") -> None:
        widget = forms.TextInput({"autocomplete": autocomplete})
        super().__init__(
            max_length=LONGEST_NAME,
            validators=[require_good_name],
            widget=widget,
            label=gettext_lazy("Name"),
            help_text=help_text,
            required=required,
        )


STRONG = gettext_lazy("At least 8 characters, and not a common password.")


CHOSEN_HANDLE = gettext_lazy(
    "3 to 32 lower-case letters and digits, with single hyphens between them. It cannot be changed later."
)


class ClaimForm(forms.Form):
    handle = Handle(CHOSEN_HANDLE)
    display_name = DisplayName(
        gettext_lazy("What others see. You can change it later. If you leave it empty, it is your handle."),
        required=False,
    )
    password = Password("new-password", STRONG)


class SignInForm(forms.Form):
    handle = Handle()
    password = Password("current-password")


class ChangePasswordForm(forms.Form):
    password = Password("current-password", label=gettext_lazy("Current password"))
    new_password = Password("new-password", STRONG, gettext_lazy("New password"))


class NewPasswordForm(forms.Form):
    new_password = Password("new-password", STRONG, gettext_lazy("New password"))

    def __init__(self, user: Player, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)


class MailAddress(forms.CharField):
    def __init__(self, *, required: bool) -> None:
        widget = forms.EmailInput({"autocomplete": "email"})
        super().__init__(
            max_length=LONGEST_ADDRESS, required=required, widget=widget, label=gettext_lazy("Mail address")
        )


class MailForm(forms.Form):
    email = MailAddress(required=False)
    password = Password("current-password")


class ResetForm(forms.Form):
    email = MailAddress(required=True)


class RenameForm(forms.Form):
    display_name = DisplayName(gettext_lazy("What others see. You can change it later."))
