"""The modules and scripts that are given faults, and the tests that have to notice, by name wherever they are."""

from __future__ import annotations

from pathlib import Path

# The quickest first: most faults never see the others. Of these tests a fault gets those that reach its line.
SESSION = ["tests.games.test_session", "tests.games.test_uptime"]
JOURNAL = ["tests.games.test_group_commit", "tests.games.test_journal", "tests.games.test_starting"]
ENDS = [
    *JOURNAL,
    "tests.games.playing.test_endings",
    "tests.games.test_services",
    "tests.leaderboards.test_batches",
]
PLAYING = [
    "tests.games.playing",
    "tests.games.live.test_watching",
    "tests.games.live.test_daily_socket",
    "tests.games.live.test_socket",
    "tests.games.races.test_socket",
]
RANKING = [
    "tests.leaderboards.test_ranking",
    "tests.leaderboards.test_replicas",
    "tests.leaderboards.test_agreement",
]
POLICY = ["tests.games.test_policy"]
SEEN = [
    "tests.games.test_policy",
    "tests.games.test_shared_deals",
    "tests.games.test_divisions",
    "tests.games.test_visibility",
    "tests.games.test_scouts",
    "tests.games.test_watermark",
    "tests.games.test_services",
    "tests.games.test_secret_access",
    "tests.games.test_practice",
    "tests.games.live.test_watching",
    "tests.games.rest.test_games",
    "tests.games.rest.test_deals",
    "tests.games.rest.test_dailies",
    "tests.games.rest.test_caching",
    "tests.games.races.test_secrecy",
]

RULES = [
    "tests.games.rules.test_play",
    "tests.games.rules.test_outcome_for_player",
    "tests.games.rules.test_record",
    "tests.games.test_session",
]
ENTERED = [
    "tests.leaderboards.test_submission",
    "tests.leaderboards.test_fair_boards",
    "tests.leaderboards.test_batches",
    "tests.leaderboards.test_verifying",
]
DECIDED = [
    "tests.leaderboards.review.test_deciding",
    "tests.leaderboards.review.test_cases",
    "tests.leaderboards.review.test_rest",
]
MODERATED = ["tests.leaderboards.test_moderation", "tests.leaderboards.test_fair_boards", *DECIDED]
ROOMS = ["tests.games.races.test_rooms", "tests.games.races.test_invitations"]
LIMITED = ["tests.games.kit.test_limits"]
SIGNED_IN = [
    "tests.games.rest.test_keys",
    "tests.games.rest.test_authorisation",
    "tests.games.live.test_revoked_keys",
    "tests.games.live.test_news_socket",
    "tests.pyramid_server.test_odd_requests",
]
CONNECTED = [
    "tests.games.kit.test_connection",
    "tests.games.live.test_socket",
    "tests.games.live.test_refusals",
    "tests.games.live.test_revoked_keys",
]

TARGETS: dict[str, list[str]] = {
    "games.session": SESSION,
    "games.journal.batcher": JOURNAL,
    "games.journal.writer": JOURNAL,
    "games.journal.statements": JOURNAL,
    "games.journal": ENDS,
    "games.kit.batching": JOURNAL,
    "games.playing.audience": PLAYING,
    "games.playing.live_game": PLAYING,
    "games.playing.live_games": PLAYING,
    "games.playing.loss_notices": PLAYING,
    "games.playing.requests": PLAYING,
    "games.playing.restarting": PLAYING,
    "games.playing.hints": PLAYING,
    "leaderboards.ranking.view": RANKING,
    "leaderboards.ranking.sql": RANKING,
    "leaderboards.ranking.redis": RANKING,
    "leaderboards.ranking.replica": RANKING,
    "leaderboards.ranking": RANKING,
    "games.deals.policy": POLICY,
    "games.services.visibility": SEEN,
    "games.services.disclosure": SEEN,
    "games.rules.play": RULES,
    "leaderboards.services.submission": ENTERED,
    "leaderboards.services.moderation": MODERATED,
    "leaderboards.review.deciding": DECIDED,
    "leaderboards.review.cases": DECIDED,
    "games.services.races.rooms": ROOMS,
    "games.kit.limits": LIMITED,
    "games.kit.authentication": SIGNED_IN,
    "games.kit.sockets.connection": CONNECTED,
}

# The scripts of the pages that run in Node; those that draw are tested in a browser, which takes too long a fault.
CHECKED = ["verify.test.mjs", "fairness.test.mjs"]
PLAYED = ["position.test.mjs", "game.test.mjs"]
SCRIPTS: dict[str, list[str]] = {
    "verify.js": CHECKED,
    "proof.js": CHECKED,
    "grade.js": CHECKED,
    "winnable.js": CHECKED,
    "game.js": PLAYED,
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
