from __future__ import annotations

from games.worker import tasks
from leaderboards.boards.submission import submit_missing


def test_the_worker_looks_for_missing_entries_again_and_again() -> None:
    assert submit_missing in [task.run for task in tasks._tasks]
