"""A visitor's display options, from a cookie that scripts write and templates read; and the choice of a language."""

from urllib.parse import urlencode

from django.conf import settings
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.urls import path, reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from games.doors.pages import own_address, see_other

COOKIE = "pyramid_options"
THEMES = ("papyrus", "plain")  # of the cards, beside the classic one
OPTIONS = ("large", "four", "mirrored", "kings", "noclock", "still", "noletters", "light", "dark", *THEMES)


def chosen_options(request: HttpRequest) -> tuple[str, ...]:
    """Return the visitor's options, without unknown ones."""
    chosen = set(request.COOKIES.get(COOKIE, "").split("."))
    return tuple(option for option in OPTIONS if option in chosen)


def languages(request: HttpRequest) -> list[tuple[str, str, bool]]:
    """Return the code and the name of each language, and whether the visitor has chosen it; first the browser's own."""
    chosen = request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME, "")
    choices = [("", _("Same as the browser")), *settings.LANGUAGES]
    return [(code, name, code == chosen) for code, name in choices]


@require_POST
@never_cache
def choose_language(request: HttpRequest) -> HttpResponse:
    """Keep a language in a cookie, or with an empty one forget it, and go back to the settings."""
    chosen, back = request.POST.get("language", ""), own_address(request, request.POST.get("next", ""))
    response = see_other(f"{reverse('web:settings')}{'?' if back else ''}{urlencode({'next': back} if back else {})}")
    if not chosen:
        response.delete_cookie(settings.LANGUAGE_COOKIE_NAME, samesite="Lax")
    elif chosen in dict(settings.LANGUAGES):
        response.set_cookie(
            settings.LANGUAGE_COOKIE_NAME,
            chosen,
            max_age=settings.LANGUAGE_COOKIE_AGE,
            secure=settings.LANGUAGE_COOKIE_SECURE,
            httponly=True,
            samesite="Lax",
        )
    else:
        raise BadRequest("not a language of this server")
    return response


urlpatterns = [
    path("settings/language/", choose_language, name="language"),
]
