"""Account pages about the sessions and tokens that open an account."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.urls import path
from django.utils.translation import gettext, gettext_lazy

from games.doors.pages import form_page, granted, see_other
from games.doors.scopes import MEANINGS, Scope, Scopes
from games.keys.authentication import key_of_session
from games.keys.keys import end_key, keys_of, make_token
from games.keys.refusals import UnknownKey
from games.players.lookalikes import LONGEST_NAME, require_good_name
from games.players.models import Player
from games.players.readers import for_players, page


class TokenForm(forms.Form):
    name = forms.CharField(
        max_length=LONGEST_NAME,
        validators=[require_good_name],
        label=gettext_lazy("Name"),
        widget=forms.TextInput({"autocomplete": "off"}),
        help_text=gettext_lazy("So that you recognise it: which program, on which machine."),
    )
    scopes = forms.MultipleChoiceField(
        choices=[(scope.value, meaning) for scope, meaning in MEANINGS.items()],
        initial=[scope.value for scope in Scope],
        label=gettext_lazy("What the token may be used for"),
        widget=forms.CheckboxSelectMultiple,
    )

    @property
    def granted(self) -> Scopes:
        return frozenset(map(Scope, self.cleaned_data["scopes"]))


@form_page
@for_players
def keys(request: HttpRequest, player: Player) -> HttpResponse:
    """List sessions and tokens, end one, or make a token, which is shown only once."""
    if "end" in request.POST:
        return end(request, player, see_other("web:keys"))
    current = key_of_session(request.session.session_key or "")
    return page(request, "games/keys.html", {"current": current, **tokens(request, player)}, section="account")


def tokens(request: HttpRequest, player: Player) -> dict[str, Any]:
    """Return what gives access to an account, and the form for a token, or the token that was made with it."""
    form, made = TokenForm(request.POST or None), None
    if form.is_valid():
        made = granted(form, lambda: make_token(player, form.cleaned_data["name"], form.granted))
    return {"keys": keys_of(player), "form": TokenForm() if made else form, "made": made}


def end(request: HttpRequest, player: Player, done: HttpResponse) -> HttpResponse:
    """End the session or token of an account that the form names."""
    try:
        end_key(player, request.POST["end"])
        messages.success(request, gettext("It has ended."))
    except UnknownKey:
        messages.info(request, gettext("It had already ended."))
    return done


urlpatterns = [
    path("account/keys/", keys, name="keys"),
]
