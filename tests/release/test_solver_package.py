"""The solver is a package of its own, which needs nothing of the server."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.processes import PROJECT
from tests.release.solver_package import FOLDERS, PACKAGE, write_package

# Without a search, which would be compiled. Packages of the environment are found, those of the project are not.
SOLVES = """
import pyramid_solver, sys
from pyramid_solver.rules import RULE_SETS, Position
from pyramid_solver.verdict import verdict
text = "4c/5d8h/------/--------/----------/------------/-------------- Kc|9h *"
print(verdict(Position.from_text(text, RULE_SETS["standard"])), pyramid_solver.NODE_LIMIT)
print({"games", "django", "leaderboards", "pyramid_server"} & set(sys.modules))
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_package(PROJECT, tmp_path)
    return tmp_path


def run(folder: Path, *words: str) -> str:
    command, environment = [sys.executable, *words], {"PYTHONPATH": str(folder)}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_it_solves_without_anything_of_the_server(folder: Path) -> None:
    assert run(folder, "-c", SOLVES) == "True 1000000\nset()\n"


def test_its_command_calls_itself_by_its_name(folder: Path) -> None:
    assert "usage: python -m pyramid_solver" in run(folder, "-m", PACKAGE, "--help")


def test_no_module_is_left_out_and_none_names_the_server(folder: Path) -> None:
    for original, name in FOLDERS.items():
        assert {file.name for file in (PROJECT / original).glob("*")} - {"__pycache__"} == {
            file.name for file in (folder / name).glob("*.py")
        }
    texts = {file.name: file.read_text() for file in folder.rglob("*.py")}
    assert [name for name, text in texts.items() if re.search(r"^(?:from|import) games\b", text, re.MULTILINE)] == []
