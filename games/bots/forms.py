from django import forms
from django.utils.translation import gettext_lazy

from games.accounts.forms import CHOSEN_HANDLE, DisplayName, Handle, OwnPasswordForm, Password
from games.players.lookalikes import require_good_name


class BotForm(forms.Form):
    handle = Handle(autocomplete="off", help_text=CHOSEN_HANDLE)
    display_name = DisplayName(
        autocomplete="off",
        help_text=gettext_lazy("What others see. If you leave it empty, it is the handle."),
        required=False,
    )


class ModelForm(forms.Form):
    model = forms.CharField(
        label=gettext_lazy("Language model"),
        max_length=40,
        required=False,
        validators=[require_good_name],
        help_text=gettext_lazy("Which one plays this bot, if one does. Everyone sees it."),
    )


class DeleteBotForm(OwnPasswordForm):
    password = Password("current-password", label=gettext_lazy("Your password"))
    confirm = forms.BooleanField(label=gettext_lazy("Yes, delete this bot. I know that this cannot be undone."))
