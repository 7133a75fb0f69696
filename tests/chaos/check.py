"""Check a history again: python -m tests.chaos.check FILE"""

from __future__ import annotations

import sys
from pathlib import Path

from tests.chaos.checker import anomalies
from tests.chaos.history import read


def main(path: Path) -> int:
    """Print what must not be, and return 1 if there is anything."""
    with path.open() as lines:
        found = anomalies(*read(lines), least_faults=1)
    print("\n".join(found) or "nothing lost, doubled or out of order")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
