"""The modules loaded and the files written when the solver is used."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from games.solver import compiling


def run(code: str, **environment: str) -> str:
    command = [sys.executable, "-c", code]
    return subprocess.run(command, env=os.environ | environment, check=True, capture_output=True, text=True).stdout


def test_the_verdict_without_a_search_does_not_load_numba() -> None:
    assert run("import sys, games.solver.verdict; print('numba' in sys.modules)") == "False\n"


def test_a_server_answers_without_the_compiler_which_is_for_workers_and_searches() -> None:
    code = (
        "import sys, django; django.setup(); import pyramid_server.asgi, pyramid_server.urls;"
        "print({'numba', 'numpy'} & sys.modules.keys())"
    )
    environment = {
        "DJANGO_SETTINGS_MODULE": "pyramid_server.settings",
        "PYRAMID_SECRET_KEY": "s" * 50,
        "PYRAMID_HEARTBEAT_SECONDS": "0",
    }
    assert run(code, **environment) == "set()\n"


def test_what_commands_have_other_processes_do_is_loaded_there_without_the_command() -> None:
    modules = "games.management.commands.solve, games.puzzles.finding, games.puzzles.loading, games.rule_sets.counting"
    assert run(f"import {modules}") == ""


def test_without_a_writable_folder_nothing_is_cached_and_all_else_works() -> None:
    code = "from games.solver import compiling; print(compiling.FOLDER, compiling.kernel(lambda x: x + 1)(1))"
    assert run(code, NUMBA_CACHE_DIR="/proc/nowhere") == "None 2\n"


def test_the_cache_folder_is_named_after_the_sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    assert str(compiling._cache_folder()).startswith(str(tmp_path / "solver-"))
