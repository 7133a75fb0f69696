"""Readiness as it is in a process that nobody has asked before."""

import pytest

from pyramid_server import health


def look_afresh(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have every probe look for itself: none gets what another test has found within the last second."""
    monkeypatch.setattr(health, "KEPT_SECONDS", 0)
    monkeypatch.setattr(health, "_readiness", health.Readiness())
