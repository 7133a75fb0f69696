from django import forms
from django.utils.translation import gettext_lazy

from games.accounts.forms import OwnPasswordForm


class DeleteForm(OwnPasswordForm):
    """Delete the account; a guest has no password."""

    confirm = forms.BooleanField(label=gettext_lazy("Yes, delete my account. I know that this cannot be undone."))
