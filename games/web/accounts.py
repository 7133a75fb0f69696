"""Account pages: claim an account, sign in and out, change the name."""

from __future__ import annotations

from datetime import UTC, datetime

from django.contrib.auth import login, logout
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST

from games.kit.pages import for_players, page, reader_of
from games.kit.passwords import BACKEND
from games.models import Player
from games.services.accounts import Wanted, register, rename
from games.services.accounts import sign_out as end_everything
from games.services.claim_links import LinkEnded, guest_of_link
from games.services.passwords import require_password
from games.web.account_forms import ClaimForm, RenameForm, SignInForm, granted
from games.web.pages import explanation, pages


@pages
@never_cache
@for_players
def account(request: HttpRequest, player: Player) -> HttpResponse:
    """Show the account, and change its name."""
    form = RenameForm(request.POST or None, initial={"display_name": player.display_name})
    if form.is_valid() and granted(form, lambda: rename(player, form.cleaned_data["display_name"])) is not None:
        return redirect("web:account")
    return page(request, "games/account.html", {"player": player, "form": form}, section="account")


@pages
@never_cache
@sensitive_post_parameters()
def claim_account(request: HttpRequest) -> HttpResponse:
    """Create a named account: from the guest in this browser, or a new one."""
    reader = reader_of(request)
    if reader is not None and not reader.is_guest:
        return redirect("web:account")
    return _claim_page(request, reader)


@pages
@never_cache
@sensitive_post_parameters()
def claim_by_link(request: HttpRequest, link: str) -> HttpResponse:
    """Create a named account from the guest of a program, who asked for this link."""
    try:
        return _claim_page(request, guest_of_link(link), by_link=True)
    except LinkEnded:
        text = _("It has been used, or it is more than 15 minutes old. Ask the program for another one.")
        return explanation(request, _("This link has expired"), text, status=404, section="account")


def _claim_page(request: HttpRequest, guest: Player | None, *, by_link: bool = False) -> HttpResponse:
    form = ClaimForm(request.POST or None, initial={"display_name": guest.display_name if guest else ""})
    if form.is_valid():
        asked = form.cleaned_data
        wanted = Wanted(asked["handle"], asked["display_name"] or None, asked["password"])
        player = granted(form, lambda: register(guest, wanted, request, datetime.now(UTC)))
        if player is not None:
            return _signed_in(request, player)
    return page(request, "games/claim.html", {"form": form, "guest": guest, "by_link": by_link}, section="account")


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
        if player := granted(form, lambda: require_password(asked["handle"], asked["password"], request)):
            return _signed_in(request, player)
    return page(request, "games/sign_in.html", {"form": form}, section="account")


@require_POST
def sign_out(request: HttpRequest) -> HttpResponse:
    """End this session, or everything that gives access to the account."""
    player = reader_of(request)
    if player is not None and "everywhere" in request.POST:
        end_everything(player, None, everywhere=True)
    logout(request)
    return redirect("web:home")


def _signed_in(request: HttpRequest, player: Player) -> HttpResponse:
    login(request, player, BACKEND)
    return redirect("web:account")
