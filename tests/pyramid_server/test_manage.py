"""`manage.py` explains itself: help has examples, and a database that is down gets a sentence."""

import os
import re
import shlex
from pathlib import Path

import pytest
from django.core.management import load_command_class

from games.doors.commands import SETTINGS
from tests.processes import MANAGE, run

# Who asks for it is marked `servers`: there, the process that is forked has loaded what PostgreSQL takes.
NOBODY = {"DATABASE_URL": "postgres://nobody:secret@127.0.0.1:1/nothing", "PYRAMID_SECRET_KEY": "0123456789" * 5}


@pytest.mark.parametrize(
    ("app", "command"),
    [
        *(
            ("games", name)
            for name in (
                *(
                    "analyse",
                    "backup",
                    "erase_player",
                    "export_player",
                    "make_dailies",
                    "make_deals",
                    "recount",
                    "replay",
                ),
                *("rehearse_restore", "restore", "solve", "verify_daily", "worker"),
            )
        ),
        *(("leaderboards", name) for name in ("judge", "rebuild_ranks", "verify_scores")),
        ("pyramid_server", "serve"),
    ],
)
def test_the_example_of_a_command_is_one_that_it_accepts(app: str, command: str) -> None:
    loaded = load_command_class(app, command)
    assert loaded.requires_system_checks in ([], (SETTINGS,)), "those of the code load every page"
    parser = loaded.create_parser("manage.py", command)
    example = str(parser.epilog).removeprefix("Example: ").partition(" <")[0]
    program, named, *arguments = shlex.split(example)
    assert (program, named) == ("manage.py", command)
    parser.parse_args(arguments)
    assert example in " ".join(parser.format_help().split())


@pytest.mark.servers
def test_a_database_that_is_down_is_reported_in_one_line() -> None:
    ended = run([*MANAGE, "replay", "26b7f3kq2m8p1xz"], {**os.environ, **NOBODY})
    assert ended.returncode == 1
    assert ended.stderr.startswith("The database cannot be used: connection failed")
    assert ended.stderr.count("\n") == 1
    assert "secret" not in ended.stderr


def test_a_file_that_is_not_a_database_is_reported_in_one_line(tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_text(
        "Notes of the operator, which are longer than the head of a database would be, and say nothing." * 9
    )
    ended = run([*MANAGE, "replay", "26b7f3kq2m8p1xz"], {**os.environ, **NOBODY, "DATABASE_URL": f"sqlite:///{file}"})
    assert ended.returncode == 1
    assert ended.stderr == "The database cannot be used: file is not a database (--traceback shows more)\n"


@pytest.mark.servers
def test_a_worker_without_a_database_says_so_once_for_all_tasks() -> None:
    ended = run([*MANAGE, "worker", "--once"], {**os.environ, **NOBODY})
    lines = ended.stderr.splitlines()
    assert ended.returncode == 1
    assert ended.stderr.count(" failed: connection to server ") == 1
    assert all(re.match(r"\d{4}-\d\d-\d\d .* (ERROR|WARNING) games[.]", line) for line in lines), ended.stderr


@pytest.mark.servers
def test_the_traceback_is_there_for_those_who_ask_for_it() -> None:
    ended = run([*MANAGE, "replay", "26b7f3kq2m8p1xz", "--traceback"], {**os.environ, **NOBODY})
    assert ended.returncode == 1
    assert "Traceback" in ended.stderr
