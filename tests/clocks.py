"""A process with a clock of its own, which is set by writing a file."""

from __future__ import annotations

from pathlib import Path

LIBRARY = next(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"), None)
CACHE_SECONDS = 1


def clock_in(offset: Path, *, is_read_at_once: bool = True) -> dict[str, str]:
    """Return the environment of a process whose clock is as many seconds ahead as a file says.

    Unless the file has to be read at once, it is read again after a second, which costs far less.
    """
    return {
        "LD_PRELOAD": str(LIBRARY),
        "FAKETIME_TIMESTAMP_FILE": str(offset),
        **({"FAKETIME_NO_CACHE": "1"} if is_read_at_once else {"FAKETIME_CACHE_DURATION": str(CACHE_SECONDS)}),
        "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        # This mends waits of an older glibc. With it, a thread of Python that waits for its turn spins instead.
        "FAKETIME_FORCE_MONOTONIC_FIX": "0",
    }
