"""Account pages: claim an account, sign in and out, change the name."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

from django import forms
from django.contrib.auth import login, logout
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST
from rest_framework.exceptions import Throttled

from games.errors import BadHandle, HandleReserved, HandleTaken, NameReserved, SignInFailed, WeakPassword
from games.kit.errors import Refusal
from games.kit.pages import page, reader_of
from games.kit.passwords import BACKEND
from games.kit.tokens import token_holder
from games.models import Player
from games.services.accounts import Wanted, claim, create_account, rename, require_password
from games.services.accounts import sign_out as end_everything
from games.web.account_forms import ClaimForm, RenameForm, SignInForm
from games.web.reasons import reason


class UnknownGuest(SignInFailed):
    """The token of a guest who wants a handle opens no account."""


# The field at which a refusal is shown; others are shown above the form.
FIELDS: dict[type[Refusal], str] = {
    BadHandle: "handle",
    HandleReserved: "handle",
    HandleTaken: "handle",
    NameReserved: "display_name",
    WeakPassword: "password",
    UnknownGuest: "token",
}
pages = require_http_methods(["GET", "HEAD", "POST"])


@pages
@never_cache
def account(request: HttpRequest) -> HttpResponse:
    """Show the account, and change its name."""
    player = reader_of(request)
    if player is None:
        return redirect("web:sign-in")
    form = RenameForm(request.POST or None, initial={"display_name": player.display_name})
    if form.is_valid() and _granted(form, lambda: rename(player, form.cleaned_data["display_name"])):
        return redirect("web:account")
    return page(request, "games/account.html", {"player": player, "form": form}, section="account")


@pages
@never_cache
@sensitive_post_parameters()
def claim_account(request: HttpRequest) -> HttpResponse:
    """Create a named account: from the guest who is signed in, from a guest's token, or a new one."""
    reader = reader_of(request)
    if reader is not None and not reader.is_guest:
        return redirect("web:account")
    form = ClaimForm(request.POST or None, initial={"display_name": reader.display_name if reader else ""})
    if reader is not None:
        del form.fields["token"]
    if form.is_valid() and (player := _granted(form, lambda: _claim(request, form))):
        return _signed_in(request, player)
    return page(request, "games/claim.html", {"form": form, "guest": reader}, section="account")


@pages
@never_cache
@sensitive_post_parameters()
def sign_in(request: HttpRequest) -> HttpResponse:
    reader = reader_of(request)
    if reader is not None and not reader.is_guest:
        return redirect("web:account")
    form = SignInForm(request.POST or None)
    if form.is_valid():
        asked = form.cleaned_data
        if player := _granted(form, lambda: require_password(asked["handle"], asked["password"], request)):
            return _signed_in(request, player)
    return page(request, "games/sign_in.html", {"form": form}, section="account")


@require_POST
def sign_out(request: HttpRequest) -> HttpResponse:
    """End this session, or everything that opens the account."""
    player = reader_of(request)
    if player is not None and "everywhere" in request.POST:
        end_everything(player, None, everywhere=True)
    logout(request)
    return redirect("web:home")


def _claim(request: HttpRequest, form: ClaimForm) -> Player:
    asked, now = form.cleaned_data, datetime.now(UTC)
    wanted = Wanted(asked["handle"], asked["display_name"], asked["password"])
    reader = reader_of(request)
    if reader is not None:
        return claim(reader, wanted, request, now)
    if not asked["token"]:
        return create_account(wanted, request, now)
    player = token_holder(asked["token"])
    if player is None:
        raise UnknownGuest(_("No guest has this token."))
    return claim(player, wanted, request, now)


def _granted(form: forms.Form, ask: Callable[[], Player]) -> Player | None:
    """Return the result of a service, or None after adding its refusal to the form."""
    try:
        return ask()
    except Throttled as refusal:
        form.add_error(None, reason(refusal))
    except Refusal as refusal:
        form.add_error(FIELDS.get(type(refusal)), reason(refusal))
    return None


def _signed_in(request: HttpRequest, player: Player) -> HttpResponse:
    login(request, player, BACKEND)
    return redirect("web:account")
