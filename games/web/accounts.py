"""Pages of the account: claim it, sign in and out, change the name."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

from django import forms
from django.contrib.auth import login, logout
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST
from rest_framework.exceptions import Throttled
from rest_framework.throttling import BaseThrottle

from games.errors import BadHandle, HandleReserved, HandleTaken, SignInFailed, WeakPassword
from games.kit.authentication import token_holder
from games.kit.errors import Refusal
from games.models import Player
from games.services.accounts import claim, create_account, rename, require_password
from games.services.throttling import count_attempt
from games.web.account_forms import ClaimForm, RenameForm, SignInForm
from games.web.views import reader_of

# At which field a refusal is shown; others stand above the form.
FIELDS: dict[type[Refusal], str] = {
    BadHandle: "handle",
    HandleReserved: "handle",
    HandleTaken: "handle",
    WeakPassword: "password",
}
BACKEND = "django.contrib.auth.backends.ModelBackend"
pages = require_http_methods(["GET", "HEAD", "POST"])


@pages
@never_cache
def account(request: HttpRequest) -> HttpResponse:
    """Show who one is, and change the name."""
    player = reader_of(request)
    if player is None:
        return redirect("web:sign-in")
    form = RenameForm(request.POST or None, initial={"display_name": player.display_name})
    if form.is_valid():
        rename(player, form.cleaned_data["display_name"])
        return redirect("web:account")
    return render(request, "games/account.html", {"player": player, "form": form})


@pages
@never_cache
@sensitive_post_parameters()
def claim_account(request: HttpRequest) -> HttpResponse:
    """Make a named account, of a guest whose token one has or of a new one."""
    if reader_of(request) is not None:
        return redirect("web:account")
    form = ClaimForm(request.POST or None)
    if form.is_valid() and (player := _granted(form, lambda: _claim(request, form))):
        return _signed_in(request, player)
    return render(request, "games/claim.html", {"form": form})


@pages
@never_cache
@sensitive_post_parameters()
def sign_in(request: HttpRequest) -> HttpResponse:
    if reader_of(request) is not None:
        return redirect("web:account")
    form = SignInForm(request.POST or None)
    if form.is_valid():
        asked = form.cleaned_data
        if player := _granted(form, lambda: require_password(asked["handle"], asked["password"], _address(request))):
            return _signed_in(request, player)
    return render(request, "games/sign_in.html", {"form": form})


@require_POST
def sign_out(request: HttpRequest) -> HttpResponse:
    logout(request)
    return redirect("web:home")


def _address(request: HttpRequest) -> str:
    address: str = BaseThrottle().get_ident(request)  # type: ignore[arg-type]  # it reads only what both kinds have
    return address


def _claim(request: HttpRequest, form: ClaimForm) -> Player:
    asked = form.cleaned_data
    fields = asked["handle"], asked["display_name"], asked["password"], datetime.now(UTC)
    if not asked["token"]:
        count_attempt("guests", _address(request))
        return create_account(*fields)
    player = token_holder(asked["token"])
    if player is None:
        raise SignInFailed("no guest has this token")
    return claim(player, *fields)


def _granted(form: forms.Form, ask: Callable[[], Player]) -> Player | None:
    """Return what is asked for, or None with the reason in the form."""
    try:
        return ask()
    except Throttled as refusal:
        form.add_error(
            None, f"Too many attempts. Try again in {int(getattr(refusal, 'wait', None) or 0) // 60 + 1} minutes."
        )
    except Refusal as refusal:
        text = str(refusal)
        form.add_error(FIELDS.get(type(refusal)), f"{text[0].upper()}{text[1:]}{'' if text.endswith('.') else '.'}")
    return None


def _signed_in(request: HttpRequest, player: Player) -> HttpResponse:
    login(request, player, BACKEND)
    return redirect("web:account")
