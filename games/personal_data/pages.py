"""Account pages about a player's data: a copy of it, its deletion, and the privacy notice."""

from datetime import timedelta

from django.conf import settings
from django.contrib.auth import logout
from django.http import FileResponse, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import path
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe
from rest_framework.exceptions import Throttled

from games.accounts.refusals import WrongPassword
from games.doors.pages import forgotten_by_browser, form_page, granted, see_other, sentence
from games.personal_data.cookies import cookies
from games.personal_data.erasure import delete_own_account
from games.personal_data.exports import EXPORT_NAME, exported_file, find_export, request_export
from games.personal_data.forms import DeleteForm
from games.personal_data.holdings import holdings
from games.personal_data.models import DataExport
from games.personal_data.refusals import UnknownExport
from games.players.models import Player
from games.players.readers import explanation, for_players, page
from games.runtime.clock import clock


@form_page
@for_players
def own_data(request: HttpRequest, player: Player) -> HttpResponse:
    """Show the progress of the copy of one's data, or ask for one."""
    mistake = None
    if request.method == "POST":
        try:
            request_export(player, clock.now())
            return see_other("web:own-data")
        except Throttled as refusal:
            mistake = sentence(refusal)
    export = find_export(player)
    until = export.finished_at + timedelta(days=DataExport.DAYS_KEPT) if export and export.finished_at else None
    return page(
        request, "games/own_data.html", {"export": export, "until": until, "mistake": mistake}, section="account"
    )


@require_safe
@never_cache
@for_players
def exported(request: HttpRequest, player: Player) -> HttpResponseBase:
    """Send the copy of the reader's data."""
    try:
        return FileResponse(exported_file(player), as_attachment=True, filename=EXPORT_NAME)
    except UnknownExport:
        return redirect("web:own-data")


@form_page
@sensitive_post_parameters()
@for_players
def delete(request: HttpRequest, player: Player) -> HttpResponse:
    """Delete the account, after a yes and, of a named account, the password."""
    form = DeleteForm(player, request.POST or None)
    if form.is_valid():
        now = clock.now()
        if granted(
            form, lambda: delete_own_account(player, form.own_password, request, now), {WrongPassword: "password"}
        ):
            logout(request)
            text = gettext("Nothing here identifies you any more. Your ranked games stay under a made-up handle.")
            return forgotten_by_browser(explanation(request, gettext("Your account is deleted"), text, status=200))
    return page(request, "games/delete.html", {"form": form, "player": player}, section="account")


@require_safe
@gzip_page
def privacy(request: HttpRequest) -> HttpResponse:
    """Show which data about players is stored, from the same list as exports."""
    kept: dict[str, dict[str, None]] = {}
    for each in holdings():
        kept.setdefault(str(each.what), {})[each.kept_until] = None
    days = {"idle": settings.PYRAMID_IDLE_GUEST_DAYS, "practice": settings.PYRAMID_GUEST_PRACTICE_DAYS}
    return page(request, "games/privacy.html", {"kept": kept.items(), "cookies": cookies(), "days": days})


urlpatterns = [
    path("account/data/", own_data, name="own-data"),
    path("account/data/file/", exported, name="exported"),
    path("account/delete/", delete, name="delete-account"),
    path("privacy/", privacy, name="privacy"),
]
