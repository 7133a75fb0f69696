"""The parts of pages for people that know no subject: sentences of refusals, clocks, redirects, decorators."""

from collections.abc import Callable, Mapping
from functools import wraps
from hashlib import sha256
from http import HTTPStatus
from typing import Any, TypeVar, cast

from django import forms
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils.cache import get_conditional_response
from django.utils.http import quote_etag, url_has_allowed_host_and_scheme
from django.utils.translation import ngettext
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_http_methods, require_safe
from rest_framework.exceptions import Throttled

from games.doors.refusals import Refusal, reason_of

SEE_OTHER = 303
TOKEN_FIELD = b'name="csrfmiddlewaretoken"'

T = TypeVar("T")
View = TypeVar("View", bound=Callable[..., HttpResponseBase])


def sentence(error: Exception) -> str:
    """Return why something was refused as a sentence for people; an error without a reason speaks for itself."""
    if isinstance(error, Throttled):
        wait = int(getattr(error, "wait", None) or 0) // 60 + 1
        text = ngettext(
            "Too many attempts. Try again in %(count)d minute.",
            "Too many attempts. Try again in %(count)d minutes.",
            wait,
        )
        return text % {"count": wait}
    if reason := reason_of(error):
        return reason
    text = str(error)
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith('.') else '.'}"


def granted(form: forms.Form, ask: Callable[[], T], fields: Mapping[type[Refusal], str] | None = None) -> T | None:
    """Return the result of a use case, or None after adding its refusal to the form.

    The refusal is shown at the input that `fields` names for it, or at its own.
    """
    try:
        return ask()
    except Throttled as refusal:
        form.add_error(None, sentence(refusal))
    except Refusal as refusal:
        form.add_error((fields or {}).get(type(refusal), refusal.field), sentence(refusal))
    return None


def clock_text(milliseconds: int) -> str:
    """Return a duration as a clock shows it: minutes and seconds, with hours if there are some."""
    minutes, seconds = divmod(milliseconds // 1000, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def reading_page(view: View) -> View:
    """Make a view a page to read: compressed, and requested again each time, because it depends on its reader.

    A browser that has it gets 304, unless there is a form in it, whose token is another one each time.
    """
    return require_safe(cache_control(private=True, no_cache=True)(_unless_known(gzip_page(_tagged(view)))))


def _tagged(view: View) -> View:
    @wraps(view)
    def answer(request: HttpRequest, *arguments: Any, **named: Any) -> HttpResponse:
        response = cast(HttpResponse, view(request, *arguments, **named))
        if response.status_code == HTTPStatus.OK and TOKEN_FIELD not in response.content:
            response.headers["ETag"] = quote_etag(sha256(response.content).hexdigest()[:32])
        return response

    return cast(View, answer)


def _unless_known(view: View) -> View:
    @wraps(view)
    def answer(request: HttpRequest, *arguments: Any, **named: Any) -> HttpResponseBase | None:
        response = cast(HttpResponse, view(request, *arguments, **named))
        etag = response.headers.get("ETag")
        return get_conditional_response(request, etag, response=response) if etag else response

    return cast(View, answer)


def typed_code(request: HttpRequest, length: int) -> str:
    """Return the code in `?code=` as addresses have it, without the signs and spaces between its letters."""
    return "".join(filter(str.isalnum, request.GET.get("code", "")))[:length].upper()


def form_page(view: View) -> View:
    """Make a view a page with forms: read or submitted, and stored nowhere."""
    return require_http_methods(["GET", "HEAD", "POST"])(never_cache(view))


def forgotten_by_browser(response: HttpResponse) -> HttpResponse:
    """Have the browser forget what it keeps of this site, such as pages and a service worker; cookies stay."""
    response["Clear-Site-Data"] = '"cache", "storage"'
    return response


def own_address(request: HttpRequest, address: str) -> str:
    """Return an address that came with a request if it leads to this site, as browsers read it, or else nothing."""
    is_ours = url_has_allowed_host_and_scheme(address, {request.get_host()}, require_https=request.is_secure())
    return address if is_ours else ""


def see_other(to: str, *arguments: Any) -> HttpResponse:
    """Redirect a submitted form to another address."""
    response = redirect(to, *arguments)
    response.status_code = SEE_OTHER
    return response
