"""The commands of README.md work as shown."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import textwrap

import pytest

from tests.journeys.conftest import Server
from tests.processes import PROJECT, free_port, run

README = (PROJECT / "README.md").read_text()


def code_under(heading: str) -> str:
    """Return the first indented block under a heading."""
    section = README.split(f"## {heading}\n")[1].split("\n## ")[0]
    block = re.search(r"(?:^    .*\n|^\n(?=    ))+", section, re.MULTILINE)
    assert block
    return textwrap.dedent(block[0])


def test_ten_lines_of_shell_win_a_game(server: Server) -> None:
    if missing := [program for program in ("curl", "jq") if not shutil.which(program)]:
        pytest.skip(f"the README's example needs {' and '.join(missing)}: apt-get install curl jq")
    script = code_under("A win in ten lines of shell")
    assert len(script.strip().splitlines()) == 10
    script = script.replace("http://127.0.0.1:8000", server.url)
    shell = subprocess.run(["/bin/bash", "-euc", script], capture_output=True, text=True, timeout=60, check=True)
    shown = shell.stdout
    assert '"result":"won"' in shown
    assert '"cards_left":0' in shown


def test_the_thin_client_is_as_thin_as_the_readme_says() -> None:
    lines = (PROJECT / "docs/examples/thin_client.py").read_text().splitlines()
    assert len(lines) <= 100
    imports = {line.split()[1].split(".")[0] for line in lines if re.match(r"(from|import) ", line)}
    assert imports == {"argparse", "json", "urllib", "typing", "websockets"}


@pytest.mark.parametrize(("example", "status"), [("thin_client.py", 1), ("verify_daily.py", 2)])
def test_an_example_says_in_a_sentence_that_the_server_is_down(example: str, status: int) -> None:
    address = f"http://127.0.0.1:{free_port()}"
    ended = run([sys.executable, f"docs/examples/{example}", address], dict(os.environ))
    assert ended.returncode == status
    assert address in ended.stderr
    assert len(ended.stderr.splitlines()) == 1


@pytest.mark.parametrize("example", ["thin_client.py", "verify_daily.py"])
def test_an_example_explains_its_arguments(example: str) -> None:
    ended = run([sys.executable, f"docs/examples/{example}", "--help"], dict(os.environ))
    assert ended.returncode == 0
    assert "server" in ended.stdout
