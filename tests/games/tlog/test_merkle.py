from __future__ import annotations

import hashlib
import sys
from math import ceil, log2

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.tlog import merkle
from games.tlog.merkle import EMPTY, SIZE, WIDTH
from tests.processes import PROJECT

sys.path.insert(0, str(PROJECT / "docs/examples"))
from verify_daily import tree_root

LEAVES = st.lists(st.binary(max_size=8), min_size=1, max_size=40, unique=True)
# Of the test vectors that certificate transparency logs share: the roots of the first n leaves.
KNOWN_LEAVES = [bytes.fromhex(text) for text in ("", "00", "10", "2021", "3031", "40414243", "5051525354555657")]
KNOWN_ROOTS = {
    1: "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    2: "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    3: "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    4: "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    5: "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    6: "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    7: "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
}
SOME_SIZES = [WIDTH - 1, WIDTH, WIDTH + 1, 3 * WIDTH + 5, WIDTH * WIDTH + 1]


def naive_root(leaves: list[bytes]) -> bytes:
    """Return the root as RFC 6962 defines it, 2.1."""
    if len(leaves) < 2:
        return hashlib.sha256(b"\0" + leaves[0]).digest() if leaves else EMPTY
    half = 2 ** (ceil(log2(len(leaves))) - 1)
    return hashlib.sha256(b"\1" + naive_root(leaves[:half]) + naive_root(leaves[half:])).digest()


def naive_path(index: int, leaves: list[bytes]) -> list[bytes]:
    """Return an audit path as RFC 6962 defines it, 2.1.1."""
    if len(leaves) == 1:
        return []
    half = 2 ** (ceil(log2(len(leaves))) - 1)
    if index < half:
        return [*naive_path(index, leaves[:half]), naive_root(leaves[half:])]
    return [*naive_path(index - half, leaves[half:]), naive_root(leaves[:half])]


def naive_consistency(old: int, leaves: list[bytes], *, is_whole: bool = True) -> list[bytes]:
    """Return a consistency proof as RFC 6962 defines it, 2.1.2."""
    if old == len(leaves):
        return [] if is_whole else [naive_root(leaves)]
    half = 2 ** (ceil(log2(len(leaves))) - 1)
    if old <= half:
        return [*naive_consistency(old, leaves[:half], is_whole=is_whole), naive_root(leaves[half:])]
    return [*naive_consistency(old - half, leaves[half:], is_whole=False), naive_root(leaves[:half])]


def hashes(leaves: list[bytes], spans: list[merkle.Span]) -> list[bytes]:
    """Return the hashes of subtrees, made of no more tiles than they need."""
    tree = merkle.tiles(leaves)
    needed = {place: tree[place] for place in merkle.places(spans)}
    return [merkle.hash_of(span, needed) for span in spans]


def root(leaves: list[bytes]) -> bytes:
    return hashes(leaves, [(0, len(leaves))])[0]


@pytest.mark.parametrize("count", KNOWN_ROOTS)
def test_the_known_leaves_have_the_known_roots(count: int) -> None:
    assert root(KNOWN_LEAVES[:count]).hex() == KNOWN_ROOTS[count]


def test_a_tree_without_leaves_has_the_hash_of_nothing() -> None:
    assert root([]) == EMPTY == hashlib.sha256(b"").digest()


@given(LEAVES, st.data())
def test_roots_and_proofs_are_those_that_the_standard_defines(leaves: list[bytes], data: st.DataObject) -> None:
    index = data.draw(st.integers(0, len(leaves) - 1))
    old = data.draw(st.integers(1, len(leaves)))
    assert root(leaves) == naive_root(leaves)
    assert hashes(leaves, merkle.path(index, len(leaves))) == naive_path(index, leaves)
    assert hashes(leaves, merkle.consistency(old, len(leaves))) == naive_consistency(old, leaves)


