from __future__ import annotations

import os
import secrets
from contextlib import suppress
from pathlib import Path
from tempfile import NamedTemporaryFile


def kept_secret(path: Path) -> str:
    """Return the secret from a file that only its owner can read; the first call creates it."""
    if not path.exists():
        with NamedTemporaryFile("w", dir=path.parent) as fresh:
            fresh.write(secrets.token_urlsafe(50))
            fresh.flush()
            # Server and worker may start at the same moment; linking is atomic, so both read the same file.
            with suppress(FileExistsError):
                os.link(fresh.name, path)
    return path.read_text()
