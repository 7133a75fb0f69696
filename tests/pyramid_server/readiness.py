"""Readiness as it is in a process that nobody has asked before."""

import pytest

from pyramid_server import health
from pyramid_server.postgresql.silence import silence


def look_afresh(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have every probe look for itself: none gets what another test has found within the last second."""
    silence.end()
    monkeypatch.setattr(health, "KEPT_SECONDS", 0)
    for name, value in (("_looking", None), ("_look_again_at", 0.0), ("_last", {})):
        monkeypatch.setattr(health._readiness, name, value)
