"""The verdicts of a release: the same bytes for the same verdicts, and none missing."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from tests.release.verdicts import pack_verdicts
from tests.release.versions import ReleaseError

HEAD = "rules,deal,verdict,nodes,ms"
ROWS = ["giza,2,lost,9,1.5", "cell,1,undecided,9,1.5", "giza,1,won,9,1.5", "giza,3,won,9,1.5"]


def packed(folder: Path, *rows: str) -> bytes:
    file, target = folder / "verdicts.csv", folder / "verdicts.txt.gz"
    file.write_text("\n".join([HEAD, *rows, ""]))
    pack_verdicts(file, target)
    return target.read_bytes()


def test_each_rule_set_is_a_line_with_a_letter_for_each_deal_in_whatever_order_they_were_judged(tmp_path: Path) -> None:
    first = packed(tmp_path, *ROWS)
    assert gzip.decompress(first) == b"cell u\ngiza wlw\n"
    assert packed(tmp_path, *(row.replace("9,1.5", "7,2.5") for row in reversed(ROWS))) == first


@pytest.mark.parametrize(("rows", "deal"), [(ROWS[1:], 2), ([*ROWS, ROWS[0]], 3)], ids=["missing", "twice"])
def test_a_deal_that_is_missing_or_there_twice_is_refused(tmp_path: Path, rows: list[str], deal: int) -> None:
    with pytest.raises(ReleaseError, match=f"there is not exactly one verdict on deal {deal} of giza"):
        packed(tmp_path, *rows)


def test_something_else_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ReleaseError, match="not a verdict: giza,1,perhaps"):
        packed(tmp_path, "giza,1,perhaps,9,1.5")
