"""The keys with which the log is signed. They lie outside of the database.

They are in a setting; without it, nodes that share PostgreSQL derive one from the secret that they share too, and
beside an SQLite database lies a file. It has one key a line, the one that signs from now on first, and beside it is the
last head that was signed, by which a server notices that its database is older than what it has published. The name in
a key is the origin of the log.
"""

import hashlib
import os
import secrets
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import NamedTemporaryFile
from urllib.parse import urlsplit

from django.conf import settings
from django.db import connection

from games.tlog.heads import Head
from games.tlog.notes import LOG, SecretKey


def log_keys() -> list[SecretKey]:
    """Return the keys of this server, all with one name. The first call makes the file, if they are in one."""
    if not is_in_file():
        text = settings.PYRAMID_LOG_KEY or _derived().text
    else:
        path = key_file()
        if not path.exists():
            write_private(path, f"{made_key().text}\n", is_new=True)
        text = path.read_text()
    keys = [SecretKey.from_text(line, LOG) for line in text.split()]
    if not keys or len({secret.key.name for secret in keys}) > 1:
        raise ValueError("the keys of the log have several names, or there is none")
    return keys


def is_in_file() -> bool:
    return not settings.PYRAMID_LOG_KEY and connection.vendor == "sqlite"


def key_file() -> Path:
    return Path(settings.PYRAMID_LOG_KEY_FILE)


def made_key(name: str = "") -> SecretKey:
    """Return a new key, of a new log unless it gets the name of one."""
    host = urlsplit(settings.PYRAMID_PUBLIC_URL).netloc.lower()
    return SecretKey.made(name or f"{host}/tlog/{secrets.token_hex(4)}", LOG)


def keep_keys(keys: Sequence[SecretKey]) -> None:
    """Write the keys into their file."""
    write_private(key_file(), "".join(f"{secret.text}\n" for secret in keys))


def last_head() -> Head | None:
    """Return the last head that was signed with the keys of the file."""
    with suppress(FileNotFoundError):
        return Head.from_text(_head_file().read_text()) if is_in_file() else None
    return None


def keep_head(head: Head) -> None:
    """Remember a head that is going to be signed, if the keys lie in a file."""
    if is_in_file():
        write_private(_head_file(), head.text)


def _derived() -> SecretKey:
    secret = hashlib.sha256(f"games.tlog|{settings.SECRET_KEY}".encode()).digest()
    name = hashlib.sha256(secret).hexdigest()[:16]
    return SecretKey.of(f"pyramid-{name}.invalid/tlog", LOG, secret)


def _head_file() -> Path:
    path = key_file()
    return path.with_name(f"{path.name}.head")


def write_private(path: Path, text: str, *, is_new: bool = False) -> None:
    """Write a file that only its owner can read, in one step; a new one leaves another that came first as it is."""
    fresh = NamedTemporaryFile("w", dir=path.parent, delete=False)  # noqa: SIM115  closed below
    try:
        with fresh:
            fresh.write(text)
            fresh.flush()
            os.fsync(fresh.fileno())
        if is_new:
            with suppress(FileExistsError):
                os.link(fresh.name, path)
        else:
            Path(fresh.name).replace(path)
    finally:
        Path(fresh.name).unlink(missing_ok=True)
