"""The comparison with another server says in a sentence what it needs."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bench import beside


@pytest.fixture(autouse=True)
def _nothing_installed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql://localhost/nowhere")
    monkeypatch.setattr(beside, "INSTALLED", tmp_path / "colyseus")
    for program, text in (("node", "exit 0"), ("npm", "echo no registry >&2; exit 1")):
        (tmp_path / program).write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
        (tmp_path / program).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin")


def test_without_postgresql_it_names_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "sqlite:///own.sqlite3")
    with pytest.raises(SystemExit, match="make bench-beside"):
        beside.main()


def test_without_node_it_names_the_packages(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path / "empty"))
    with pytest.raises(SystemExit, match="apt-get install nodejs npm"):
        beside.main()


def test_what_npm_could_not_install_is_asked_for_again(tmp_path: Path) -> None:
    for _ in range(2):
        with pytest.raises(SystemExit, match=r"could not install Colyseus .*no registry"):
            beside.main()
    (tmp_path / "npm").write_text("#!/bin/sh\nmkdir -p node_modules && touch node_modules/.package-lock.json\n")
    beside.install()
    (tmp_path / "npm").write_text("#!/bin/sh\nexit 1\n")
    beside.install()
