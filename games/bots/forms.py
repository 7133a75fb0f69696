from django import forms
from django.utils.translation import gettext_lazy

from games.accounts.forms import CHOSEN_HANDLE, DisplayName, Handle, OwnPasswordForm, Password


class BotForm(forms.Form):
    handle = Handle(autocomplete="off", help_text=CHOSEN_HANDLE)
    display_name = DisplayName(
        autocomplete="off",
        help_text=gettext_lazy("What others see. If you leave it empty, it is the handle."),
        required=False,
    )


class DeleteBotForm(OwnPasswordForm):
    password = Password("current-password", label=gettext_lazy("Your password"))
    confirm = forms.BooleanField(label=gettext_lazy("Yes, delete this bot. I know that this cannot be undone."))
