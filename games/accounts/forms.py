"""Forms of the account pages. The use cases decide what to refuse."""

from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy

from games.accounts.accounts import LONGEST_HANDLE, LONGEST_PASSWORD
from games.accounts.mail import LONGEST_ADDRESS
from games.accounts.passwords import has_password
from games.players.lookalikes import LONGEST_NAME, require_good_name
from games.players.models import Player

STRONG = gettext_lazy("At least 8 characters, and not a common password.")
CHOSEN_HANDLE = gettext_lazy(
    "3 to 32 lower-case letters and digits, with single hyphens between them. It cannot be changed later."
)


class Handle(forms.CharField):
    """An input for a handle: no capitals, no spell checking; one's own is known to password managers."""

    def __init__(self, autocomplete: str = "username", **options: Any) -> None:
        widget = forms.TextInput({"autocomplete": autocomplete, "autocapitalize": "none", "spellcheck": "false"})
        super().__init__(label=gettext_lazy("Handle"), max_length=LONGEST_HANDLE, widget=widget, **options)


class Password(forms.CharField):
    def __init__(self, autocomplete: str, **options: Any) -> None:
        options.setdefault("label", gettext_lazy("Password"))
        widget = forms.PasswordInput({"autocomplete": autocomplete})
        super().__init__(max_length=LONGEST_PASSWORD, strip=False, widget=widget, **options)


class DisplayName(forms.CharField):
    def __init__(self, autocomplete: str = "nickname", **options: Any) -> None:
        options |= {"label": gettext_lazy("Name"), "max_length": LONGEST_NAME, "validators": [require_good_name]}
        super().__init__(widget=forms.TextInput({"autocomplete": autocomplete}), **options)


class MailAddress(forms.CharField):
    def __init__(self, *, required: bool) -> None:
        widget, label = forms.EmailInput({"autocomplete": "email"}), gettext_lazy("Mail address")
        super().__init__(label=label, max_length=LONGEST_ADDRESS, widget=widget, required=required)


class ClaimForm(forms.Form):
    handle = Handle(help_text=CHOSEN_HANDLE)
    display_name = DisplayName(
        help_text=gettext_lazy("What others see. You can change it later. If you leave it empty, it is your handle."),
        required=False,
    )
    password = Password("new-password", help_text=STRONG)

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        if not settings.PYRAMID_PASSWORDS:
            self.fields.pop("password", None)


class SignInForm(forms.Form):
    handle = Handle()
    password = Password("current-password")


class OwnPasswordForm(forms.Form):
    """A form that asks the reader for the password again, if the account has one."""

    password = Password("current-password")

    def __init__(self, player: Player, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        if not has_password(player):
            del self.fields["password"]

    @property
    def own_password(self) -> str:
        return str(self.cleaned_data.get("password", ""))


class ChangePasswordForm(OwnPasswordForm):
    password = Password("current-password", label=gettext_lazy("Current password"))
    new_password = Password("new-password", label=gettext_lazy("New password"), help_text=STRONG)


class NewPasswordForm(forms.Form):
    new_password = Password("new-password", label=gettext_lazy("New password"), help_text=STRONG)

    def __init__(self, user: Player, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)


class MailForm(OwnPasswordForm):
    field_order = ("email", "password")
    email = MailAddress(required=False)


class ResetForm(forms.Form):
    email = MailAddress(required=True)


class RenameForm(forms.Form):
    display_name = DisplayName(help_text=gettext_lazy("What others see. You can change it later."))
