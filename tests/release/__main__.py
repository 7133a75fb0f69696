"""`python -m tests.release prepare VERSION`, then `python -m tests.release build FOLDER RUNTIME`; see the Makefile.

`python -m tests.release verdicts FILE TARGET` packs verdicts.
"""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from pathlib import Path

from tests.release.building import SUMS, build, version_of
from tests.release.preparing import prepare, require_clean
from tests.release.versions import ReleaseError, tag_of

CLONE = Path(__file__).resolve().parents[2]


def main(command: str, *words: str) -> None:
    if command == "prepare":
        [version] = words
        prepare(CLONE, version, datetime.now(UTC).date())
    elif command == "build":
        target, runtime = map(Path, words)
        require_clean(CLONE)
        build(CLONE, target.resolve(), runtime.resolve())
        sys.stdout.write((target / SUMS).read_text())
    elif command == "next":
        tag = tag_of(version_of(CLONE))
        sys.stdout.write(
            f"\nThe commit and the files in dist/ are {tag}. Look at them, then sign the tag and publish both:\n"
            f"  git tag --sign --message {tag} {tag}\n  git push --atomic origin HEAD {tag}\n"
        )
    elif command == "verdicts":
        from tests.release.verdicts import pack_verdicts  # noqa: PLC0415  what builds packages has no solver

        pack_verdicts(*map(Path, words))
    else:
        raise ReleaseError(f"there is no command {command!r}")


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except ReleaseError as error:
        sys.exit(f"No release: {error}")
