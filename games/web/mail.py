"""Account pages about the mail address, and about a forgotten password."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from django.contrib import messages
from django.contrib.auth.views import INTERNAL_RESET_SESSION_TOKEN, PasswordResetConfirmView
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters

from games.errors import BadMailAddress, WeakPassword, WrongPassword
from games.kit.mail import is_configured
from games.kit.pages import for_named, for_players, page, reader_of
from games.models import Player
from games.services.mail import address_in_link, ask_to_confirm, ask_to_reset, confirm, forget_address
from games.services.passwords import set_password
from games.web.account_forms import MailForm, NewPasswordForm, ResetForm, granted
from games.web.pages import explanation, pages, see_other

FIELDS = {BadMailAddress: "email", WrongPassword: "password"}


@pages
@never_cache
@sensitive_post_parameters()
@for_named
def mail(request: HttpRequest, player: Player) -> HttpResponse:
    """Show the mail address; ask to confirm another one, or remove it."""
    form = MailForm(request.POST or None)
    if form.is_valid():
        asked = form.cleaned_data
        if "forget" in request.POST or not asked["email"]:
            done = _done(form, lambda: forget_address(player, asked["password"], request))
            said = gettext("Your mail address has been removed.")
        else:
            done = _done(form, lambda: ask_to_confirm(player, asked["email"], asked["password"], request))
            said = gettext("A mail is on its way. Open the link in it to confirm the address.")
        if done:
            messages.success(request, said)
            return see_other("web:mail")
    shown = {"form": form, "address": player.email, "sends_mail": is_configured()}
    return page(request, "games/mail.html", shown, section="account")


@pages
@never_cache
@for_players
def confirm_mail(request: HttpRequest, player: Player, link: str) -> HttpResponse:
    """Keep a mail address, after a button: programs that read mail open links too."""
    address = address_in_link(player, link)
    if address is None or (request.method == "POST" and not confirm(player, link)):
        text = gettext("Sign in as the player who asked for it, or ask for another one on your account page.")
        return explanation(request, gettext("This link has expired"), text, status=404, section="account")
    if request.method == "POST":
        messages.success(request, gettext("Your mail address is confirmed."))
        return see_other("web:mail")
    return page(request, "games/mail_confirm.html", {"address": address}, section="account")


@pages
@never_cache
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