@given(LEAVES, st.data())
def test_every_leaf_leads_to_the_root_and_no_other_text_does(leaves: list[bytes], data: st.DataObject) -> None:
    index = data.draw(st.integers(0, len(leaves) - 1))
    near, top = hashes(leaves, merkle.path(index, len(leaves))), root(leaves)
    leaf, other = merkle.leaf_hash(leaves[index]), merkle.leaf_hash(leaves[index] + b"!")
    assert merkle.root_of(leaf, index, len(leaves), near) == tree_root(leaves[index], index, len(leaves), near) == top
    assert merkle.root_of(other, index, len(leaves), near) != top
    assert merkle.root_of(leaf, index, len(leaves), [*near, b"\0" * 32]) is None
    assert not near or merkle.root_of(leaf, index, len(leaves), near[1:]) != top
    elsewhere = data.draw(st.integers(-1, len(leaves)))
    if elsewhere != index:
        assert merkle.root_of(leaf, elsewhere, len(leaves), near) != top


@given(LEAVES, st.data())
def test_a_tree_has_grown_from_its_beginnings_alone(leaves: list[bytes], data: st.DataObject) -> None:
    new = len(leaves)
    old = data.draw(st.integers(0, new))
    near = hashes(leaves, merkle.consistency(old, new))
    before, after = root(leaves[:old]), root(leaves)
    assert merkle.has_grown(old, before, new, after, near)
    assert not merkle.has_grown(old, bytes(32), new, after, near)
    assert not merkle.has_grown(old, before, new, after, [*near, bytes(32)])
    assert not merkle.has_grown(new + 1, before, new, after, near)
    if old and old < new:
        forked = [*leaves[: old - 1], b"something else", *leaves[old:]]
        assert not merkle.has_grown(old, before, new, root(forked), hashes(forked, merkle.consistency(old, new)))
        assert not merkle.has_grown(old, before, new, bytes(32), near)
        assert not merkle.has_grown(old, before, new, after, near[1:])


@pytest.mark.parametrize("index", [-1, 3])
def test_there_is_no_path_of_a_leaf_that_is_not_there(index: int) -> None:
    with pytest.raises(IndexError):
        merkle.path(index, 3)


@pytest.mark.parametrize("old", [-1, 4])
def test_a_tree_has_not_grown_from_a_larger_one(old: int) -> None:
    with pytest.raises(IndexError):
        merkle.consistency(old, 3)


@pytest.mark.parametrize("count", SOME_SIZES)
def test_proofs_of_large_trees_need_few_tiles(count: int) -> None:
    leaves = [str(number).encode() for number in range(count)]
    tree = merkle.tiles(leaves)
    top = merkle.root(tree, count)
    assert top == naive_root(leaves)
    for index in {0, 1, WIDTH - 2, count // 2, count - 2, count - 1}:
        spans = merkle.path(index, count)
        needed = {place: tree[place] for place in merkle.places(spans)}
        assert len(needed) <= 5
        near = [merkle.hash_of(span, needed) for span in spans]
        assert merkle.root_of(merkle.leaf_hash(leaves[index]), index, count, near) == top


@given(st.lists(st.integers(1, 300), min_size=1, max_size=6))
def test_a_tree_that_grows_in_steps_is_the_tree_of_all_its_leaves(steps: list[int]) -> None:
    stored: dict[merkle.Place, bytes] = {}
    leaves: list[bytes] = []
    for step in steps:
        more = [str(len(leaves) + number).encode() for number in range(step)]
        unfilled = {place: stored[place] for place in merkle.edge(len(leaves))}
        changed = merkle.grown(unfilled, len(leaves), [merkle.leaf_hash(leaf) for leaf in more])
        assert all(hashes.startswith(stored.get(place, b"")) for place, hashes in changed.items())
        stored |= changed
        leaves += more
    assert stored == merkle.tiles(leaves)


def test_a_hash_above_the_leaves_is_stored_once_all_below_it_are_there() -> None:
    tree = merkle.tiles([b""] * (2 * WIDTH + 3))
    assert {place: len(hashes) // SIZE for place, hashes in tree.items()} == {
        (0, 0): WIDTH,
        (0, 1): WIDTH,
        (0, 2): 3,
        (1, 0): 2,
    }
