"""The modules and scripts that are given faults, and the tests that have to notice, by name wherever they are."""

from __future__ import annotations

from pathlib import Path

# The quickest first: most faults never see the others. Of these tests a fault gets those that reach its line.
SESSION = ["tests.games.play.test_session", "tests.games.play.test_uptime"]
JOURNAL = ["tests.games.play.test_group_commit", "tests.games.play.test_journal", "tests.games.play.test_starting"]
ENDS = [
    *JOURNAL,
    "tests.games.play.test_endings",
    "tests.games.play.test_services",
    "tests.leaderboards.boards.test_batches",
]
PLAYING = [
    "tests.games.play.test_endings",
    "tests.games.play.test_falling_behind",
    "tests.games.play.test_notices",
    "tests.games.play.test_two_doors",
    "tests.games.play.test_watching",
    "tests.games.play.test_daily_socket",
    "tests.games.play.test_socket",
    "tests.games.races.test_socket",
]
RANKING = [
    "tests.leaderboards.boards.test_ranking",
    "tests.leaderboards.boards.test_replicas",
    "tests.leaderboards.boards.test_agreement",
]
POLICY = ["tests.games.deals.test_policy"]
SEEN = [
    "tests.games.deals.test_policy",
    "tests.games.practice.test_shared_deals",
    "tests.games.calendar.test_divisions",
    "tests.games.play.test_visibility",
    "tests.games.play.test_scouts",
    "tests.games.deals.test_watermark",
    "tests.games.play.test_services",
    "tests.games.days.test_secret_access",
    "tests.games.practice.test_practice",
    "tests.games.play.test_watching",
    "tests.games.play.test_games_rest",
    "tests.games.practice.test_rest",
    "tests.games.days.test_rest",
    "tests.games.doors.test_caching",
    "tests.games.races.test_secrecy",
]

RULES = [
    "tests.games.rules.test_play",
    "tests.games.rules.test_outcome_for_player",
    "tests.games.rules.test_record",
    "tests.games.play.test_session",
]
ENTERED = [
    "tests.leaderboards.boards.test_submission",
    "tests.leaderboards.boards.test_fair_boards",
    "tests.leaderboards.boards.test_batches",
    "tests.leaderboards.audit.test_verifying",
]
DECIDED = [
    "tests.leaderboards.moderation.test_deciding",
    "tests.leaderboards.moderation.test_cases",
    "tests.leaderboards.moderation.test_appeals",
    "tests.leaderboards.moderation.test_rest",
    "tests.leaderboards.moderation.test_examining",
    "tests.leaderboards.moderation.test_links",
    "tests.leaderboards.moderation.test_scouts",
]
MODERATED = ["tests.leaderboards.boards.test_decisions", "tests.leaderboards.boards.test_fair_boards", *DECIDED]
ROOMS = [
    "tests.games.races.test_codes",
    "tests.games.races.test_course",
    "tests.games.races.test_rooms",
    "tests.games.races.test_invitations",
]
LIMITED = ["tests.games.runtime.test_limits"]
SIGNED_IN = [
    "tests.games.keys.test_rest",
    "tests.games.keys.test_authentication",
    "tests.games.keys.test_revoked_keys",
    "tests.games.notifications.test_socket",
    "tests.pyramid_server.test_odd_requests",
]
CONNECTED = [
    "tests.games.doors.test_connection",
    "tests.games.play.test_socket_refusals",
    "tests.games.runtime.test_clock",
    "tests.games.keys.test_revoked_keys",
]

TARGETS: dict[str, list[str]] = {
    "games.play.session": SESSION,
    "games.play.journal.batcher": JOURNAL,
    "games.play.journal.writer": JOURNAL,
    "games.play.journal.statements": JOURNAL,
    "games.play.journal": ENDS,
    "games.runtime.batching": JOURNAL,
    "games.play.live.audience": PLAYING,
    "games.play.live.live_game": PLAYING,
    "games.play.live.live_games": PLAYING,
    "games.play.live.hints": PLAYING,
    "games.play.live.requests": PLAYING,
    "leaderboards.boards.ranking.view": RANKING,
    "leaderboards.boards.ranking.sql": RANKING,
    "leaderboards.boards.ranking.redis": RANKING,
    "leaderboards.boards.ranking.replica": RANKING,
    "leaderboards.boards.ranking": RANKING,
    "games.deals.policy": POLICY,
    "games.play.visibility": SEEN,
    "games.days.disclosure": SEEN,
    "games.rules.play": RULES,
    "leaderboards.boards.submission": ENTERED,
    "leaderboards.boards.decisions": MODERATED,
    "leaderboards.moderation.deciding": DECIDED,
    "leaderboards.moderation.cases": DECIDED,
    "games.races.rooms": ROOMS,
    "games.runtime.limits": LIMITED,
    "games.keys.authentication": SIGNED_IN,
    "games.doors.sockets.connection": CONNECTED,
    "games.keys.sockets": CONNECTED,
}

# The scripts of the pages that run in Node; those that draw are tested in a browser, which takes too long a fault.
CHECKED = ["verify.test.mjs", "fairness.test.mjs"]
GRADED = ["fairness.test.mjs"]
PLAYED = ["game.test.mjs", "position.test.mjs"]
SCRIPTS: dict[str, list[str]] = {
    "verify.js": CHECKED,
    "proof.js": CHECKED,
    "grade.js": GRADED,
    "winnable.js": CHECKED,
    "game.js": ["game.test.mjs"],
    "position.js": PLAYED,
    "rules.js": [*PLAYED, "layout.test.mjs"],
    "notation.js": PLAYED,
    "layout.js": ["layout.test.mjs"],
}


def chosen(names: list[str]) -> dict[Path, list[str]]:
    """Return the files of the targets that some names begin, all if there are none, with the files of their tests."""
    wanted = tuple(name.removesuffix(".py").replace("/", ".") for name in names) or ("",)
    modules = {module: tests for module, tests in TARGETS.items() if module.startswith(wanted)}
    return {path_of(module): [str(path_of(test)) for test in tests] for module, tests in modules.items()}


def chosen_scripts(names: list[str]) -> dict[Path, list[Path]]:
    """Return the same of the scripts."""
    scripts = {script: tests for script, tests in SCRIPTS.items() if not names or script in names}
    return {script_at(script): [script_at(test) for test in tests] for script, tests in scripts.items()}


def path_of(module: str) -> Path:
    """Return the file of a module; of a package that holds tests its folder."""
    path = Path(*module.split("."))
    if module.startswith("tests.") and path.is_dir():
        return path
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def script_at(name: str) -> Path:
    """Return the only script of a name that is the project's own."""
    (path,) = (path for path in own_scripts() if path.name == name)
    return path


def own_scripts() -> list[Path]:
    """Return the scripts of the pages and of their tests, without those that are fetched."""
    folders = (Path(name) for name in ("games", "leaderboards", "clients", "tests"))
    found = [path for folder in folders for ending in ("*.js", "*.mjs") for path in folder.rglob(ending)]
    return [path for path in found if "node_modules" not in path.parts]
