"""The measurements of the log, small: who reads all of it finds the head that was signed."""

from __future__ import annotations

import pytest

from tests.bench import log


def test_an_auditor_of_the_measured_log_finds_its_head(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log, "LEAVES", 600)
    monkeypatch.setattr(log, "AGAIN", 20)
    figures = {row.what.partition(": ")[2].partition(": ")[2]: row.figure for row in log.rows()}
    assert len(figures) == 16
    assert figures["a proof of a result, 3 witnesses"] < 4096
