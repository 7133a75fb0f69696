"""The modules that are given faults, and the tests that have to notice."""

from __future__ import annotations

from pathlib import Path

# The quickest first: most faults never see the others. Of these tests a fault gets those that reach its line.
SESSION = ["tests/games/test_session.py", "tests/games/test_uptime.py"]
JOURNAL = ["tests/games/test_group_commit.py", "tests/games/test_journal.py", "tests/games/test_starting.py"]
ENDS = [
    *JOURNAL,
    "tests/games/playing/test_endings.py",
    "tests/games/test_services.py",
    "tests/leaderboards/test_batches.py",
]
PLAYING = [
    "tests/games/playing",
    "tests/games/live/test_watching.py",
    "tests/games/live/test_daily_socket.py",
    "tests/games/live/test_socket.py",
    "tests/games/races/test_socket.py",
]
RANKING = [
    "tests/leaderboards/test_ranking.py",
    "tests/leaderboards/test_replicas.py",
    "tests/leaderboards/test_agreement.py",
]
POLICY = ["tests/games/test_policy.py"]
SEEN = [
    "tests/games/test_policy.py",
    "tests/games/test_shared_deals.py",
    "tests/games/test_divisions.py",
    "tests/games/test_visibility.py",
    "tests/games/test_scouts.py",
    "tests/games/test_watermark.py",
    "tests/games/test_services.py",
    "tests/games/test_secret_access.py",
    "tests/games/test_practice.py",
    "tests/games/live/test_watching.py",
    "tests/games/rest/test_games.py",
    "tests/games/rest/test_deals.py",
    "tests/games/rest/test_dailies.py",
    "tests/games/rest/test_caching.py",
    "tests/games/races/test_secrecy.py",
]

TARGETS: dict[str, list[str]] = {
    "games/session.py": SESSION,
    "games/journal/batcher.py": JOURNAL,
    "games/journal/writer.py": JOURNAL,
    "games/journal/statements.py": JOURNAL,
    "games/journal/__init__.py": ENDS,
    "games/kit/batching.py": JOURNAL,
    "games/playing/audience.py": PLAYING,
    "games/playing/live_game.py": PLAYING,
    "games/playing/live_games.py": PLAYING,
    "games/playing/loss_notices.py": PLAYING,
    "games/playing/requests.py": PLAYING,
    "games/playing/restarting.py": PLAYING,
    "games/playing/hints.py": PLAYING,
    "leaderboards/ranking/view.py": RANKING,
    "leaderboards/ranking/sql.py": RANKING,
    "leaderboards/ranking/redis.py": RANKING,
    "leaderboards/ranking/replica.py": RANKING,
    "leaderboards/ranking/__init__.py": RANKING,
    "games/deals/policy.py": POLICY,
    "games/services/visibility.py": SEEN,
    "games/services/disclosure.py": SEEN,
}


def chosen(names: list[str]) -> dict[Path, list[str]]:
    """Return the targets whose paths begin with one of some names, all if there are none."""
    wanted = tuple(names) or ("",)
    return {Path(path): tests for path, tests in TARGETS.items() if path.startswith(wanted)}
