"""Pages to sign in with what an issuer confirms, and to change with what one signs in."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from http import HTTPStatus

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import path
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_POST
from rest_framework.exceptions import Throttled

from games.accounts.pages import keep_onward, signed_in
from games.accounts.passwords import has_password, is_confirmed, note_confirmation, require_own_password
from games.doors.pages import form_page, granted, see_other, sentence
from games.doors.refusals import Refusal
from games.identities.forms import NewAccountForm, PasskeyForm, WaysForm, handle_from
from games.identities.identities import holder_of, link, register_with, unlink
from games.identities.issuers import Issuer, find_issuer, label_of
from games.identities.models import PASSKEY, Identity
from games.identities.passkeys import host_of_passkeys
from games.identities.proving import Proof, Purpose, address_to_prove, is_in_time, proof_in, proof_of_proxy
from games.identities.refusals import IdentityTaken
from games.players.models import Player
from games.players.readers import explanation, for_named, page, reader_of
from games.runtime.addresses import address_of_request
from games.runtime.clock import clock
from games.runtime.limits import Hit, count

_PROVED = "proved"

PageOfIssuer = Callable[[HttpRequest, Issuer], HttpResponse]


def for_issuer(view: PageOfIssuer) -> Callable[..., HttpResponseBase]:
    """Give a page the issuer of a name; there is no page for one that the operator does not trust."""

    def shown(request: HttpRequest, issuer: str) -> HttpResponse:
        found = find_issuer(issuer)
        if found is None:
            raise Http404(f"nobody signs in with {issuer!r} here")
        return view(request, found)

    return explained(shown)


def explained(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponseBase]:
    """Have a page say why it was refused."""

    def shown(request: HttpRequest, **named: str) -> HttpResponse:
        try:
            return view(request, **named)
        except (Refusal, Throttled) as refusal:
            title, status = gettext("You are not signed in"), status_of(refusal)
            return explanation(request, title, sentence(refusal), status=status, section="account")

    return never_cache(shown)


@require_POST
@for_issuer
def sign_in_with(request: HttpRequest, issuer: Issuer) -> HttpResponse:
    """Send the visitor to an issuer, to prove who they are."""
    return _sent(request, issuer, Purpose.SIGN_IN)


@require_GET
@for_issuer
def back(request: HttpRequest, issuer: Issuer) -> HttpResponse:
    """Take what an issuer sends back: sign in, make an account, add the identity to one, or only confirm."""
    now = clock.now()
    return _taken(request, issuer, *proof_in(request, issuer, now), now)


def _taken(request: HttpRequest, issuer: Issuer, proof: Proof, purpose: Purpose, now: datetime) -> HttpResponse:
    reader = reader_of(request)
    if reader is None or reader.is_guest:
        return _sign_in(request, proof, now)
    if purpose is Purpose.LINK:
        link(reader, proof, now)
        messages.success(request, gettext("From now on you can sign in with %(issuer)s.") % {"issuer": issuer.label})
    elif holder_of(proof, now) == reader:
        thank(request, now)
    else:
        raise IdentityTaken("another account has this identity, or none")
    return see_other("web:ways-in")


def thank(request: HttpRequest, now: datetime) -> None:
    """Note that the player has just proved again who they are, and say so."""
    note_confirmation(request, now)
    messages.success(request, gettext("Thank you. For ten minutes you can change how you sign in."))


@form_page
def new_account(request: HttpRequest) -> HttpResponse:
    """Make a named account for somebody whom an issuer has just confirmed, from the guest in this browser if any."""
    reader, proof = reader_of(request), _kept(request)
    if proof is None or (reader is not None and not reader.is_guest):
        return redirect("web:account")
    initial = {"handle": handle_from(proof.suggested), "display_name": reader.display_name if reader else ""}
    form = NewAccountForm(request.POST or None, initial=initial)
    if form.is_valid():
        wanted = form.cleaned_data["handle"], form.cleaned_data["display_name"] or None
        if player := granted(form, lambda: register_with(reader, *wanted, proof, request)):
            del request.session[_PROVED]
            return signed_in(request, player)
    shown = {"form": form, "guest": reader, "issuer": label_of(proof.issuer)}
    return page(request, "games/new_account.html", shown, section="account")


@form_page
@sensitive_post_parameters()
@for_named
def ways_in(request: HttpRequest, player: Player) -> HttpResponse:
    """Show with what one signs in; add or remove a way."""
    form = WaysForm(player, request.POST or None)
    if form.is_valid() and (answer := granted(form, lambda: _changed(request, player, form.own_password))):
        return answer
    identities = list(player.identities.all())
    shown = {
        "form": form,
        "passkey_form": PasskeyForm(),
        "player": player,
        "identities": [(identity, _label(identity)) for identity in identities],
        "has_passkey": any(identity.issuer == PASSKEY for identity in identities),
        "issuers": settings.PYRAMID_SIGN_IN_WITH,
        "may_change": settings.PYRAMID_SIGN_IN_WITH or identities or host_of_passkeys(request),
        "has_password": has_password(player),
        "may_choose_password": settings.PYRAMID_PASSWORDS and not player.has_usable_password(),
        "is_confirmed": has_password(player) or is_confirmed(player, request),
    }
    return page(request, "games/ways_in.html", shown, section="account")


def _label(identity: Identity) -> str:
    return identity.name or gettext("Passkey") if identity.issuer == PASSKEY else label_of(identity.issuer)


def _changed(request: HttpRequest, player: Player, password: str) -> HttpResponse:
    """Do what a button of the page asks. Raises what `unlink` and `address_to_prove` raise."""
    asked = request.POST
    if (issuer := find_issuer(asked.get("confirm", ""))) is not None:
        return _sent(request, issuer, Purpose.CONFIRM)
    if (issuer := find_issuer(asked.get("link", ""))) is not None:
        require_own_password(player, password, request)
        return _sent(request, issuer, Purpose.LINK)
    if unlink(player, asked.get("remove", ""), password, request):
        messages.success(request, gettext("You can no longer sign in with it."))
    return see_other("web:ways-in")


def _sign_in(request: HttpRequest, proof: Proof, now: datetime) -> HttpResponse:
    player = holder_of(proof, now)
    if player is None:
        request.session[_PROVED] = [*proof, now.timestamp()]
        return redirect("web:new-account")
    return signed_in_unless_closed(request, player)


def signed_in_unless_closed(request: HttpRequest, player: Player) -> HttpResponse:
    """Sign in the holder of an identity, whose account may be closed."""
    if not player.is_active:
        return explanation(
            request,
            gettext("This account is closed"),
            gettext("Nobody can sign in to it."),
            status=HTTPStatus.FORBIDDEN,
        )
    return signed_in(request, player)


def _kept(request: HttpRequest) -> Proof | None:
    """Return who was confirmed in this browser a short time ago, and has no account yet."""
    *proof, at = request.session.get(_PROVED, ["", "", "", 0])
    return Proof(*proof) if is_in_time(at, clock.now()) else None


def _sent(request: HttpRequest, issuer: Issuer, purpose: Purpose) -> HttpResponse:
    """Send the visitor on by a page of its own: a redirect of a form to another site is what our policy forbids.

    A proxy has said already who the visitor is. Whatever it is for, it counts as an attempt to sign in.
    """
    count(Hit("sign_in_address", address_of_request(request)))
    now = clock.now()
    if issuer.header:
        return _taken(request, issuer, proof_of_proxy(request, issuer), purpose, now)
    keep_onward(request)
    address = address_to_prove(request, issuer, purpose, now)
    answer = page(request, "games/sent_to_issuer.html", {"issuer": issuer.label, "address": address}, section="account")
    answer.headers["refresh"] = f"0;url={address}"
    return answer


def status_of(refusal: Exception) -> int:
    """Return the status of an answer that refuses."""
    return int(HTTPStatus.TOO_MANY_REQUESTS if isinstance(refusal, Throttled) else getattr(refusal, "status"))  # noqa: B009


urlpatterns = [
    path("account/ways/", ways_in, name="ways-in"),
    path("account/with/", new_account, name="new-account"),
    path("account/with/<slug:issuer>/", sign_in_with, name="sign-in-with"),
    path("account/with/<slug:issuer>/back/", back, name="sign-in-back"),
]
