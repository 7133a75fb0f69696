"""Account pages: claim an account, sign in and out, change name, password and mail address."""

from collections.abc import Callable
from functools import wraps
from typing import Any, cast

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login, logout
from django.contrib.auth.views import INTERNAL_RESET_SESSION_TOKEN, PasswordResetConfirmView
from django.forms import Form
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import path, reverse
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST

from games.accounts import accounts
from games.accounts.accounts import Wanted, register, rename
from games.accounts.claim_links import LinkEnded, guest_of_link
from games.accounts.forms import (
    ChangePasswordForm,
    ClaimForm,
    MailForm,
    NewPasswordForm,
    RenameForm,
    ResetForm,
    SignInForm,
)
from games.accounts.mail import address_in_link, ask_to_confirm, ask_to_reset, confirm, forget_address, was_mailed
from games.accounts.password_backend import BACKEND, stay_signed_in
from games.accounts.passwords import (
    change_password,
    has_password,
    require_password,
    require_passwords,
    set_password,
)
from games.accounts.refusals import BadMailAddress, PasswordsOff, WeakPassword, WrongPassword
from games.doors.mail import is_configured
from games.doors.pages import forgotten_by_browser, form_page, granted, own_address, see_other, sentence
from games.keys.keys import end_keys
from games.players.models import Player
from games.players.readers import explanation, for_named, for_players, page, reader_of, sign_in_first
from games.runtime.clock import clock

ONWARD_SECONDS = 10 * 60
_ONWARD = "onward"


