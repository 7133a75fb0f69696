"""Pages for visitors who are not signed in, kept as bytes and answered on the event loop: no thread, no query.

A view says of an answer that all such visitors get the same one at its address, and which notices make it outdated.
The first answer goes the whole way, through everything that looks at hosts, schemes, cookies, languages and encodings.
From then on, requests that differ from the first only in what nothing on that way looks at are answered here, and count
for the same limit. One with a session, a chosen language, options or a query is always left to the view.

A page with forms is kept without their token: each visitor gets one of their own, in the page and as a cookie. One
without forms has an ETag, and a visitor who sends it back gets 304.
"""

from __future__ import annotations

import gzip
import logging
import re
import zlib
from collections.abc import Callable, Iterator
from datetime import datetime
from functools import cache, lru_cache
from http import HTTPStatus
from typing import Any, NamedTuple

from django.conf import settings
from django.http import HttpRequest, HttpResponse, parse_cookie
from django.http.response import HttpResponseBase
from django.middleware.csrf import CsrfViewMiddleware, get_token
from django.middleware.gzip import re_accepts_gzip
from django.utils.translation import get_language_from_request
from rest_framework.exceptions import Throttled

from games.doors.rest.caching import knows
from games.runtime import log_context, tracing
from games.runtime.addresses import address_of_scope
from games.runtime.clock import clock
from games.runtime.limits import Hit, count_on_loop
from games.runtime.memory import EVERYTHING, Memory, Moment
from games.runtime.pubsub import Message, pubsub

MOST_PAGES, LONGEST_PAGE = 300, 64 * 1024  # so that what is kept stays below 25 MB, whatever strangers ask for
LONGEST_HOST = 255
LOG_FILES = ("/tlog/checkpoint", "/tlog/keys", "/tlog/tile/")
# As long as the REST API has its clients keep a board (`FOR_A_MOMENT`).
SECONDS, LASTING_SECONDS = 2.0, 3600.0
TOKEN = re.compile(rb'(?<=name="csrfmiddlewaretoken" value=")[A-Za-z0-9]{64}(?=")')
# All that decides about an answer besides method, address and body.
LOOKED_AT = {b"accept-encoding", b"accept-language", b"authorization", b"cookie", b"host", b"x-forwarded-proto"}
OF_BODY = {b"content-encoding", b"content-type"}
OWN = {b"content-length", b"set-cookie", b"x-request-id"}
GZIP_HEAD = b"\x1f\x8b\x08\0\0\0\0\0\0\xff"

Headers = list[tuple[bytes, bytes]]
Answer = tuple[int, Headers, bytes]
Subject = Callable[[Message], int | str | None]
logger = logging.getLogger(__name__)


class Alike(NamedTuple):
    """The terms on which an answer is kept: its subject, its seconds without notices, and its end if it has one."""

    about: str = ""
    seconds: float = SECONDS
    until: datetime | None = None


class Page(NamedTuple):
    """A page without its tokens: its text around them, and the same compressed if the answer is."""

    alike: Alike
    headers: Headers
    parts: list[bytes]
    compressed: list[bytes]
    has_token: bool
    etag: str
    route: str


class _Pages(Memory[Page]):
    """Pages by the likeness of requests, which are forgotten with the notices of several topics."""

    def __init__(self) -> None:
        super().__init__("pages", MOST_PAGES, seconds_of=lambda page: page.alike.seconds)
        self._receivers: dict[str, Callable[[Message], None]] = {}

    def forget_on(self, topic: str, subject_of: Subject) -> None:
        self._receivers[topic] = lambda notice: self.drop(subject_of(notice))

    def _listen(self) -> None:
        for topic, receive in self._receivers.items():
            pubsub().listen(topic, receive)


_pages = _Pages()


