"""Account pages about what gives access to an account: the password, sessions and tokens."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters

from games.errors import UnknownKey, WeakPassword, WrongPassword
from games.kit.authentication import key_of_session
from games.kit.pages import for_named, for_players, page
from games.models import Player
from games.services.keys import end_key, keys_of, make_token
from games.services.passwords import change_password
from games.web.account_forms import ChangePasswordForm, TokenForm, granted
from games.web.pages import pages, see_other


@pages
@never_cache
@for_players
def keys(request: HttpRequest, player: Player) -> HttpResponse:
    """List sessions and tokens, end one, or make a token, which is shown only once."""
    if "end" in request.POST:
        return end(request, player, see_other("web:keys"))
    current = key_of_session(request.session.session_key or "")
    return page(request, "games/keys.html", {"current": current, **tokens(request, player)}, section="account")


@pages
@never_cache
@sensitive_post_parameters()
@for_named
def password(request: HttpRequest, player: Player) -> HttpResponse:
    """Change the password, which signs out everything but this browser."""
    form = ChangePasswordForm(request.POST or None)
    if form.is_valid():
        asked = form.cleaned_data
        fields = {WeakPassword: "new_password", WrongPassword: "password"}
        ended = granted(
            form, lambda: change_password(player, asked["password"], asked["new_password"], request), fields
        )
        if ended is not None:
            player.refresh_from_db()
            update_session_auth_hash(request, player)
            messages.success(request, gettext("Your password has been changed. Everything else is signed out."))
            return see_other("web:account")
    return page(request, "games/password.html", {"form": form}, section="account")


def tokens(request: HttpRequest, player: Player) -> dict[str, Any]:
    """Return what gives access to an account, and the form for a token, or the token that was made with it."""
    form, made = TokenForm(request.POST or None), None
    if form.is_valid():
        made = granted(form, lambda: make_token(player, form.cleaned_data["name"]))
    return {"keys": keys_of(player), "form": TokenForm() if made else form, "made": made}


def end(request: HttpRequest, player: Player, done: HttpResponse) -> HttpResponse:
    """End the session or token of an account that the form names."""
    try:
        end_key(player, request.POST["end"])
        messages.success(request, gettext("It has ended."))
    except UnknownKey:
        messages.info(request, gettext("It had already ended."))
    return done
