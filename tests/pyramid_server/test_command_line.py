"""The command of a server that is installed by name."""

from __future__ import annotations

import sys

import pytest
from django.db import OperationalError

from pyramid_server import __version__, command_line


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


@pytest.mark.parametrize(
    ("words", "run"),
    [
        (["manage", "migrate", "--plan"], ["/usr/bin/pyramid-server manage", "migrate", "--plan"]),
        (["worker", "--once"], ["/usr/bin/pyramid-server", "worker", "--once"]),
    ],
)
def test_every_other_command_is_below_manage_and_a_database_that_is_away_is_one_sentence(
    words: list[str], run: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def find_it_away(arguments: list[str]) -> None:
        assert arguments == run
        raise OperationalError("connection failed\nIs the server running?")

    monkeypatch.setattr(sys, "argv", ["/usr/bin/pyramid-server", *words])
    monkeypatch.setattr(command_line, "execute_from_command_line", find_it_away)
    with pytest.raises(SystemExit) as ended:
        command_line.pyramid_server()
    assert ended.value.code == "The database cannot be used: connection failed (--traceback shows more)"
