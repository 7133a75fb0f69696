"""Send many frames: python -m tests.fuzzing [FRAMES [SEED]], by default 1,000,000 with a seed of the moment."""

from __future__ import annotations

import secrets
import sys

from tests.fuzzing.frames import fuzz


def main(count: str = "1000000", seed: str = "") -> None:
    number = int(seed or secrets.randbelow(2**32))
    print(f"{int(count):,} frames, seed {number}", flush=True)
    for end, times in sorted(fuzz(int(count), number).items(), key=lambda item: -item[1]):
        print(f"{times:10,}  {end}")


main(*sys.argv[1:])
