"""Run the code blocks of a document as its readers do."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from socket import AF_UNIX, SHUT_RDWR, SOCK_SEQPACKET, recv_fds, socket
from tempfile import TemporaryDirectory
from threading import Thread

import pytest

from tests.loaded import LONGEST_REQUEST
from tests.processes import PROJECT, kind_of_process

INDENTED = re.compile(r"(?:^    .*\n|^\n(?=    ))+", re.MULTILINE)

OF_SHELLS = {"OLDPWD", "PWD", "SHLVL", "_"}  # variables that bash sets


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
    ended = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=180, check=False)
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


@contextmanager
def python_of_scripts() -> Iterator[str]:
    """Yield what starts commands of the project in scripts as `tests.processes.run` does: as forks."""
    with TemporaryDirectory(prefix="pyramid-") as folder, socket(AF_UNIX, SOCK_SEQPACKET) as door:
        address = f"{folder}/python"
        door.bind(address)
        door.listen()
        starting = Thread(target=_start_what_is_asked_for, args=[door])
        starting.start()
        try:
            yield shlex.join([sys.executable, "-IS", f"{PROJECT}/tests/ask_for_command.py", address])
        finally:
            door.shutdown(SHUT_RDWR)
            starting.join()


def _start_what_is_asked_for(door: socket) -> None:
    with suppress(OSError):  # nobody may ask any more
        while True:
            asking, _ = door.accept()
            with asking:
                _start(asking)


def _start(asking: socket) -> None:
    """Run a command to its end where its script has its input and output, and return its exit code to it."""
    request, inherited, _, _ = recv_fds(asking, LONGEST_REQUEST, 3)
    words, variables = json.loads(request)
    environment = {name: value for name, value in variables.items() if name not in OF_SHELLS}
    environment |= {name: os.environ[name] for name in OF_SHELLS & os.environ.keys()}
    command, (given, out, errors) = [sys.executable, *words], inherited
    options = {"stdin": given, "stdout": out, "stderr": errors, "env": environment, "cwd": PROJECT}
    with kind_of_process(command)(command, **options) as process:  # type: ignore[call-overload]
        for descriptor in inherited:
            os.close(descriptor)
        asking.send(str(process.wait()).encode())
