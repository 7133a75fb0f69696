"""Pages to sign in with a passkey, and to make one: first what to ask of the device, then its answer."""

from __future__ import annotations

from datetime import datetime
from http import HTTPStatus

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import path
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST
from rest_framework.exceptions import Throttled

from games.accounts.accounts import require_possible_handle
from games.accounts.pages import signed_in
from games.accounts.passwords import require_own_password
from games.doors.pages import see_other, sentence
from games.doors.refusals import Refusal
from games.identities.forms import NewAccountForm, PasskeyForm
from games.identities.identities import link, register_with
from games.identities.pages import explained, signed_in_unless_closed, status_of, thank
from games.identities.passkeys import (
    Ceremony,
    holder_of_passkey,
    made_passkey,
    options_to_make,
    options_to_prove,
    take_asked,
)
from games.identities.refusals import IdentityTaken, ProofFailed
from games.players.readers import reader_of
from games.runtime.addresses import address_of_request
from games.runtime.clock import clock
from games.runtime.limits import Hit, count


@require_POST
@never_cache
@sensitive_post_parameters()
def passkey_options(request: HttpRequest) -> HttpResponse:
    """Return what a browser has to ask of a device; whatever it is for, it counts as an attempt to sign in."""
    try:
        count(Hit("sign_in_address", address_of_request(request)))
        return JsonResponse(_options(request, clock.now()))
    except (Refusal, Throttled) as refusal:
        return JsonResponse({"message": sentence(refusal)}, status=status_of(refusal))
    except ValidationError as mistake:
        return JsonResponse({"message": mistake.messages[0]}, status=HTTPStatus.BAD_REQUEST)


def _options(request: HttpRequest, now: datetime) -> dict[str, object]:
    asked, reader = request.POST.get("ceremony", ""), reader_of(request)
    is_named = reader is not None and not reader.is_guest
    if asked not in [*Ceremony] or is_named != (asked in {Ceremony.ADD, Ceremony.CONFIRM}):
        raise ProofFailed("this is asked of nobody, or of somebody else")
    ceremony = Ceremony(asked)
    if ceremony is Ceremony.REGISTER:
        return options_to_make(request, ceremony, now, **_wanted(request))
    if ceremony is Ceremony.ADD and reader is not None:
        require_own_password(reader, request.POST.get("password", ""), request)
        names = {"handle": reader.username, "display_name": reader.display_name}
        return options_to_make(request, ceremony, now, label=_label(request), **names)
    return options_to_prove(request, ceremony, now)


def _wanted(request: HttpRequest) -> dict[str, str]:
    """Return the names of a new account. Raises `ValidationError`, or what `require_possible_handle` raises."""
    form = NewAccountForm(request.POST)
    if not form.is_valid():
        raise ValidationError([error for errors in form.errors.as_data().values() for error in errors])
    require_possible_handle(form.cleaned_data["handle"])
    return {name: form.cleaned_data[name] for name in ("handle", "display_name")}


def _label(request: HttpRequest) -> str:
    """Return what the player calls a new passkey. Raises `ValidationError`."""
    label: str = PasskeyForm.base_fields["passkey_name"].clean(request.POST.get("passkey_name", ""))
    return label


@require_POST
@explained
def passkey(request: HttpRequest) -> HttpResponse:
    """Take what a device answers: sign in, make an account, add the passkey to one, or only confirm."""
    now = clock.now()
    asked = take_asked(request, now)
    answer, reader = request.POST.get("answer", ""), reader_of(request)
    if asked.ceremony == Ceremony.REGISTER:
        made = made_passkey(request, asked, answer)
        return signed_in(request, register_with(reader, asked.handle, asked.display_name or None, made, request))
    if asked.ceremony == Ceremony.SIGN_IN or reader is None:
        return signed_in_unless_closed(request, holder_of_passkey(request, asked, answer, now))
    if asked.ceremony == Ceremony.ADD:
        link(reader, made_passkey(request, asked, answer), now)
        messages.success(request, gettext("From now on you can sign in with this passkey."))
    elif holder_of_passkey(request, asked, answer, now) == reader:
        thank(request, now)
    else:
        raise IdentityTaken("another account has this passkey")
    return see_other("web:ways-in")


urlpatterns = [
    path("account/passkeys/options/", passkey_options, name="passkey-options"),
    path("account/passkeys/", passkey, name="passkey"),
]
