"""Leaves of the log have one way to be written, so that two of them cannot look alike."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from games.tlog import leaves
from games.tlog.leaves import Leaf, LeafError

HASH = "5f0c" * 16
COMMITMENT = f"pyramid/commitment/1|2026-11-20|standard|main|hard|2026-11-13T09:30:00Z|{HASH}"
AWAITING = f"{COMMITMENT}|quicknet|34109792"


def test_every_kind_is_read_as_it_is_written() -> None:
    made = datetime(2026, 11, 13, 9, 30, tzinfo=UTC)
    written = {
        leaves.commitment("2026-11-20|standard|main", "hard", made, HASH): COMMITMENT,
        leaves.commitment("2026-11-20|king-tut|open", None, made, HASH): COMMITMENT.replace(
            "standard|main|hard", "king-tut|open|any"
        ),
        leaves.commitment("2026-11-20|standard|main", "hard", made, HASH, ("quicknet", 34109792)): AWAITING,
        leaves.beacon(date(2026, 11, 20), "standard", "quicknet", 34109792, HASH): (
            f"pyramid/beacon/1|2026-11-20|standard|quicknet|34109792|{HASH}"
        ),
        leaves.results(date(2026, 11, 20), 0, HASH): f"pyramid/results/2|2026-11-20|0|{HASH}",
        leaves.decision(17, HASH): f"pyramid/decision/2|17|{HASH}",
        leaves.key(bytes.fromhex(HASH)): f"pyramid/key/1|{HASH}",
        leaves.predecessor("localhost:8000/tlog/1f", 12, bytes.fromhex(HASH)): (
            f"pyramid/predecessor/1|localhost:8000/tlog/1f|12|{HASH}"
        ),
    }
    for leaf, text in written.items():
        assert leaf.text == text
        assert Leaf.from_text(text) == leaf


def test_two_leaves_about_one_deal_have_one_subject() -> None:
    other = COMMITMENT.replace("hard", "easy").replace("5f", "6e")
    assert Leaf.from_text(COMMITMENT).subject == Leaf.from_text(other).subject
    assert Leaf.from_text(COMMITMENT).subject == Leaf.from_text(AWAITING).subject
    assert Leaf.from_text(COMMITMENT).subject != Leaf.from_text(COMMITMENT.replace("main", "open")).subject


@pytest.mark.parametrize(
    "text",
    [
        "",
        "pyramid/",
        "pyramid/commitment/1",
        f"pyramid/commitment/2{COMMITMENT[20:]}",
        COMMITMENT.removeprefix("pyramid/"),
        f"{COMMITMENT}\n",
        f" {COMMITMENT}",
        f"{COMMITMENT}|more",
        f"{COMMITMENT}|Quicknet|1",
        f"{COMMITMENT}|quicknet|01",
        f"{AWAITING}|more",
        f"pyramid/beacon/1|2026-11-20|standard|quicknet|1|{HASH}|more",
        "pyramid/beacon/1|2026-11-20|standard|quicknet|1|late",
        COMMITMENT.replace("standard", "Standard"),
        COMMITMENT.replace("standard", "standаrd"),  # noqa: RUF001  a Cyrillic letter
        COMMITMENT.replace("standard", "standard "),
        COMMITMENT.replace("standard", "-standard"),
        COMMITMENT.replace("standard", "a" * 300),
        COMMITMENT.replace("2026-11-20", "2026-11-31"),
        COMMITMENT.replace("2026-11-20", "20261120"),
        COMMITMENT.replace("2026-11-20", "２026-11-20"),  # noqa: RUF001  another two
        COMMITMENT.replace("09:30:00Z", "09:60:00Z"),
        COMMITMENT.replace("09:30:00Z", "09:30:00+00:00"),
        COMMITMENT.replace("5f", "5F"),
        COMMITMENT.replace("|hard|", "||"),
        f"pyramid/results/2|2026-11-20|01|{HASH}",
        f"pyramid/decision/2|-1|{HASH}",
    ],
)
def test_any_other_spelling_is_refused(text: str) -> None:
    with pytest.raises(LeafError):
        Leaf.from_text(text)
