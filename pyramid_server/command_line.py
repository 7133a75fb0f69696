"""The commands: `manage.py` in a clone, `pyramid-server` in an installation by name."""

import sys
from collections.abc import Iterator, Sequence

from django.core.management import execute_from_command_line
from django.db import DatabaseError, OperationalError
from psycopg.errors import InsufficientPrivilege, UndefinedColumn, UndefinedTable

from pyramid_server import __version__, folders

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
    try:
        execute_from_command_line([*arguments])
    except DatabaseError as error:
        sentence = None if "--traceback" in arguments else _sentence_about(error)
        if sentence is None:
            raise
        sys.exit(f"{sentence} (--traceback shows more)")
    except KeyboardInterrupt:
        sys.exit(130)


def _sentence_about(error: DatabaseError) -> str | None:
    """Return what an operator can do about a failure of the database, or nothing if it is a fault of the program."""
    causes = [*_causes_of(error)]
    if "no such table" in str(error) or any(isinstance(cause, (UndefinedTable, UndefinedColumn)) for cause in causes):
        return f"The database lacks tables: run {managing()} migrate first"
    denied = next((cause for cause in causes if isinstance(cause, InsufficientPrivilege)), None)
    if denied:
        return (
            f"The role of DATABASE_URL may not do that ({_first_line(denied)}); "
            "to change tables, connect as the owner of the database, see docs/postgresql.md"
        )
    is_damaged = type(error) is DatabaseError  # as SQLite says of a file that is not a database, or no longer one
    is_unusable = isinstance(error, OperationalError) or is_damaged
    return f"The database cannot be used: {_first_line(error)}" if is_unusable else None


def _causes_of(error: BaseException | None) -> Iterator[BaseException]:
    while error:
        yield error
        error = error.__cause__ or error.__context__


def _first_line(error: BaseException) -> str:
    return str(error).strip().partition("\n")[0]


def managing() -> str:
    """Return the words before the name of a command."""
    return "pyramid-server manage" if folders.IS_INSTALLED else "manage.py"
