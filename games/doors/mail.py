"""Send mail, where the operator has configured it: at once, or later so that nobody notices whether any was sent."""

import logging
import threading
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from functools import cache
from smtplib import SMTPException

from django.conf import settings
from django.core.mail import EmailMessage
from django.template.loader import render_to_string
from django.utils.translation import get_language, override

from games.doors.refusals import MailFailed

MOST_WAITING = 100
FAILURES = (SMTPException, OSError, UnicodeError)  # the last of a host that cannot be one

logger = logging.getLogger(__name__)
_room = threading.BoundedSemaphore(MOST_WAITING)


def is_configured() -> bool:
    """Return True if this server can send mail."""
    return bool(settings.PYRAMID_SENDS_MAIL)


def public(path: str) -> str:
    """Return a link for a mail: a request that asks for it must not choose where it leads."""
    return f"{settings.PYRAMID_PUBLIC_URL}{path}"


def send(to: str, subject: str, template: str, context: dict[str, object]) -> None:
    """Send a mail made from a template. Raises `MailFailed`, which is logged without the address."""
    body = render_to_string(template, context)
    try:
        EmailMessage(subject, body, to=[to]).send()
    except FAILURES as error:
        logger.error("a mail could not be sent: %s", type(error).__name__)
        raise MailFailed("the mail could not be sent; nothing was changed, try again later") from error


def send_later(to: str, subject: str, template: str, context: dict[str, object]) -> Future[None] | None:
    """Send a mail on a thread of its own, in the current language; dropped and logged if too many wait."""
    if not _room.acquire(blocking=False):
        logger.error("a mail was dropped: %d others wait for the mail server", MOST_WAITING)
        return None
    sending = _thread().submit(override(get_language())(send), to, subject, template, context)
    sending.add_done_callback(lambda _: _room.release())
    return sending


def wait_for_queued(seconds: float) -> None:
    """Wait until the mails that were to be sent later are sent, or for so many seconds."""
    with suppress(TimeoutError):
        _thread().submit(int).result(seconds)


@cache
def _thread() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(1, "mail")
