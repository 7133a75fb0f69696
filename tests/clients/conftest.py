from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.journeys.conftest import Server
from tests.processes import own_database


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Return a server for all modules, which make more guests than one address may have."""
    with own_database(tmp_path_factory.mktemp("server")) as environment:
        environment["PYRAMID_GUESTS_PER_HOUR"] = "100"
        with Server(environment).running() as server:
            yield server


@pytest.fixture(autouse=True)
def _no_long_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pyramid_client.steps.LONGEST_WAIT", 0.01)
