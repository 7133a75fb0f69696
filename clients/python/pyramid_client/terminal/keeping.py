"""The token of each server, kept for the next time in a file that only its owner can read."""

from __future__ import annotations

import json
import os
from pathlib import Path


def file_of_tokens() -> Path:
    folder = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    return Path(folder) / "pyramid" / "tokens.json"


def kept_token(server: str) -> str:
    """Return the token for a server, empty if none is kept."""
    return str(_all().get(server, ""))


def keep_token(server: str, token: str) -> None:
    file = file_of_tokens()
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    new = file.with_suffix(".new")
    new.touch(mode=0o600)
    new.write_text(json.dumps(_all() | {server: token}), encoding="utf-8")
    new.replace(file)


def _all() -> dict[str, str]:
    try:
        known = json.loads(file_of_tokens().read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return known if isinstance(known, dict) else {}
