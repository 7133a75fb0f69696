"""The disk of the database is full for a while: a file system of some megabytes, which the server alone sees."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.error import HTTPError

import pytest
from django.conf import settings

from tests.journeys.conftest import Server, daphne
from tests.journeys.drawing import Drawing
from tests.journeys.refusals import refusal_of, require_database
from tests.processes import UNLIMITED, own_database
from tests.with_servers import wait_for

# In a namespace of the process, which needs no root.
PRIVATE = ["unshare", "--map-root-user", "--mount"]
MOUNT = 'mount -t tmpfs -o size=8m none "$1" && cp "$2" "$1" && shift 2 && exec "$@"'


NO_SPACE = (503, "unavailable", "the database cannot write: its disk is full")


def can_mount() -> bool:
    words = [*PRIVATE, "mount", "-t", "tmpfs", "none", "/mnt"]
    return (
        shutil.which("unshare") is not None and subprocess.run(words, capture_output=True, check=False).returncode == 0
    )


pytestmark = pytest.mark.skipif(settings.REDIS_URL != "", reason="on SQLite")

if not can_mount():  # a whole module is left out in CI too: no package gives this permission of the kernel
    pytest.skip("needs user namespaces", allow_module_level=True)


@contextmanager
def running_on_small_disk(folder: Path) -> Iterator[tuple[Server, Path]]:
    """Start the server with its database on a small disk, and return it with the folder as seen from here."""
    disk = folder / "disk"
    disk.mkdir()
    with own_database(folder) as environment:
        database = environment["DATABASE_URL"].removeprefix("sqlite:///")
        small = environment | UNLIMITED | {"DATABASE_URL": f"sqlite:///{disk}/{Path(database).name}"}

        def command(port: int) -> list[str]:
            return [*PRIVATE, "sh", "-c", MOUNT, "sh", str(disk), database, *daphne(port)]

        with Server(small, command).running() as server:
            yield server, Path(f"/proc/{server.process.pid}/root{disk}")


def fill(file: Path) -> None:
    """Write until nothing fits any more."""
    with suppress(OSError), file.open("ab", buffering=0) as filler:
        while True:
            filler.write(bytes(256))


def test_on_a_full_disk_moves_are_refused_and_none_is_lost_and_play_goes_on_when_there_is_space(tmp_path: Path) -> None:
    with running_on_small_disk(tmp_path) as (server, disk):
        alice = Drawing(server)
        for _ in range(3):
            alice.move()
        fill(disk / "filler")
        with pytest.raises(HTTPError) as refused:
            alice.move_until_refused(lambda: fill(disk / "filler"))
        assert refusal_of(refused.value) == NO_SPACE
        for _ in range(3):
            with pytest.raises(HTTPError) as refused:
                alice.move()
            assert refusal_of(refused.value) == NO_SPACE
        wait_for(server.process, lambda: require_database(server, "failing"), AssertionError)
        assert alice.stored == alice.acknowledged
        (disk / "filler").unlink()
        alice.move()
        wait_for(server.process, lambda: require_database(server, "ok"), AssertionError)
        assert alice.stored == alice.acknowledged
        server.kill()
    told = [line for line in server.output.splitlines() if "disk is full" in line and "journal" in line]
    assert len(told) == 1, server.output
