"""Answer clients that already have the current answer, on the event loop: without a thread, a query or the framework.

Only answers that are the same for everyone are found here. Whatever is uncertain is left to the view: another method, a
token that is not cached, a request that has to be redirected to HTTPS.
"""

from collections.abc import Callable
from typing import Any

from django.conf import settings

from games.doors.rest.caching import VARY, Prepared, knows
from games.doors.scopes import Scope
from games.keys.tokens import known_holder

Recall = Callable[[str], Prepared | None]
Headers = list[tuple[bytes, bytes]]

# As django-cors-headers answers them.
FOR_OTHER_SITES: Headers = [(b"access-control-allow-origin", b"*"), (b"access-control-expose-headers", b"ETag, Date")]

_recalls: list[tuple[Recall, bool]] = []


def register(recall: Recall, *, differs_by_reader: bool = False) -> None:
    """Ask a function, which must not block, for the current answer to an address with its query string.

    If players are answered differently, only requests without credentials are looked at.
    """
    _recalls.append((recall, differs_by_reader))


def unchanged(scope: dict[str, Any]) -> Headers | None:
    """Return the headers of a 304 to a request, or None if it has to be answered in full."""
    headers = dict(scope["headers"])
    tags = headers.get(b"if-none-match")
    if tags is None or scope["method"] != "GET" or not _is_plain(headers):
        return None
    address = f"{scope['path']}?{scope['query_string'].decode('latin1')}"
    has_credentials = b"authorization" in headers or b"cookie" in headers
    for recall, differs_by_reader in _recalls:
        answer = None if differs_by_reader and has_credentials else recall(address)
        if answer is not None and knows(tags.decode("latin1"), answer.etag):
            return _headers_of(answer) + (FOR_OTHER_SITES if b"origin" in headers else [])
    return None


def _is_plain(headers: dict[bytes, bytes]) -> bool:
    """Return True if nothing in the headers asks for more than the answer that everyone gets."""
    if settings.SECURE_SSL_REDIRECT and headers.get(b"x-forwarded-proto") != b"https":
        return False
    scheme, _, token = headers.get(b"authorization", b"").decode("latin1").partition(" ")
    player = known_holder(token.strip()) if scheme.lower() == "bearer" else None
    return not scheme or (player is not None and Scope.READ in player.scopes)


def _headers_of(answer: Prepared) -> Headers:
    fields = {"etag": answer.etag, "cache-control": answer.cache_control, "vary": ", ".join(VARY)}
    return [(name.encode(), value.encode("latin1")) for name, value in fields.items()]
