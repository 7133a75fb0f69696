"""Give code one small fault at a time and list those that no test notices: python -m tests.mutation games/journal"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from tests.mutation.campaign import Campaign
from tests.mutation.targets import chosen

OPTIONS = ["-qq", "--capture=no", "--no-summary", "--assert=plain", "-p", "no:cacheprovider", "-p", "no:schemathesis"]


def main() -> int:
    targets = chosen(sys.argv[1:])
    tests = dict.fromkeys(test for tests in targets.values() for test in tests)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["HYPOTHESIS_STORAGE_DIRECTORY"] = f"{folder}/examples"  # of code that is wrong on purpose
        os.environ["MIGRATED_DATABASE"] = _migrated(Path(folder))
        return pytest.main(
            [*OPTIONS, "--reuse-db", *tests],
            [Campaign(targets, int(os.environ.get("MUTANTS_JOBS") or 2), Path(folder))],
        )


def _migrated(folder: Path) -> str:
    """Return an empty database with all tables, of which each trial has a copy: to migrate takes longer than tests."""
    path = f"{folder}/migrated.sqlite3"
    environment = {**os.environ, "DATABASE_URL": f"sqlite:///{path}", "PYRAMID_SECRET_KEY": "mutants" * 8}
    subprocess.run([sys.executable, "manage.py", "migrate", "-v0"], env=environment, check=True)
    return path


if __name__ == "__main__":
    sys.exit(main())
