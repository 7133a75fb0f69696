"""The command of a server that is installed by name."""

from __future__ import annotations

import os
import sys

import pytest

from pyramid_server import __version__, command_line
from tests.processes import run
from tests.pyramid_server.test_manage import NOBODY


@pytest.mark.parametrize(
    ("words", "output", "complaint"),
    [
        (["--version"], f"{__version__}\n", ""),
        (["--help"], command_line.USAGE, ""),
        ([], "", command_line.USAGE),
        (["backup"], "", command_line.USAGE),
    ],
)
def test_it_says_its_version_and_what_it_can_do(
    words: list[str],
    output: str,
    complaint: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(sys, "argv", ["/usr/bin/pyramid-server", *words])
    if complaint:
        with pytest.raises(SystemExit, match="2"):
            command_line.pyramid_server()
    else:
        command_line.pyramid_server()
    assert capsys.readouterr() == (output, complaint)


def test_every_other_command_is_below_manage_and_a_database_that_is_away_is_one_sentence() -> None:
    program = [sys.executable, "-c", "from pyramid_server.command_line import pyramid_server; pyramid_server()"]
    result = run([*program, "manage", "migrate"], {**os.environ, **NOBODY})
    assert result.returncode == 1
    assert result.stderr.startswith("The database cannot be used: ")
    assert "Traceback" not in result.stderr
