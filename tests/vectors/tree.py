"""Trees of a day's results by the number of their leaves, with a path from each of some leaves."""

from __future__ import annotations

import hashlib
from typing import Any

from games.tlog import merkle

SIZES = (0, 1, 2, 3, 5, 7, 8, 257)


def leaves_of(count: int) -> list[str]:
    return [f"leaf {number}" for number in range(count)]


def path(count: int, index: int) -> dict[str, Any]:
    leaves = [leaf.encode() for leaf in leaves_of(count)]
    tiles = merkle.tiles(leaves)
    near = [merkle.hash_of(span, tiles).hex() for span in merkle.path(index, count)]
    return {"leaf": f"leaf {index}", "index": index, "count": count, "path": near, "root": root(count)}


def root(count: int) -> str:
    return merkle.root(merkle.tiles(leaf.encode() for leaf in leaves_of(count)), count).hex()


def _hash(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


def climbed(leaf: bytes, steps: int) -> str:
    """Return the root over a leaf at the first place whose neighbours all have its hash."""
    top = leaf
    for _ in range(steps):
        top = _hash(b"\1" + top + leaf)
    return top.hex()


def vectors() -> dict[str, list[dict[str, Any]]]:
    honest = path(5, 2)
    near = honest["path"]
    zero = _hash(b"\0leaf 0")
    refused = {
        "another leaf": {**honest, "leaf": "leaf 3"},
        "another place": {**honest, "index": 3},
        "a place behind the last": {**honest, "index": 5},
        "a place before the first": {**honest, "index": -1},
        "a leaf in an array": {**honest, "leaf": [honest["leaf"]]},
        "a place in quotation marks": {**honest, "index": "2"},
        "a place between two": {**path(5, 0), "index": 0.5},
        "a place that is true": {**path(2, 1), "index": True},
        "a number of leaves in quotation marks": {**honest, "count": "5"},
        "a number of leaves that not all readers of JSON can read": {
            "leaf": "leaf 0",
            "index": 0,
            "count": 2**53 + 1,
            "path": [zero.hex()] * 54,
            "root": climbed(zero, 54),
        },
        "an inner node as a leaf": {
            "leaf": "leaf 2",
            "index": 1,
            "count": 2,
            "path": near[1:2],
            "root": root(5),
        },
        "another number of leaves": {**honest, "count": 9},
        "a path that lacks its first step": {**honest, "path": near[1:]},
        "a path that lacks its last step": {**honest, "path": near[:-1]},
        "a path with a step too many": {**honest, "path": [*near, near[-1]]},
        "steps that have changed places": {**honest, "path": [near[1], near[0], *near[2:]]},
        "a step that was exchanged": {**honest, "path": [root(3), *near[1:]]},
        "another root": {**honest, "root": root(7)},
        "hashes without the byte in front": {
            "leaf": "leaf 0",
            "index": 0,
            "count": 2,
            "path": [_hash(b"leaf 1").hex()],
            "root": _hash(_hash(b"leaf 0") + _hash(b"leaf 1")).hex(),
        },
        "a last leaf that was doubled": {
            "leaf": "leaf 0",
            "index": 0,
            "count": 1,
            "path": [zero.hex()],
            "root": _hash(b"\1" + zero + zero).hex(),
        },
    }
    places = {(count, index) for count in SIZES for index in (0, 1, count // 2, count - 1) if 0 <= index < count}
    return {
        "roots": [{"leaves": leaves_of(count), "root": root(count)} for count in SIZES],
        "valid": [path(count, index) for count, index in sorted(places)],
        "refused": [{"name": name, **vector} for name, vector in refused.items()],
    }