def _about_passwords(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Answer with a sentence instead of a page on a server where nobody signs in with a password."""

    @wraps(view)
    def answer(request: HttpRequest, **parts: str) -> HttpResponseBase:
        try:
            require_passwords()
        except PasswordsOff as off:
            title = gettext("There are no passwords here")
            return explanation(request, title, sentence(off), status=off.status, section="account")
        return view(request, **parts)

    return answer


@form_page
@sensitive_post_parameters()
@for_named
def password(request: HttpRequest, player: Player) -> HttpResponse:
    """Change the password, which signs out everything but this browser."""
    form = ChangePasswordForm(player, request.POST or None)
    if form.is_valid():
        wanted = form.cleaned_data["new_password"]
        fields = {WeakPassword: "new_password", WrongPassword: "password"}
        ended = granted(form, lambda: change_password(player, form.own_password, wanted, request), fields)
        if ended is not None:
            stay_signed_in(request, player)
            messages.success(request, gettext("Your password has been changed. Everything else is signed out."))
            return see_other("web:account")
    shown = {"form": form, "has_password": has_password(player)}
    return page(request, "games/password.html", shown, section="account")


@form_page
@for_players
def account(request: HttpRequest, player: Player) -> HttpResponse:
    """Show the account, and change its name."""
    form = RenameForm(request.POST or None, initial={"display_name": player.display_name})
    if form.is_valid() and granted(form, lambda: rename(player, form.cleaned_data["display_name"])) is not None:
        return redirect("web:account")
    shown = {"player": player, "form": form, "passwords": settings.PYRAMID_PASSWORDS}
    return page(request, "games/account.html", shown, section="account")


@form_page
@sensitive_post_parameters()
def claim_account(request: HttpRequest) -> HttpResponse:
    """Create a named account: from the guest in this browser, or a new one."""
    reader = reader_of(request)
    if reader is not None and not reader.is_guest:
        return redirect("web:account")
    return _claim_page(request, reader)


@form_page
@sensitive_post_parameters()
def claim_by_link(request: HttpRequest, link: str) -> HttpResponse:
    """Create a named account from the guest of a program, who asked for this link."""
    try:
        return _claim_page(request, guest_of_link(link), by_link=True)
    except LinkEnded:
        text = gettext("It has been used, or it is more than 15 minutes old. Ask the program for another one.")
        return explanation(request, gettext("This link has expired"), text, status=404, section="account")


def _claim_page(request: HttpRequest, guest: Player | None, *, by_link: bool = False) -> HttpResponse:
    form = ClaimForm(request.POST or None, initial={"display_name": guest.display_name if guest else ""})
    if settings.PYRAMID_PASSWORDS and form.is_valid():
        asked = form.cleaned_data
        wanted = Wanted(asked["handle"], asked["display_name"] or None, asked["password"])
        player = granted(form, lambda: register(guest, wanted, request, clock.now()))
        if player is not None:
            if by_link:  # the account is a person's from now on, and no longer the program's
                player = _without_keys(player)
            return signed_in(request, player)
    shown = {"form": form, "guest": guest, "by_link": by_link} | _ways(request)
    return page(request, "games/claim.html", shown, section="account")


@form_page
@sensitive_post_parameters()
def sign_in(request: HttpRequest) -> HttpResponse:
    reader = reader_of(request)
    if reader is not None and not reader.is_guest:
        return redirect("web:account")
    form = SignInForm(request.POST or None)
    if form.is_valid():
        asked = form.cleaned_data
        if player := granted(form, lambda: require_password(asked["handle"], asked["password"], request)):
            return signed_in(request, player)
    return page(request, "games/sign_in.html", {"form": form} | _ways(request), section="account")


def _ways(request: HttpRequest) -> dict[str, object]:
    """Return the ways to sign in that the operator offers, beside passkeys, and where signing in leads."""
    ways = {"passwords": settings.PYRAMID_PASSWORDS, "issuers": settings.PYRAMID_SIGN_IN_WITH}
    return ways | {"onward": onward_of(request)}


@require_POST
def sign_out(request: HttpRequest) -> HttpResponse:
    """End this session, or everything that gives access to the account."""
    player = reader_of(request)
    if player is not None and "everywhere" in request.POST:
        accounts.sign_out(player, None, everywhere=True)
    logout(request)
    return forgotten_by_browser(redirect("web:home"))


def _without_keys(player: Player) -> Player:
    end_keys(player)
    player.refresh_from_db()
    return player


def onward_of(request: HttpRequest) -> str:
    """Return the address of this site to which signing in leads, as the page's address or form says; else nothing."""
    return own_address(request, request.POST.get("next") or request.GET.get("next", ""))


def keep_onward(request: HttpRequest) -> None:
    """Keep for ten minutes where a visitor wants to go who proves elsewhere who they are."""
    request.session[_ONWARD] = onward_of(request), clock.now().timestamp() + ONWARD_SECONDS


def signed_in(request: HttpRequest, player: Player) -> HttpResponse:
    """Sign in, and lead to where the visitor came from, or to the account."""
    kept, until = request.session.pop(_ONWARD, ("", 0))
    address = onward_of(request) or (kept if clock.now().timestamp() < until else "")
    login(request, player, BACKEND)
    return HttpResponseRedirect(address or reverse("web:account"))


FIELDS = {BadMailAddress: "email", WrongPassword: "password"}


@form_page
@sensitive_post_parameters()
@for_named
def mail(request: HttpRequest, player: Player) -> HttpResponse:
    """Show the mail address; ask to confirm another one, or remove it."""
    form = MailForm(player, request.POST or None)
    if form.is_valid():
        address = form.cleaned_data["email"]
        if "forget" in request.POST or not address:
            done = _done(form, lambda: forget_address(player, form.own_password, request))
            message = gettext("Your mail address has been removed.")
        else:
            done = _done(form, lambda: ask_to_confirm(player, address, form.own_password, request))
            message = gettext("A mail is on its way. Open the link in it to confirm the address.")
        if done:
            messages.success(request, message)
            return see_other("web:mail")
    shown = {"form": form, "address": player.email, "sends_mail": is_configured()}
    return page(request, "games/mail.html", shown, section="account")


@form_page
def confirm_mail(request: HttpRequest, link: str) -> HttpResponse:
    """Keep a mail address, after a button: programs that read mail open links too."""
    player = reader_of(request)
    if player is None and was_mailed(link):  # the mail is read on another device
        return sign_in_first(request, None)
    address = address_in_link(player, link) if player else None
    if player is None or address is None or (request.method == "POST" and not confirm(player, link)):
        text = gettext("Sign in as the player who asked for it, or ask for another one on your account page.")
        return explanation(request, gettext("This link has expired"), text, status=404, section="account")
    if request.method == "POST":
        messages.success(request, gettext("Your mail address is confirmed."))
        return see_other("web:mail")
    return page(request, "games/mail_confirm.html", {"address": address}, section="account")


@form_page
def reset(request: HttpRequest) -> HttpResponse:
    """Request a mail to replace a forgotten password; the answer does not depend on whether anyone has the address."""
    form = ResetForm(request.POST or None)
    if is_configured() and form.is_valid() and _done(form, lambda: ask_to_reset(form.cleaned_data["email"], request)):
        return page(request, "games/reset_sent.html", section="account")
    return page(request, "games/reset.html", {"form": form, "sends_mail": is_configured()}, section="account")


class NewPassword(PasswordResetConfirmView):
    """Django's own page of a reset link: it takes the token out of the address, into the session."""

    template_name = "games/new_password.html"
    form_class = NewPasswordForm  # type: ignore[assignment]  # with one field, as everywhere here

    def form_valid(self, form: Any) -> HttpResponse:
        wanted, player = form.cleaned_data["new_password"], cast(Player, self.user)
        ended = granted(form, lambda: set_password(player, wanted, self.request), {WeakPassword: "new_password"})
        if ended is None:
            return self.form_invalid(form)
        del self.request.session[INTERNAL_RESET_SESSION_TOKEN]
        messages.success(self.request, gettext("Your password has been changed. Sign in with it."))
        return redirect("web:sign-in")

    def get_context_data(self, **context: Any) -> dict[str, Any]:
        return super().get_context_data(**context) | {"reader": reader_of(self.request), "section": "account"}


def _done(form: Form, ask: Callable[[], object]) -> bool:
    """Return True if a service succeeded; otherwise the form says why it did not."""
    return granted(form, lambda: (ask(),), FIELDS) is not None


urlpatterns = [
    path("account/", account, name="account"),
    path("account/claim/", claim_account, name="claim"),
    path("account/claim/<str:link>/", claim_by_link, name="claim-link"),
    path("account/password/", _about_passwords(password), name="password"),
    path("account/mail/", mail, name="mail"),
    path("account/mail/<str:link>/", confirm_mail, name="confirm-mail"),
    path("account/reset/", _about_passwords(reset), name="reset"),
    path(
        "account/reset/<uidb64>/<token>/",
        _about_passwords(sensitive_post_parameters()(never_cache(NewPassword.as_view()))),
        name="new-password",
    ),
    path("account/sign-in/", sign_in, name="sign-in"),
    path("account/sign-out/", sign_out, name="sign-out"),
]
