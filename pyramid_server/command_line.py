"""The commands: `manage.py` in a clone, `pyramid-server` in an installation by name."""

import os
import sys
from collections.abc import Sequence

from django.core.management import execute_from_command_line
from django.db import OperationalError, ProgrammingError

from pyramid_server import __version__, folders
from pyramid_server.env import SettingsError

USAGE = """\
usage: pyramid-server serve [--host HOST] [--port PORT]    run everything on this machine
       pyramid-server worker                               run the periodic tasks
       pyramid-server manage COMMAND ...                   run any other command; without one, list them
       pyramid-server --version

Data is kept in ~/pyramid-server, or in the folder that PYRAMID_FOLDER names.
"""


def pyramid_server() -> None:
    program, *words = sys.argv
    match words:
        case ["manage", *command]:
            manage([f"{program} manage", *command])
        case ["serve" | "worker", *_]:
            manage(sys.argv)
        case ["--version"]:
            sys.stdout.write(f"{__version__}\n")
        case ["--help" | "-h"]:
            sys.stdout.write(USAGE)
        case _:
            sys.stderr.write(USAGE)
            sys.exit(2)


def manage(arguments: Sequence[str]) -> None:
    """Run a command of Django; its expected failures are one sentence each."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pyramid_server.settings")
    try:
        execute_from_command_line([*arguments])
    except SettingsError as error:
        sys.exit(str(error))
    except (OperationalError, ProgrammingError) as error:
        is_without_tables = "no such table" in str(error) or "does not exist" in str(error)
        if "--traceback" in arguments or not (is_without_tables or isinstance(error, OperationalError)):
            raise
        if is_without_tables:
            sys.exit(f"The database lacks tables: run {managing()} migrate first (--traceback shows more)")
        sys.exit(f"The database cannot be used: {str(error).strip().splitlines()[0]} (--traceback shows more)")
    except KeyboardInterrupt:
        sys.exit(130)


def managing() -> str:
    """Return the words before the name of a command."""
    return "pyramid-server manage" if folders.IS_INSTALLED else "manage.py"
