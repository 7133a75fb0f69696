import re
import unicodedata

from django import forms
from django.utils.translation import gettext_lazy

from games.accounts.accounts import HANDLE, LONGEST_HANDLE
from games.accounts.forms import ClaimForm, OwnPasswordForm
from games.identities.models import LONGEST_LABEL


class NewAccountForm(ClaimForm):
    """A named account that needs no password."""

    password = None  # type: ignore[assignment]  # takes the field away


class WaysForm(OwnPasswordForm):
    """Change how one signs in; the buttons say which way."""


class PasskeyForm(forms.Form):
    """The name of a new passkey; the password stands above it."""

    passkey_name = forms.CharField(
        label=gettext_lazy("Name of the passkey"),
        max_length=LONGEST_LABEL,
        required=False,
        help_text=gettext_lazy("What you call it, such as the device that keeps it."),
    )


def handle_from(suggested: str) -> str:
    """Return a handle like a name that an issuer suggests; nothing if there is none like it."""
    plain = unicodedata.normalize("NFKD", suggested.partition("@")[0]).encode("ascii", "ignore").decode().lower()
    handle = re.sub("[^a-z0-9]+", "-", plain)[:LONGEST_HANDLE].strip("-")
    return handle if HANDLE.fullmatch(handle) else ""
