"""A PostgreSQL whose language sorts z before t: ids of games, which are compared as text, would lose their order."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg
import pytest

from tests.processes import MANAGE, PROJECT, run
from tests.with_servers import make_cluster, postgresql_folder, postgresql_in, unprivileged

pytestmark = pytest.mark.servers

ESTONIAN = ("--locale=C.UTF-8", "--locale-provider=icu", "--icu-locale=et-EE")
ROLES = PROJECT / "pyramid_server/deployment/roles.sql"


def sorted_by(url: str) -> list[str]:
    with psycopg.connect(url) as connection:
        return [
            letter for (letter,) in connection.execute("SELECT unnest('{t,z,a,B,ch,h}'::text[]) AS one ORDER BY one")
        ]


def test_our_database_sorts_by_bytes_whatever_the_language_of_its_server_and_another_one_is_refused() -> None:
    programs = postgresql_folder()
    assert programs is not None
    with TemporaryDirectory(prefix="pyramid-") as folder:
        owner = unprivileged(Path(folder))
        make_cluster(programs, Path(folder), owner, *ESTONIAN)
        with postgresql_in(programs, Path(folder), owner).running() as server:
            assert sorted_by(server.url) == ["a", "B", "ch", "h", "z", "t"]
            passwords = ["--set=owner_password=secret", "--set=server_password=secret"]
            psql = ["psql", "--no-psqlrc", "--quiet", f"--file={ROLES}", *passwords, f"--dbname={server.url}"]
            subprocess.run(psql, check=True)
            ours = server.url.removesuffix("/postgres") + "/pyramid"
            assert sorted_by(ours) == ["B", "a", "ch", "h", "t", "z"]
            with psycopg.connect(ours) as connection:
                found = connection.execute("SELECT datcollate FROM pg_database WHERE datname = 'pyramid'").fetchone()
                assert found == ("C",)  # not what libc happens to have

            refused = run([*MANAGE, "migrate", "--no-input"], os.environ | {"DATABASE_URL": server.url})
            assert refused.returncode == 1
            assert "The database postgres sorts text as a language does, not by its bytes." in refused.stderr
            checked = run([*MANAGE, "check", "--database=default"], os.environ | {"DATABASE_URL": ours})
            assert checked.returncode == 0, checked.stderr
