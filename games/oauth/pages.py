"""Pages about apps: allow one, on this device or another, end that, and register one."""

from __future__ import annotations

from datetime import datetime
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.urls import path
from django.utils.translation import gettext
from rest_framework.exceptions import Throttled

from games.doors.pages import form_page, granted, see_other, sentence
from games.doors.refusals import Refusal
from games.doors.scopes import MEANINGS, Scopes, in_order, scopes_in
from games.oauth.devices import decide, find_device
from games.oauth.forms import AppForm, CodeForm
from games.oauth.granting import allow, allowed_by, code_for, end_grants
from games.oauth.models import App, Grant
from games.oauth.registering import register_app, remove_app
from games.oauth.server import Consent, Refused, answer_to, consent_asked
from games.players.models import Player
from games.players.readers import explanation, for_named, page, reader_of, sign_in_first
from games.players.refusals import NameReserved
from games.runtime.addresses import address_of_request
from games.runtime.clock import clock
from games.runtime.limits import Hit, count


@form_page
def consent(request: HttpRequest) -> HttpResponse:
    """Ask whether an app is allowed what it asks for. Each time: an app alone cannot have us answer for its player."""
    try:
        asked = consent_asked(request)
    except Refused as refused:
        return _refused(request, refused)
    reader = reader_of(request)
    if reader is None or reader.is_guest:
        return sign_in_first(request, reader)
    if request.method == "POST":
        return _decision(request, reader, asked)
    host = urlsplit(asked.address).hostname
    return page(request, "games/consent.html", {**_shown(reader, asked.app, asked.scopes), "host": host})


@form_page
@for_named
def device(request: HttpRequest, reader: Player) -> HttpResponse:
    """Take the code that a device shows, and ask whether its app is allowed what it asks for.

    Nothing is taken from the address: a link that somebody sends cannot fill in the code.
    """
    form, now = CodeForm(request.POST or None), clock.now()
    if form.is_valid() and (answer := granted(form, lambda: _of_device(request, reader, form, now))):
        return answer
    return page(request, "games/device.html", {"form": form}, section="account")


@form_page
@for_named
def allowed_apps(request: HttpRequest, player: Player) -> HttpResponse:
    """List what a player allows apps, and end it."""
    if request.method == "POST":
        end_grants(Grant.objects.filter(player=player, app=request.POST.get("revoke", "")))
        messages.success(request, gettext("The app has no access to your account."))
        return see_other("web:allowed-apps")
    shown = [(one, [(scope, MEANINGS[scope]) for scope in one.scopes]) for one in allowed_by(player)]
    return page(request, "games/allowed_apps.html", {"allowed": shown}, section="account")


@form_page
@for_named
def own_apps(request: HttpRequest, player: Player) -> HttpResponse:
    """List the apps that a player has registered; register one, or remove it."""
    if "remove" in request.POST:
        for app in player.apps.filter(pk=request.POST["remove"]):
            remove_app(app)
            messages.success(request, gettext("The app is removed, and nobody allows it anything."))
        return see_other("web:own-apps")
    form = AppForm(request.POST or None)
    if form.is_valid():
        wanted = form.cleaned_data["name"], form.cleaned_data["addresses"].split()
        if granted(form, lambda: register_app(player, *wanted, clock.now()), {NameReserved: "name"}):
            messages.success(request, gettext("The app is registered."))
            return see_other("web:own-apps")
    shown = [(app, app.addresses.split()) for app in player.apps.all()]
    return page(request, "games/own_apps.html", {"form": form, "apps": shown}, section="account")


def _shown(reader: Player, app: App, scopes: Scopes) -> dict[str, Any]:
    """Return what a page says of an app that asks for something."""
    return {"app": app, "asked": [MEANINGS[scope] for scope in in_order(scopes)], "player": reader}


def _of_device(request: HttpRequest, reader: Player, form: CodeForm, now: datetime) -> HttpResponse:
    """Ask about the device that shows a code, or take the answer. Raises what `find_device` and `count` raise.

    Each attempt counts, also a right one.
    """
    count(Hit("typed_codes", address_of_request(request)), Hit("typed_codes", f"player {reader.pk}"))
    found = find_device(form.cleaned_data["code"], now)
    if not {"allow", "deny"} & {*request.POST}:
        shown = {**_shown(reader, found.app, scopes_in(found.scopes)), "code": form.cleaned_data["code"]}
        return page(request, "games/device_consent.html", shown, section="account")
    is_allowed = "allow" in request.POST
    decide(found, reader, now, is_allowed=is_allowed)
    said = gettext("Done. Go on with your device.") if is_allowed else gettext("The device gets nothing.")
    messages.success(request, said)
    return see_other("web:allowed-apps")


def _decision(request: HttpRequest, reader: Player, asked: Consent) -> HttpResponse:
    if "allow" not in request.POST:
        return _sent(request, asked.app, answer_to(request, asked.address, asked.state, error="access_denied"))
    try:
        return _sent(request, asked.app, _granted(request, reader, asked))
    except (Refusal, Throttled) as refusal:
        return explanation(request, gettext("The app is not allowed"), sentence(refusal), status=HTTPStatus.CONFLICT)


def _granted(request: HttpRequest, reader: Player, asked: Consent) -> str:
    """Return where to send a player who has allowed an app something. Raises `Throttled` or `SignInFailed`."""
    now = clock.now()
    count(Hit("app_consents", str(reader.pk)))
    code = code_for(allow(reader, asked.app, asked.scopes, now), asked.address, asked.challenge, now)
    return answer_to(request, asked.address, asked.state, code=code)


def _sent(request: HttpRequest, app: App, address: str) -> HttpResponse:
    """Send the player on by a page of its own: a redirect of a form to another site is what our policy forbids."""
    answer = page(request, "games/sent_to_app.html", {"app": app, "address": address})
    answer.headers["refresh"] = f"0;url={address}"
    answer.headers["Referrer-Policy"] = "no-referrer"
    return answer


def _refused(request: HttpRequest, refused: Refused) -> HttpResponse:
    """Say that an app asks for something impossible. Nobody is sent anywhere without having pressed a link."""
    address = answer_to(request, refused.address, refused.state, error=refused.code) if refused.address else ""
    shown = {"code": refused.code, "address": address}
    return page(request, "games/app_refused.html", shown, status=HTTPStatus.BAD_REQUEST)


urlpatterns = [
    path("oauth/authorize/", consent, name="consent"),
    path("device/", device, name="device"),
    path("account/apps/", allowed_apps, name="allowed-apps"),
    path("account/apps/own/", own_apps, name="own-apps"),
]
