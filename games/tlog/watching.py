"""Follow a log from outside: fetch its newest head, and the tiles that prove what it continues."""

from __future__ import annotations

import urllib.request
from collections.abc import Sequence
from datetime import datetime
from http.client import HTTPException
from typing import Any

from games.runtime.posting import printable
from games.tlog import merkle
from games.tlog.heads import Head
from games.tlog.notes import LOG, Key, Note
from games.tlog.proofs import encoded
from games.tlog.witnessing import Reply, Witness

SECONDS = 10
MOST_BYTES = 16_384  # of an answer; a tile has half of it


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """Refuses to be sent to another address than the one that was given."""

    def redirect_request(self, *arguments: Any, **more: Any) -> None:
        return None


_opener = urllib.request.build_opener(_NoRedirects)


def keys_of(address: str) -> list[Key]:
    """Return the keys with which a log says that it is signed. Raises OSError or ValueError."""
    lines = _fetched(f"{address}/tlog/keys").decode().split()
    keys = [Key.from_text(line, LOG) for line in lines if not _is_of_witness(line)]
    if not keys:
        raise ValueError("the log has no key")
    return keys


def watch(address: str, witness: Witness, now: datetime) -> Reply:
    """Show the newest head of the log at an address to a witness. Raises OSError or ValueError."""
    text = _fetched(f"{address}/tlog/checkpoint").decode()
    head = Head.from_text(Note.from_text(text).body)
    last = witness.last_head(head.origin)
    old = last.size if last else 0
    spans = merkle.consistency(old, head.size) if old <= head.size else []
    near = _hashes(address, head.size, spans)
    body = "\n".join([f"old {min(old, head.size)}", *map(encoded, near), "", text])
    return witness.add_checkpoint(body, now, has_looked=True)


def _hashes(address: str, size: int, spans: Sequence[merkle.Span]) -> list[bytes]:
    tree = {place: _tile(address, size, place) for place in sorted(merkle.places(spans))}
    return [merkle.hash_of(span, tree) for span in spans]


def _tile(address: str, size: int, place: merkle.Place) -> bytes:
    level, number = place
    width = min((size >> merkle.HEIGHT * level) - number * merkle.WIDTH, merkle.WIDTH)
    path = f"tile/{level}/{_in_groups(number)}{f'.p/{width}' if width < merkle.WIDTH else ''}"
    hashes = _fetched(f"{address}/tlog/{path}")
    if len(hashes) != width * merkle.SIZE:
        raise ValueError(f"{path} does not have {width} hashes")
    return hashes


def _in_groups(number: int) -> str:
    digits = f"{number:03}"
    digits = digits.zfill(-(-len(digits) // 3) * 3)
    *first, last = [digits[start : start + 3] for start in range(0, len(digits), 3)]
    return "/".join([*(f"x{group}" for group in first), last])


def _is_of_witness(line: str) -> bool:
    try:
        Key.from_text(line, LOG)
    except ValueError:
        return True
    return False


def _fetched(address: str) -> bytes:
    if not address.startswith(("http://", "https://")):
        raise ValueError("an address begins with http:// or https://")
    try:
        with _opener.open(address, timeout=SECONDS) as answer:
            data: bytes = answer.read(MOST_BYTES + 1)
    except (OSError, HTTPException) as error:
        raise OSError(printable(str(error)) or type(error).__name__) from error
    if len(data) > MOST_BYTES:
        raise ValueError(f"{address} has more than {MOST_BYTES} bytes")
    return data