def keep_for_visitors(
    response: HttpResponse, about: str = "", *, seconds: float = SECONDS, until: datetime | None = None
) -> HttpResponse:
    """Say that all visitors who are not signed in get the same answer at this address, and return it.

    It is kept until a notice about its subject, for some seconds at most, which is for what nobody is notified of, and
    never past a time at which it changes by itself.
    """
    response.alike = Alike(about, seconds, until)  # type: ignore[attr-defined]
    return response


def keep_lasting(response: HttpResponse) -> HttpResponse:
    """Say the same of an answer that depends on nothing but the files of this release."""
    return keep_for_visitors(response, seconds=LASTING_SECONDS)


def forget_on(topic: str, subject_of: Subject = lambda notice: EVERYTHING) -> None:
    """Forget the pages about a subject, or all, with each notice on a topic; `subject_of` returns which."""
    _pages.forget_on(topic, subject_of)


async def answer(scope: dict[str, Any], body: bytes) -> Answer | None:
    """Return the answer to a request, or None if it is left to the view."""
    likeness = likeness_of(scope, body)
    page = _pages.recall(likeness) if likeness else None
    if page is None or tracing.is_recording() or logger.isEnabledFor(logging.DEBUG):
        return None
    if page.alike.until is not None and clock.now() >= page.alike.until:
        return None
    subject = {**scope, "route": page.route, "url_route": {"kwargs": {}}}
    identifier = log_context.begin(subject, log_context.given_in(scope["headers"]))
    try:
        await count_on_loop(hit_of(scope["path"], address_of_scope(scope)))
    except Throttled:
        return None  # the view says so
    except Exception:
        logger.exception("what the event loop could not answer is left to the view")
        return None
    status, headers, content = _made_for(page, scope)
    headers.append((log_context.HEADER.encode(), identifier.encode()))
    return status, headers, content


def hit_of(path: str, address: str) -> Hit:
    """Return what a page counts for. Files of the log have a limit of their own: auditors read all of them."""
    return Hit("log_files" if path.startswith(LOG_FILES) else "pages", address)


def begin() -> Moment:
    """Return the moment at which a view begins to make a page."""
    return _pages.begin()


def learn(
    began: Moment, likeness: str, request: HttpRequest | None, response: HttpResponseBase, answered: Answer
) -> None:
    """Keep the answer that a view has given to a request if it says that others get the same."""
    alike = getattr(response, "alike", None)
    status, headers, content = answered
    if request is None or alike is None or status != HTTPStatus.OK:
        return
    if not response.cookies.keys() <= {settings.CSRF_COOKIE_NAME}:
        return
    is_compressed = response.headers.get("Content-Encoding") == "gzip"
    text = gzip.decompress(content) if is_compressed else content
    parts, has_token = TOKEN.split(text), bool(response.cookies)
    if len(text) > LONGEST_PAGE or (len(parts) > 1 and not has_token):  # whose token would that be?
        return
    kept = [(name, value) for name, value in headers if name.lower() not in OWN]
    compressed = list(_compressed(parts)) if is_compressed else []
    etag = response.headers.get("ETag", "")
    page = Page(alike, kept, parts, compressed, has_token, etag, log_context.route_of(request))
    _pages.keep(began, {likeness: (page, alike.about)})


def likeness_of(scope: dict[str, Any], body: bytes) -> str:
    """Return all that decides about the answer to a visitor, as text; empty if the request is left to the view.

    Nothing that strangers may choose freely is in it but the host, which the view has to accept, and the address, at
    which the view has to find something.
    """
    if scope["method"] != "GET" or body or scope["query_string"]:
        return ""
    given = _looked_at(scope)
    host, is_behind_proxy = given.get(b"host", b""), bool(settings.SECURE_PROXY_SSL_HEADER)
    if not 0 < len(host) <= LONGEST_HOST or b"authorization" in given or not _are_irrelevant(given.get(b"cookie", b"")):
        return ""
    if is_behind_proxy and given.get(b"x-forwarded-proto") != b"https":
        return ""
    language = _language_of(given.get(b"accept-language", b""))
    encoding = "gzip" if re_accepts_gzip.search(given.get(b"accept-encoding", b"").decode("latin1")) else ""
    scheme = "" if is_behind_proxy else scope.get("scheme", "")
    # A host that is accepted has no space, and the path, which may have some, comes last.
    return f"{host.decode('latin1')} {scheme} {language} {encoding} {scope.get('root_path', '')} {scope['path']}"


