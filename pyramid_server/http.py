"""HTTP on permanent threads: one hop into a thread that keeps its database connection, and one hop back.

Django's own handler starts a thread for each request and changes threads for each middleware and signal, which costs
several times as much as the answer itself. Here the body is read on the event loop, up to the size limit, and
everything else happens on one thread of a pool: signals, middleware, view, and reading the answer.
"""

import logging
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from time import perf_counter
from typing import Any

from asgiref.sync import sync_to_async
from django.conf import settings
from django.core import signals
from django.core.handlers.asgi import ASGIHandler, get_script_prefix
from django.http.response import HttpResponseBase
from django.urls import set_script_prefix
from prometheus_client import Counter, Histogram

from games.doors import kept_pages
from games.doors.refusals import Unavailable
from games.doors.rest import on_loop
from games.keys.unchanged import unchanged
from games.runtime.shedding import Crowd
from pyramid_server.another_node import left_to_another
from pyramid_server.health import ready
from pyramid_server.oversized import FAULT, TOO_LARGE, Answer, preflight_answer, refusal_of, refused

logger = logging.getLogger(__name__)

answered = Counter("pyramid_http_answers_total", "Answers to HTTP requests but probes, by status.", ["status"])
seconds = Histogram(
    "pyramid_http_seconds",
    "How long an answer took once its request had arrived, waiting for a thread included.",
    buckets=(0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10),
)

FULL = refused(Unavailable("too many requests wait already; try again"))
requests = Crowd("requests", 2_000)  # those that wait for a thread, or have one
# Answered by the event loop itself, even while all threads are busy or wait for the database.
LIVE_PATH, READY_PATH = "/health/live", "/health/ready"
PROBED = [(b"content-type", b"application/json"), (b"cache-control", b"no-store")]
ONLY_READ: Answer = (405, [(b"allow", b"GET, HEAD")], b"")


class ThreadedHandler(ASGIHandler):
    def __init__(self) -> None:
        super().__init__()
        threads = ThreadPoolExecutor(settings.PYRAMID_HTTP_THREADS, thread_name_prefix="http")
        self._answer_on_thread = sync_to_async(self._answer, thread_sensitive=False, executor=threads)

    def load_middleware(self, is_async: bool = False) -> None:
        """Load the middleware as for a synchronous server."""
        super().load_middleware(is_async=False)

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        if scope["path"] in {LIVE_PATH, READY_PATH}:
            await _send(send, await _probe(scope))
            return
        refusal = left_to_another(scope) or (FULL if requests.is_full() else refusal_of(scope))
        if refusal is not None:
            refusal = preflight_answer(scope) or refusal
            answered.labels(status=refusal[0]).inc()
            await _send(send, refusal)
            return
        body = await _read_body(scope, receive)
        if body is None:
            return
        began = perf_counter()
        answer: Answer
        if body is TOO_LONG:
            answer = TOO_LARGE
        elif (headers := unchanged(scope)) is not None:
            answer = (NOT_MODIFIED, headers, b"")
        else:
            with requests:
                answer = await self._answer_request(scope, body)
        seconds.observe(perf_counter() - began)
        answered.labels(status=answer[0]).inc()
        await _send(send, answer)

    async def _answer_request(self, scope: dict[str, Any], body: bytes) -> Answer:
        try:
            return (
                await on_loop.answer(scope, body)
                or await kept_pages.answer(scope, body)
                or await self._answer_by_view(scope, body)
            )
        except Exception:  # here it is known which request it was, in the server no longer
            logger.exception("a request cannot be answered")
            return FAULT

    async def _answer_by_view(self, scope: dict[str, Any], body: bytes) -> Answer:
        answer: Answer = await self._answer_on_thread(scope, body)
        on_loop.learn(scope, body, answer)
        return answer

    def _answer(self, scope: dict[str, Any], body: bytes) -> Answer:
        set_script_prefix(get_script_prefix(scope))
        signals.request_started.send(sender=self.__class__, scope=scope)
        # A chunked body has no Content-Length, and REST framework would take it for empty.
        headers = [header for header in scope["headers"] if header[0] != b"content-length"]
        headers.append((b"content-length", str(len(body)).encode()))
        likeness = kept_pages.likeness_of(scope, body)
        began = kept_pages.begin() if likeness else None
        request, refused = self.create_request({**scope, "headers": headers}, BytesIO(body))
        response: Any = self.get_response(request) if request is not None else refused
        try:
            content = b"".join(response.streaming_content) if response.streaming else response.content
            answer: Answer = response.status_code, _headers_of(response), content
            if began is not None:
                kept_pages.learn(began, likeness, request, response, answer)
            return answer
        finally:
            response.close()  # sends the signal that the request has finished


async def _probe(scope: dict[str, Any]) -> Answer:
    if scope["method"] not in {"GET", "HEAD"}:
        return ONLY_READ
    status, content = await ready() if scope["path"] == READY_PATH else (200, b'{"status": "ok"}')
    return status, PROBED, content


TOO_LONG = b"too long"
NOT_MODIFIED = 304
WITHOUT_BODY = {204, NOT_MODIFIED}


async def _read_body(scope: dict[str, Any], receive: Any) -> bytes | None:
    """Return the body of a request, `TOO_LONG` as soon as that is known, or None if the client is gone."""
    longest = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    announced = next((value for name, value in scope["headers"] if name == b"content-length"), b"")
    if announced.isdigit() and int(announced[:20]) > longest:  # int() refuses thousands of digits
        return TOO_LONG
    parts, length = [], 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        parts.append(message.get("body", b""))
        length += len(parts[-1])
        if length > longest:
            return TOO_LONG
        if not message.get("more_body", False):
            return b"".join(parts)


async def _send(send: Any, answer: Answer) -> None:
    status, headers, content = answer
    if status not in WITHOUT_BODY and not any(name.lower() == b"content-length" for name, _ in headers):
        headers = [*headers, (b"content-length", b"%d" % len(content))]  # servers would send it in chunks
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": content})


def _headers_of(response: HttpResponseBase) -> list[tuple[bytes, bytes]]:
    headers = [(name.encode("ascii"), value.encode("latin1")) for name, value in response.items()]
    return headers + [
        (b"Set-Cookie", cookie.output(header="").strip().encode()) for cookie in response.cookies.values()
    ]
