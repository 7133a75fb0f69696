"""The admin as staff see it: named after the project, with its own bar."""

from typing import Any, NamedTuple

from django.contrib.admin import AdminSite
from django.contrib.admin.forms import AdminAuthenticationForm
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, URLResolver, path, reverse
from django.utils.functional import Promise, SimpleLazyObject
from django.utils.translation import gettext_lazy as _
from rest_framework.exceptions import Throttled

from games.accounts.passwords import has_password
from games.doors.options import chosen_options
from games.doors.pages import sentence
from games.players.readers import reader_of


class Section(NamedTuple):
    """A link in the bar, shown to those who may open it."""

    title: str | Promise
    route: str
    permission: str | None = None


SECTIONS = (
    Section(_("Start"), "admin:index"),
    Section(_("Moderation"), "admin:review", "leaderboards.review_case"),
    Section(_("Players"), "admin:games_player_changelist", "games.view_player"),
    Section(_("Games"), "admin:games_game_changelist", "games.view_game"),
    Section(_("Days"), "admin:games_dailydeal_changelist", "games.view_dailydeal"),
    Section(_("Boards"), "admin:leaderboards_board_changelist", "leaderboards.view_board"),
    Section(_("Decisions"), "admin:review-decisions", "leaderboards.review_case"),
    Section(_("Detectors"), "admin:review-detectors", "leaderboards.review_case"),
)


class StaffSignInForm(AdminAuthenticationForm):
    """The sign-in of the admin, which explains in words when there were too many attempts."""

    def clean(self) -> dict[str, Any]:
        try:
            return super().clean()
        except Throttled as refusal:
            raise ValidationError(sentence(refusal)) from refusal


class ProjectAdmin(AdminSite):
    site_header = site_title = "Pyramid Server"
    index_title = _("Start")
    enable_nav_sidebar = False
    login_form = StaffSignInForm

    def get_urls(self) -> list[URLPattern | URLResolver]:
        """Return the admin's addresses with those of the desk before them."""
        from leaderboards.desk.urls import PAGES  # noqa: PLC0415  it imports what is registered here

        own = [path(route, self.admin_view(view), name=name) for route, view, name in PAGES]
        return [*own, *super().get_urls()]

    def index(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> TemplateResponse:
        from leaderboards.desk.start import today_of  # noqa: PLC0415

        return super().index(request, {**(extra_context or {}), **today_of(request)})

    def get_app_list(self, request: HttpRequest, app_label: str | None = None) -> Any:
        """Return the models once somebody asks: every page is given them, for the bar at the side that it has not."""
        return SimpleLazyObject(lambda: AdminSite.get_app_list(self, request, app_label))

    def password_change(self, request: HttpRequest, *_: Any) -> HttpResponse:  # type: ignore[override]  # a redirect
        """Lead to the page of all accounts: Django's own neither counts attempts nor ends tokens and sockets."""
        return redirect("web:password")

    def password_change_done(self, request: HttpRequest, *_: Any) -> HttpResponse:  # type: ignore[override]
        return redirect("web:account")

    def each_context(self, request: HttpRequest) -> dict[str, Any]:
        """Return what every page shows: the sections of the bar and whether the site is read by day or by night."""
        reader = reader_of(request)
        return {
            **super().each_context(request),
            "has_password": reader is not None and has_password(reader),
            "sections": list(_sections(request)),
            "schemes": " ".join(option for option in chosen_options(request) if option in {"light", "dark"}),
        }


def _sections(request: HttpRequest) -> list[dict[str, Any]]:
    """Return the sections that a reader may open; the one with the longest common address is the current one."""
    may = [one for one in SECTIONS if one.permission is None or request.user.has_perm(one.permission)]
    addresses = {one.title: reverse(one.route) for one in may}
    fitting = [address for address in addresses.values() if request.path.startswith(address)]
    current = max(fitting, key=len, default="")
    return [
        {"title": title, "address": address, "is_current": address == current} for title, address in addresses.items()
    ]
