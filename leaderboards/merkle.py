"""Merkle trees as in RFC 6962: one hash for many results, and a short proof for each of them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence

EMPTY = hashlib.sha256(b"").digest()


def root(leaves: Sequence[bytes]) -> bytes:
    """Return the hash of the tree of some leaves, in their order."""
    top = EMPTY
    for level in _levels(leaves):
        top = level[0]
    return top


def path(leaves: Sequence[bytes], index: int) -> list[bytes]:
    """Return the hashes that lead from a leaf to the root, the nearest first. Raises IndexError."""
    if not 0 <= index < len(leaves):
        raise IndexError(f"there is no leaf {index} among {len(leaves)}")
    near = []
    for level in _levels(leaves):
        if index ^ 1 < len(level):
            near.append(level[index ^ 1])
        index //= 2
    return near


def _levels(leaves: Sequence[bytes]) -> Iterator[list[bytes]]:
    """Yield the hashes of each level, from the leaves up to the root; an unpaired last hash moves up unchanged."""
    level = [hashlib.sha256(b"\0" + leaf).digest() for leaf in leaves]
    while level:
        yield level
        if len(level) == 1:
            return
        pairs = zip(level[::2], level[1::2], strict=False)
        last = level[-1:] if len(level) % 2 else []
        level = [hashlib.sha256(b"\1" + left + right).digest() for left, right in pairs] + last
