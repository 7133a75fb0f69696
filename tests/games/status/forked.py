"""A command of `manage.py` whose own commands are forks of it: to load all code five times takes longer than they do.

`python -m tests.games.status.forked rehearse_restore ...`; that they can be processes of their own, the journeys show.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from tempfile import TemporaryFile
from typing import Any, NoReturn

from django.db import connections

from games.runtime import restoring
from pyramid_server.command_line import manage
from pyramid_server.postgresql import silence
from tests import loaded
from tests.waiting import SECONDS

STARTED = [sys.executable, "-m", "django"]


class Forking:
    """Stands for the module `subprocess`."""

    def __getattr__(self, name: str) -> Any:
        return getattr(subprocess, name)

    def run(self, command: Sequence[str], **options: Any) -> subprocess.CompletedProcess[str]:
        if [*command[:3]] != STARTED:
            done: subprocess.CompletedProcess[str] = subprocess.run(command, **options)  # noqa: PLW1510  as it says
            return done
        with TemporaryFile("w+") as output, TemporaryFile("w+") as errors:
            sys.stdout.flush()
            if (process := os.fork()) == 0:
                os.dup2(output.fileno(), 1)
                os.dup2(errors.fileno(), 2)
                become(loaded.Job([*command], options["env"]))
            _, status = os.waitpid(process, 0)
            for file in (output, errors):
                file.seek(0)
            code = os.waitstatus_to_exitcode(status)
            return subprocess.CompletedProcess(command, code, output.read(), errors.read())


def become(job: loaded.Job) -> NoReturn:
    _of_the_parent = connections.all(initialized_only=True)  # kept: to close them is to use them in two processes
    # The command has asked where its log has its key, which is asked each time, and elsewhere for another database.
    read = {name: value for name, value in loaded.settings_read().items() if name != "PYRAMID_LOG_KEY_FILE"}
    code: object = 0
    try:
        loaded.do(job, loaded.others_in(os.environ), read)
    except SystemExit as end:
        code = end.code
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code if isinstance(code, int) else int(code is not None))


if __name__ == "__main__":
    vars(restoring)["subprocess"] = Forking()
    vars(silence)["GONE_SECONDS"] = SECONDS  # the database is on this machine, which may be busy
    manage(["manage.py", *sys.argv[1:]])
