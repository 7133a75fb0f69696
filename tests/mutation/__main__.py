"""Give code one small fault at a time and list those that no test notices: python -m tests.mutation games/journal"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

import pytest

from tests.mutation.campaign import Campaign
from tests.mutation.targets import chosen
from tests.processes import migrated_database

OPTIONS = ["-qq", "--capture=no", "--no-summary", "--assert=plain", "-p", "no:cacheprovider", "-p", "no:schemathesis"]


def main() -> int:
    targets = chosen(sys.argv[1:])
    tests = dict.fromkeys(test for tests in targets.values() for test in tests)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["HYPOTHESIS_STORAGE_DIRECTORY"] = f"{folder}/examples"  # of code that is wrong on purpose
        migrated_database()  # of which each trial has a copy: to migrate takes longer than tests
        return pytest.main(
            [*OPTIONS, "--reuse-db", *tests],
            [Campaign(targets, int(os.environ.get("MUTANTS_JOBS") or 2), Path(folder))],
        )


if __name__ == "__main__":
    sys.exit(main())
