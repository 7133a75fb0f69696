from __future__ import annotations

from tests.fuzzing.frames import fuzz


def test_thousands_of_hostile_frames_are_granted_or_refused_and_nothing_else() -> None:
    ends = fuzz(30_000, seed=20260301)
    assert sum(ends.values()) == 30_000
    assert {"granted", "read", "bad message", "stale_version", "illegal_move", "bad_notation"} <= set(ends)
