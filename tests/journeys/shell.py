"""Run the code blocks of a document as its readers do."""

from __future__ import annotations

import re
import shutil
import subprocess
import textwrap
from pathlib import Path

import pytest

from tests.processes import PROJECT

INDENTED = re.compile(r"(?:^    .*\n|^\n(?=    ))+", re.MULTILINE)


def code_under(document: str, heading: str) -> str:
    """Return the first indented block under a heading."""
    section = (PROJECT / document).read_text().split(f"## {heading}\n")[1].split("\n## ")[0]
    block = INDENTED.search(section)
    assert block
    return textwrap.dedent(block[0])


def shell(script: str, url: str, folder: Path = PROJECT) -> str:
    """Run a script in bash, with the address of a server in place of that in the documents; return its output."""
    if missing := [program for program in ("curl", "jq") if not shutil.which(program)]:
        pytest.skip(f"the documents' examples need {' and '.join(missing)}: apt-get install curl jq")
    script = script.replace("http://127.0.0.1:8000", url)
    command = ["/bin/bash", "-euo", "pipefail", "-c", script]
    ended = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60, check=False)
    assert ended.returncode == 0, ended.stderr
    return ended.stdout
