"""Merkle trees as in RFC 6962: one hash for many results, and a short proof for each of them.

A tree is stored in tiles, as transparency logs do (https://c2sp.org/tlog-tiles): the hashes of every eighth level, from
the leaves up, 256 neighbours together. A proof reads one tile of each such level and recomputes the levels between.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence

EMPTY = hashlib.sha256(b"").digest()
SIZE = len(EMPTY)
WIDTH = 2**8  # hashes of a full tile

Place = tuple[int, int]
"""The level of a tile, 0 for that of the leaves, and its number on the level."""


def tiles(leaves: Sequence[bytes]) -> dict[Place, bytes]:
    """Return the tree of some leaves, in their order: the hashes of each tile one after another."""
    found: dict[Place, bytes] = {}
    level, hashes = 0, [hashlib.sha256(b"\0" + leaf).digest() for leaf in leaves]
    while hashes:
        rows = [hashes[first : first + WIDTH] for first in range(0, len(hashes), WIDTH)]
        found |= {(level, number): b"".join(row) for number, row in enumerate(rows)}
        level, hashes = level + 1, [_top(row) for row in rows] if len(rows) > 1 else []
    return found


def root(tree: Mapping[Place, bytes]) -> bytes:
    return _top(_hashes(tree[max(tree)])) if tree else EMPTY


def places(index: int, count: int) -> list[Place]:
    """Return the tiles between a leaf and the root of a tree with `count` leaves. Raises IndexError."""
    if not 0 <= index < count:
        raise IndexError(f"there is no leaf {index} among {count}")
    found = [(0, index // WIDTH)]
    while (count := -(-count // WIDTH)) > 1:
        level, number = found[-1]
        found.append((level + 1, number // WIDTH))
    return found


def path(tree: Mapping[Place, bytes], index: int, count: int) -> list[bytes]:
    """Return the hashes that lead from a leaf to the root, the nearest first; the tiles at `places` are enough."""
    near: list[bytes] = []
    for place in places(index, count):
        near += _path(_hashes(tree[place]), index % WIDTH)
        index //= WIDTH
    return near


def _hashes(tile: bytes) -> list[bytes]:
    return [tile[first : first + SIZE] for first in range(0, len(tile), SIZE)]


def _top(hashes: list[bytes]) -> bytes:
    *_, (top,) = _levels(hashes)
    return top


def _path(hashes: list[bytes], index: int) -> Iterator[bytes]:
    for level in _levels(hashes):
        if index ^ 1 < len(level):
            yield level[index ^ 1]
        index //= 2


def _levels(level: list[bytes]) -> Iterator[list[bytes]]:
    """Yield the hashes of each level, up to the only one at the top; an unpaired last hash moves up unchanged."""
    yield level
    while len(level) > 1:
        pairs = zip(level[::2], level[1::2], strict=False)
        last = level[-1:] if len(level) % 2 else []
        level = [hashlib.sha256(b"\1" + left + right).digest() for left, right in pairs] + last
        yield level
