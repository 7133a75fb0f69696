"""Pages about the site itself."""

from django.http import HttpRequest, HttpResponse
from django.templatetags.static import static
from django.urls import path, reverse
from django.utils.translation import gettext as _
from django.views.generic import RedirectView

from games.doors.kept_pages import keep_lasting
from games.doors.options import THEMES, languages
from games.doors.pages import own_address, reading_page
from games.players.readers import page


@reading_page
def settings(request: HttpRequest) -> HttpResponse:
    context = {
        "back": own_address(request, request.GET.get("next", "")),
        "languages": languages(request),
        "themes": [("", _("Classic")), *zip(THEMES, (_("Papyrus"), _("Large and plain")), strict=True)],
    }
    return page(request, "games/settings.html", context)


@reading_page
def programs(request: HttpRequest) -> HttpResponse:
    return keep_lasting(page(request, "games/programs.html", {"origin": request.build_absolute_uri("/")}))


def form_refused(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Say that a form came without its token, and lead back to its page if that is one of this site."""
    back = own_address(request, request.headers.get("Referer", "")) or reverse("web:home")
    return page(request, "403_csrf.html", {"back": back}, status=403)


class Icon(RedirectView):
    """The icon that browsers request for pages that do not name one, such as the admin's."""

    def get_redirect_url(self, *args: object, **kwargs: object) -> str:
        return static("games/icon.svg")


urlpatterns = [
    path("settings/", settings, name="settings"),
    path("programs/", programs, name="programs"),
    path("favicon.ico", Icon.as_view()),
]
