"""Give code one small fault at a time and list those that no test notices.

python -m tests.mutation games.play.journal
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

import pytest

from games.solver.preparing import prepare
from tests.games.site.test_scripts import write_data
from tests.mutation.campaign import Campaign
from tests.mutation.scripts import ScriptCampaign
from tests.mutation.targets import chosen, chosen_scripts
from tests.processes import migrated_database

OPTIONS = ["-qq", "--capture=no", "--no-summary", "--assert=plain", "-p", "no:cacheprovider", "-p", "no:schemathesis"]


def main() -> int:
    names, jobs = sys.argv[1:], int(os.environ.get("MUTANTS_JOBS") or 2)
    every = int(os.environ.get("MUTANTS_EVERY") or 1)
    targets, scripts = chosen(names), chosen_scripts(names)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if scripts:
            data = write_data(folder / "data.json")
            ScriptCampaign(scripts, jobs, every, folder).run({"SCRIPT_TEST_DATA": str(data)})
        return try_modules(targets, jobs, every, folder) if targets else 0


def try_modules(targets: dict[Path, list[str]], jobs: int, every: int, folder: Path) -> int:
    tests = dict.fromkeys(test for tests in targets.values() for test in tests)
    os.environ["HYPOTHESIS_STORAGE_DIRECTORY"] = f"{folder}/examples"  # of code that is wrong on purpose
    migrated_database()  # of which each trial has a copy: to migrate takes longer than tests
    prepare()  # for all trials: each would load the solver for longer than a hint waits for it
    return pytest.main([*OPTIONS, "--reuse-db", *tests], [Campaign(targets, jobs, every, folder)])


if __name__ == "__main__":
    sys.exit(main())
