"""The cookies of the site, for the privacy page."""

from typing import NamedTuple

from django.conf import settings
from django.contrib.messages.storage.cookie import CookieStorage
from django.utils.translation import gettext

from games.accounts import password_backend
from games.doors import options
from games.players import devices

DAY = 24 * 60 * 60


class Cookie(NamedTuple):
    """A cookie, its purpose in words, and how long a browser keeps it; 0 days: until it is closed."""

    name: str
    purpose: str
    days: int


def cookies() -> list[Cookie]:
    """Return all cookies that the site sets."""
    return [
        Cookie(
            settings.SESSION_COOKIE_NAME,
            gettext("It remembers who you are, once you play or sign in."),
            settings.SESSION_COOKIE_AGE // DAY,
        ),
        Cookie(settings.CSRF_COOKIE_NAME, gettext("It protects forms."), settings.CSRF_COOKIE_AGE // DAY),
        Cookie(
            password_backend.DEVICE_COOKIE,
            gettext(
                "It remembers that someone signed in here with a password, so that nobody elsewhere can lock you out. "
                "It gives no access."
            ),
            password_backend.DEVICE_SECONDS // DAY,
        ),
        Cookie(
            devices.COOKIE,
            gettext(
                "A random identifier of your browser. Its hash shows reviewers that two accounts may be one person's."
            ),
            settings.PYRAMID_TRACE_DAYS,
        ),
        Cookie(options.COOKIE, gettext("Your settings."), 365),
        Cookie(
            settings.LANGUAGE_COOKIE_NAME, gettext("The language you have chosen."), settings.LANGUAGE_COOKIE_AGE // DAY
        ),
        Cookie(CookieStorage.cookie_name, gettext("A message for the next page, shown once."), 0),
    ]
