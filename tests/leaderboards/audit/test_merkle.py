from __future__ import annotations

import hashlib
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leaderboards.audit.merkle import EMPTY, WIDTH, path, places, root, tiles
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


def path_of(leaves: list[bytes], index: int) -> list[bytes]:
    """Return the path from a leaf, made of no more tiles than it needs."""
    tree = tiles(leaves)
    return path({place: tree[place] for place in places(index, len(leaves))}, index, len(leaves))


@pytest.mark.parametrize("count", KNOWN_ROOTS)
def test_the_known_leaves_have_the_known_roots(count: int) -> None:
    assert root(tiles(KNOWN_LEAVES[:count])).hex() == KNOWN_ROOTS[count]


def test_a_day_without_results_has_the_hash_of_nothing() -> None:
    assert root(tiles([])) == EMPTY == hashlib.sha256(b"").digest()


@given(LEAVES, st.data())
def test_every_leaf_leads_to_the_root_and_no_other_text_does(leaves: list[bytes], data: st.DataObject) -> None:
    index = data.draw(st.integers(0, len(leaves) - 1))
    near, top = path_of(leaves, index), root(tiles(leaves))
    assert tree_root(leaves[index], index, len(leaves), near) == top
    assert tree_root(leaves[index] + b"!", index, len(leaves), near) != top
    assert tree_root(leaves[index], index, len(leaves), [*near, b"\0" * 32]) is None


@given(LEAVES, st.data())
def test_a_proof_with_anything_changed_proves_nothing(leaves: list[bytes], data: st.DataObject) -> None:
    index = data.draw(st.integers(0, len(leaves) - 1))
    near = path_of(leaves, index)
    if near:
        place = data.draw(st.integers(0, len(near) - 1))
        changed = [*near[:place], bytes(32), *near[place + 1 :]]
        assert tree_root(leaves[index], index, len(leaves), changed) != root(tiles(leaves))
        assert tree_root(leaves[index], index, len(leaves), near[1:]) != root(tiles(leaves))
    other = data.draw(st.integers(0, len(leaves) - 1))
    if other != index:
        assert tree_root(leaves[index], other, len(leaves), near) != root(tiles(leaves))


@pytest.mark.parametrize("index", [-1, 3])
def test_there_is_no_path_of_a_leaf_that_is_not_there(index: int) -> None:
    with pytest.raises(IndexError):
        path_of([b"a", b"b", b"c"], index)


@pytest.mark.parametrize("count", [WIDTH - 1, WIDTH, WIDTH + 1, 3 * WIDTH + 5, WIDTH * WIDTH + 1])
def test_leaves_of_several_tiles_lead_to_the_root_through_one_tile_of_each_level(count: int) -> None:
    leaves = [str(number).encode() for number in range(count)]
    tree = tiles(leaves)
    for index in {0, 1, WIDTH - 2, count // 2, count - 2, count - 1}:
        on_the_way = places(index, count)
        assert [level for level, _ in on_the_way] == list(range(len(on_the_way)))
        near = path({place: tree[place] for place in on_the_way}, index, count)
        assert tree_root(leaves[index], index, count, near) == root(tree)


def test_a_tile_holds_no_more_than_its_width_and_the_levels_thin_out() -> None:
    tree = tiles([b""] * (2 * WIDTH + 3))
    assert {place: len(hashes) // len(EMPTY) for place, hashes in tree.items()} == {
        (0, 0): WIDTH,
        (0, 1): WIDTH,
        (0, 2): 3,
        (1, 0): 3,
    }
