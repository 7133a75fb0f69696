"""Files that only their owner may read: the database and the secret key."""

import os
import secrets
import stat
from contextlib import suppress
from pathlib import Path
from tempfile import NamedTemporaryFile

from pyramid_server.env import SettingsError

OWNER_ONLY = 0o600


def keep_private(database: Path) -> None:
    """Make an SQLite file, and those that SQLite keeps beside it, readable for their owner alone.

    A database that does not exist yet is made, empty: SQLite itself would let everyone read it.
    """
    with suppress(OSError):  # opening it later will explain
        if database.parent.is_dir():
            os.close(os.open(database, os.O_CREAT | os.O_RDONLY, OWNER_ONLY))
    if not _is_database(database):
        return
    for file in (database, Path(f"{database}-wal"), Path(f"{database}-shm")):
        with suppress(OSError):  # it is not there, or another user's
            if stat.S_IMODE(file.stat().st_mode) & ~OWNER_ONLY:
                file.chmod(OWNER_ONLY)


def _is_database(file: Path) -> bool:
    """Return True for a file of SQLite, or an empty one: a mistake in the settings may name any file of the machine."""
    with suppress(OSError):
        if file.is_file():
            with file.open("rb") as content:
                return content.read(15) in {b"SQLite format 3", b""}
    return False


def kept_secret(path: Path) -> str:
    """Return the secret from a file that only its owner can read; the first call creates it. A damaged one is empty.

    Raises SettingsError if it cannot be written or read.
    """
    try:
        if not path.exists():
            _make_secret(path)
        return path.read_text("utf-8")
    except UnicodeDecodeError:
        return ""
    except OSError as error:
        raise SettingsError(f"The secret key cannot be kept in {path}: {error.strerror}") from error


def _make_secret(path: Path) -> None:
    with NamedTemporaryFile("w", dir=path.parent) as fresh:
        fresh.write(secrets.token_urlsafe(50))
        fresh.flush()
        os.fsync(fresh.fileno())  # after a power cut, the name would otherwise be there without the secret
        # Server and worker may start at the same moment; linking is atomic, so both read the same file.
        with suppress(FileExistsError):
            os.link(fresh.name, path)
