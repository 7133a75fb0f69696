"""Merkle trees as in RFC 6962: one hash for many leaves, and short proofs about them.

A tree is stored in tiles, as transparency logs do (https://c2sp.org/tlog-tiles): hashes of every eighth level, from
those of the leaves up, 256 neighbours together. A hash above the leaves is in its tile once everything below it is
full, so no stored hash ever changes. Proofs name the spans of leaves whose hashes they consist of; the levels between
two tiles are recomputed.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence

EMPTY = hashlib.sha256(b"").digest()
SIZE = len(EMPTY)
HEIGHT = 8
WIDTH = 2**HEIGHT  # hashes of a full tile

Place = tuple[int, int]
"""The level of a tile, 0 for that of the leaves, and its number on the level."""
Tiles = Mapping[Place, bytes]
Span = tuple[int, int]
"""The first leaf of a subtree, and the one after its last."""


def leaf_hash(leaf: bytes) -> bytes:
    return hashlib.sha256(b"\0" + leaf).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\1" + left + right).digest()


def tiles(leaves: Iterable[bytes]) -> dict[Place, bytes]:
    """Return the tiles of a whole tree."""
    return grown({}, 0, [leaf_hash(leaf) for leaf in leaves])


def edge(size: int) -> list[Place]:
    """Return the tiles that are not full in a tree of some leaves: those that grow next."""
    found, level = [], 0
    while size:
        if size % WIDTH:
            found.append((level, size // WIDTH))
        level, size = level + 1, size // WIDTH
    return found


def grown(unfilled: Tiles, size: int, hashes: Sequence[bytes]) -> dict[Place, bytes]:
    """Return the tiles that are new or longer once the hashes of leaves follow; `unfilled` has those of the edge."""
    found: dict[Place, bytes] = {}
    level, first, row = 0, size, list(hashes)
    while row:
        above: list[bytes] = []
        while row:
            place = level, first // WIDTH
            here = row[: WIDTH - first % WIDTH]
            found[place] = (unfilled[place] if first % WIDTH else b"") + b"".join(here)
            row, first = row[len(here) :], first + len(here)
            if first % WIDTH == 0:
                above.append(_top(_hashes(found[place])))
        level, row = level + 1, above
        first = first // WIDTH - len(above)
    return found


def root(tree: Tiles, size: int) -> bytes:
    """Return the hash of a tree's first leaves; those at `places([(0, size)])` are enough."""
    return hash_of((0, size), tree)


def path(index: int, size: int) -> list[Span]:
    """Return the subtrees whose hashes lead from a leaf to the root, the nearest first. Raises IndexError."""
    if not 0 <= index < size:
        raise IndexError(f"there is no leaf {index} among {size}")
    near: list[Span] = []
    start, end = 0, size
    while end - start > 1:
        middle = _middle(start, end)
        left, right = (start, middle), (middle, end)
        (start, end), other = (left, right) if index < middle else (right, left)
        near.append(other)
    return near[::-1]


def consistency(old: int, new: int) -> list[Span]:
    """Return the subtrees whose hashes prove that a tree begins with an older one. Raises IndexError."""
    if not 0 <= old <= new:
        raise IndexError(f"a tree of {new} leaves has not grown from one of {old}")
    if old == 0:
        return []
    near: list[Span] = []
    start, end = 0, new
    while end != old:
        middle = _middle(start, end)
        left, right = (start, middle), (middle, end)
        (start, end), other = (left, right) if old <= middle else (right, left)
        near.append(other)
    return [(start, end), *near[::-1]] if start else near[::-1]


def places(spans: Iterable[Span]) -> set[Place]:
    """Return the tiles from which the hashes of subtrees are made."""
    return {_place(start, size)[:2] for span in spans for start, size in _full_subtrees(span)}


def hash_of(span: Span, tree: Tiles) -> bytes:
    """Return the hash of a subtree; the tiles at its `places` are enough."""
    start, end = span
    if start == end:
        return EMPTY
    if _is_full(span):
        level, number, first, width = _place(start, end - start)
        return _top(_hashes(tree[level, number])[first : first + width])
    middle = _middle(start, end)
    return node_hash(hash_of((start, middle), tree), hash_of((middle, end), tree))


def root_of(leaf: bytes, index: int, size: int, near: Sequence[bytes]) -> bytes | None:
    """Return the root to which hashes lead from that of a leaf, None for a proof of the wrong length."""
    if not 0 <= index < size:
        return None
    found, rest, last = leaf, list(near), size - 1
    while last:
        if index % 2 or index < last:
            if not rest:
                return None
            other = rest.pop(0)
            found = node_hash(other, found) if index % 2 else node_hash(found, other)
        index, last = index // 2, last // 2
    return None if rest else found


def has_grown(old: int, old_root: bytes, new: int, new_root: bytes, near: Sequence[bytes]) -> bool:
    """Return True if hashes prove that a tree begins with an older one (RFC 9162, 2.1.4.2)."""
    if not 0 < old < new:
        return not near and (old_root == new_root if old == new else old == 0 and old_root == EMPTY)
    first, *rest = [*([old_root] if old & (old - 1) == 0 else []), *near] or [b""]
    at, last = old - 1, new - 1
    while at % 2:
        at, last = at // 2, last // 2
    before = after = first
    for other in rest:
        if last == 0:
            return False
        if at % 2 or at == last:
            before, after = node_hash(other, before), node_hash(other, after)
            while at and not at % 2:
                at, last = at // 2, last // 2
        else:
            after = node_hash(after, other)
        at, last = at // 2, last // 2
    return (before, after, last) == (old_root, new_root, 0)


def _full_subtrees(span: Span) -> Iterator[tuple[int, int]]:
    start, end = span
    if start == end:
        return
    if _is_full(span):
        yield start, end - start
        return
    middle = _middle(start, end)
    yield from _full_subtrees((start, middle))
    yield from _full_subtrees((middle, end))


def _is_full(span: Span) -> bool:
    size = span[1] - span[0]
    return size & (size - 1) == 0


def _middle(start: int, end: int) -> int:
    """Return where a subtree is divided: its left half is as large a power of two as leaves something to the right."""
    return start + (1 << (end - start - 1).bit_length() - 1)


def _place(start: int, size: int) -> tuple[int, int, int, int]:
    """Return the level and number of the tile with a full subtree, and its first hash and their number there."""
    level, height = divmod(size.bit_length() - 1, HEIGHT)
    at = start >> HEIGHT * level
    return level, at // WIDTH, at % WIDTH, 1 << height


def _hashes(tile: bytes) -> list[bytes]:
    return [tile[first : first + SIZE] for first in range(0, len(tile), SIZE)]


def _top(row: list[bytes]) -> bytes:
    while len(row) > 1:
        row = [node_hash(left, right) for left, right in zip(row[::2], row[1::2], strict=True)]
    (top,) = row
    return top