def _looked_at(scope: dict[str, Any]) -> dict[bytes, bytes]:
    """Return the headers that decide; none if Django would join some of them, which it calls alike."""
    given: dict[bytes, bytes] = {}
    for name, value in scope["headers"]:
        if name in given or b"_" in name:
            return {}
        if name in LOOKED_AT:
            given[name] = value
    return given


@lru_cache(1000)
def _language_of(accepted: bytes) -> str:
    request = HttpRequest()
    request.META["HTTP_ACCEPT_LANGUAGE"] = accepted.decode("latin1")
    return get_language_from_request(request)


def _are_irrelevant(cookies: bytes) -> bool:
    """Return True if a visitor has no cookie but that of the tokens of forms."""
    return not cookies or (
        b"\0" not in cookies and parse_cookie(cookies.decode("latin1")).keys() <= {settings.CSRF_COOKIE_NAME}
    )


def _cookies_of(scope: dict[str, Any]) -> dict[str, str]:
    given = _given(scope, b"cookie")
    return parse_cookie(given) if given else {}


def _given(scope: dict[str, Any], header: bytes) -> str:
    value: bytes = next((value for name, value in scope["headers"] if name == header), b"")
    return value.decode("latin1")


def _made_for(page: Page, scope: dict[str, Any]) -> Answer:
    """Return a page as a visitor gets it: with tokens that fit the cookie, or without a body if it is there already."""
    if page.etag and knows(_given(scope, b"if-none-match"), page.etag):
        lasting = [(name, value) for name, value in page.headers if name.lower() not in OF_BODY]
        return HTTPStatus.NOT_MODIFIED, lasting, b""
    token, headers = b"", list(page.headers)
    if page.has_token:
        token, cookie = _token_and_cookie(_cookies_of(scope))
        headers.append((b"Set-Cookie", cookie))
    content = _joined(page, token) if page.compressed else token.join(page.parts)
    headers.append((b"Content-Length", str(len(content)).encode()))
    return HTTPStatus.OK, headers, content


def _token_and_cookie(cookies: dict[str, str]) -> tuple[bytes, bytes]:
    """Return the token of a visitor's forms, and the cookie that belongs to it, as the middleware makes them."""
    request, response = HttpRequest(), HttpResponse()
    request.COOKIES = cookies
    _csrf().process_request(request)
    token = get_token(request)
    _csrf().process_response(request, response)
    return token.encode(), response.cookies[settings.CSRF_COOKIE_NAME].output(header="").strip().encode()


@cache
def _csrf() -> CsrfViewMiddleware:
    return CsrfViewMiddleware(lambda request: HttpResponse())


def _compressed(parts: list[bytes]) -> Iterator[bytes]:
    """Compress each part by itself, so that they can be joined with others between."""
    for number, part in enumerate(parts, 1):
        packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
        packed = packer.compress(part)
        yield packed + packer.flush(zlib.Z_FINISH if number == len(parts) else zlib.Z_FULL_FLUSH)


def _joined(page: Page, token: bytes) -> bytes:
    """Return a compressed page with tokens, which are not compressed: lengths say nothing about them (BREACH)."""
    size = len(token).to_bytes(2, "little")
    stored = b"\0" + size + bytes(255 - byte for byte in size) + token
    whole = token.join(page.parts)
    check = zlib.crc32(whole).to_bytes(4, "little") + len(whole).to_bytes(4, "little")
    return GZIP_HEAD + stored.join(page.compressed) + check
