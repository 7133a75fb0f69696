"""The log as public files, which anyone can copy (https://c2sp.org/tlog-tiles)."""

import re
from collections.abc import Callable

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import path
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from games.doors.kept_pages import keep_for_visitors, keep_lasting
from games.tlog.collecting import witnesses
from games.tlog.merkle import SIZE, WIDTH
from games.tlog.models import Checkpoint, LogLeaf, LogTile
from games.tlog.proofs import NotLogged, leaf_at, proof_of, witnessed

TEXT, BYTES = "text/plain; charset=utf-8", "application/octet-stream"
HIGHEST_LEVEL = 7  # above it there is nothing, as indices have 63 bits
_NUMBER = re.compile(r"(?P<number>(?!x000/)(?:x[0-9]{3}/){0,4}[0-9]{3})(?:\.p/(?P<width>[1-9][0-9]{0,2}))?")


@require_safe
@cache_control(public=True, max_age=2)
def checkpoint(request: HttpRequest) -> HttpResponse:
    """Serve the newest signed head, with the signatures of witnesses."""
    return keep_for_visitors(HttpResponse(witnessed(_newest()), content_type=TEXT))


@require_safe
@cache_control(public=True, max_age=2)
def keys(request: HttpRequest) -> HttpResponse:
    """Serve the public keys of the newest signed head and those of its witnesses, one a line."""
    lines = [_newest().keys, *(witness.key.text for witness in witnesses())]
    return keep_for_visitors(HttpResponse("".join(f"{line}\n" for line in lines), content_type=TEXT))


@require_safe
@cache_control(public=True, max_age=31536000, immutable=True)
def tile(request: HttpRequest, level: int, place: str) -> HttpResponse:
    """Serve a tile of hashes, or as many of its first ones as there were at some size."""
    return _served(place, lambda number, width: _hashes(level, number, width))


@require_safe
@cache_control(public=True, max_age=31536000, immutable=True)
def entries(request: HttpRequest, place: str) -> HttpResponse:
    """Serve the leaves below a tile of the lowest level, each after its length."""
    return _served(place, _leaves)


@require_safe
@cache_control(public=True, max_age=2)
def proof(request: HttpRequest, index: int) -> HttpResponse:
    """Serve the proof that a leaf is in the log, to be checked offline."""
    try:
        return as_file(proof_of(leaf_at(index)), str(index))
    except NotLogged as error:
        raise Http404(str(error)) from error


def as_file(text: str, name: str) -> HttpResponse:
    """Return a proof as a file to keep."""
    return HttpResponse(
        text, content_type=TEXT, headers={"Content-Disposition": f'attachment; filename="{name}.tlog-proof"'}
    )


def _newest() -> Checkpoint:
    newest = Checkpoint.objects.last()
    if newest is None:
        raise Http404("the log has no signed head yet: the worker has not run, or there is nothing to sign")
    return newest


def _served(place: str, read: Callable[[int, int], bytes | None]) -> HttpResponse:
    found = _NUMBER.fullmatch(place)
    width = int(found["width"] or WIDTH) if found else 0
    is_partial = found is not None and found["width"] is not None
    if found is None or width > WIDTH - is_partial:
        raise Http404("a tile is addressed as its level, its number in groups of three digits, and .p/WIDTH")
    data = read(int(re.sub("[x/]", "", found["number"])), width)
    if data is None:
        raise Http404("the log has no such tile")
    return keep_lasting(HttpResponse(data, content_type=BYTES))


def _hashes(level: int, number: int, width: int) -> bytes | None:
    if level > HIGHEST_LEVEL:
        return None
    stored = LogTile.objects.filter(level=level, number=number).values_list("hashes", flat=True).first()
    hashes = bytes(stored or b"")[: width * SIZE]
    return hashes if len(hashes) == width * SIZE else None


def _leaves(number: int, width: int) -> bytes | None:
    first = number * WIDTH
    rows = LogLeaf.objects.filter(index__range=(first, first + width - 1)).order_by("index")
    texts = [text.encode("ascii") for text in rows.values_list("text", flat=True)]
    return b"".join(len(text).to_bytes(2) + text for text in texts) if len(texts) == width else None


urlpatterns = [
    path("tlog/checkpoint", checkpoint, name="log-checkpoint"),
    path("tlog/keys", keys, name="log-keys"),
    path("tlog/proof/<int:index>", proof, name="log-proof"),
    path("tlog/tile/entries/<path:place>", entries, name="log-entries"),
    path("tlog/tile/<int:level>/<path:place>", tile, name="log-tile"),
]
