"""A database is restored from an old backup: its log is refused, and goes on as docs/transparency-log.md says."""

from __future__ import annotations

import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from socket import create_connection
from urllib.parse import urlsplit
from urllib.request import urlopen

import psycopg
import pytest

from games.tlog.witnessing import Witness
from tests.games.history import HISTORY
from tests.journeys.conftest import Server, uvicorn
from tests.processes import A_WEEK_AHEAD, MANAGE, PROJECT, Served, free_port, kind_of_process, own_database, run
from tests.with_servers import started, wait_for

WITNESS = "witness.example/w1"
VERIFIER = [sys.executable, str(PROJECT / "docs/examples/verify_daily.py")]


class Operator:
    """Somebody with a server, a backup of it, and a witness."""

    def __init__(self, environment: dict[str, str], folder: Path) -> None:
        self.environment, self.folder, self.port = environment, folder, free_port()
        self.witness = Witness(folder / "witness", WITNESS, print)
        environment["PYRAMID_WITNESSES"] = f"{self.witness.key.text} http://127.0.0.1:{self.port}"
        self.is_file = environment["DATABASE_URL"].startswith("sqlite")

    def manage(self, *words: str) -> subprocess.CompletedProcess[str]:
        return run([*MANAGE, *words], self.environment, timeout=300)

    def done(self, *words: str) -> str:
        done = self.manage(*words)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def restore(self, backup: Path) -> None:
        """Put a backup in the place of the database, and leave what lies beside it."""
        url = self.environment["DATABASE_URL"]
        if self.is_file:
            for file in self.folder.glob("own.sqlite3*"):
                if ".log_key" not in file.name:
                    file.unlink()
        else:
            name = urlsplit(url).path[1:]
            with psycopg.connect(urlsplit(url)._replace(path="/postgres").geturl(), autocommit=True) as connection:
                connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)')
                connection.execute(f'CREATE DATABASE "{name}" TEMPLATE template1')
        for words in (["restore", str(backup)], ["migrate", "--no-input"]):
            self.done(*words)

    def follow(self, said: str) -> str:
        """Do what `log_key --new-log` says, and return the new public key."""
        *told, public = said.splitlines()
        for line in told:
            name, is_setting, value = line.partition("=")
            if is_setting:
                self.environment[name] = shlex.split(value)[0]
        return public

    @contextmanager
    def witnessed(self, log_key: str) -> Iterator[Served]:
        """Have a witness listen, which trusts a key of the log."""
        there = ["http://127.0.0.1:1", "--folder", str(self.folder / "witness"), "--port", str(self.port)]
        command = [*MANAGE, "witness", *there, "--key", log_key]
        options = {"env": self.environment, "cwd": PROJECT, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
        with started(command, signal.SIGTERM, kind_of_process(command), **options) as process:
            listening = Served(process)
            wait_for(process, lambda: create_connection(("127.0.0.1", self.port)).close(), OSError)
            yield listening

    @contextmanager
    def served(self) -> Iterator[str]:
        with ExitStack() as running:
            yield running.enter_context(Server(self.environment, uvicorn).running()).url

    def keep(self, url: str, path: str, name: str) -> Path:
        """Keep what is at an address, as anyone can."""
        with urlopen(url + path, timeout=180) as answer:
            (self.folder / name).write_bytes(answer.read())
        return self.folder / name


@pytest.fixture
def operator(tmp_path: Path) -> Iterator[Operator]:
    with own_database(tmp_path) as environment:
        yield Operator(environment | A_WEEK_AHEAD, tmp_path)


def test_a_server_with_an_older_database_signs_no_fork_unnoticed_and_goes_on_in_the_open(operator: Operator) -> None:
    _, game, _ = operator.done("shell", "--no-imports", "--command", HISTORY).split()
    old_key = operator.done("log_key").split()[-1]
    with operator.witnessed(old_key) as witness:
        kept = live_on_after_a_backup(operator)
        operator.restore(operator.folder / "backup")
        operator.done("make_dailies", "--days=15")
        require_refused(operator, witness)
        lost = operator.manage("verify_daily", "--checkpoint", str(kept))
        assert "WRONG: the log does not continue the head of" in lost.stdout
        new_key = operator.follow(operator.done("log_key", "--new-log"))
    assert new_key != old_key
    with operator.witnessed(new_key) as witness:
        operator.done("worker", "--once")
        assert "ALARM" not in witness.output
    require_continued(operator, kept, new_key, game)


def live_on_after_a_backup(operator: Operator) -> Path:
    """Make a backup, sign more after it, and return the head that others have seen."""
    operator.done("worker", "--once")
    operator.done("backup", str(operator.folder / "backup"))
    operator.done("make_dailies", "--days=12")
    operator.done("worker", "--once")
    with operator.served() as url:
        kept = operator.keep(url, "/tlog/checkpoint", "checkpoint")
    assert f"— {WITNESS} " in kept.read_text()
    return kept


def require_refused(operator: Operator, witness: Served) -> None:
    """The head beside a key in a file is enough for a server to notice; otherwise the witness does."""
    task, reason = (
        ("sign_log", "it was restored from an older copy, or is a fork")
        if operator.is_file
        else ("collect_cosignatures", "this database is a fork")
    )
    refused = operator.manage("worker", "--once")
    assert refused.returncode == 1
    for told in (f"task {task} failed", reason, "manage.py log_key --new-log"):
        assert told in refused.stderr
    assert "ALARM" not in witness.output  # anyone could have sent it what it refused
    with operator.served() as url:
        looked = operator.manage("witness", url, "--folder", str(operator.folder / "witness"), "--once")
    assert looked.returncode == 1
    assert f"shows another history: {'it was cut' if operator.is_file else 'its'}" in looked.stderr


def require_continued(operator: Operator, kept: Path, new_key: str, game: str) -> None:
    """The new log names the old one, whose proofs it can give again, the witness has signed it, and the loss shows."""
    with operator.served() as url:
        head, keys = operator.keep(url, "/tlog/checkpoint", "new-checkpoint"), operator.keep(url, "/tlog/keys", "keys")
        proof = operator.keep(url, f"/tlog/proof/games/{game}", "proof")
        lost = run([*VERIFIER, url, "--checkpoint", str(kept), "--keys", str(keys)], operator.environment)
        log = run([*VERIFIER, url, "--checkpoint", str(head), "--keys", str(keys)], operator.environment)
    assert f"— {WITNESS} " in head.read_text()
    assert new_key in keys.read_text().split()
    assert (log.returncode, ", 0 mistakes." in log.stdout) == (0, True), log.stdout
    assert (lost.returncode, "does not continue the head of" in lost.stdout, ", 1 mistakes." in lost.stdout) == (
        1,
        True,
        True,
    )
    offline = run([*VERIFIER, "--proof", str(proof), "--keys", str(keys), "--witnesses=1"], operator.environment)
    assert offline.returncode == 0, offline.stdout


def test_a_database_restored_without_its_key_is_not_signed_with_another_one(operator: Operator) -> None:
    operator.environment["PYRAMID_WITNESSES"] = ""
    operator.done("worker", "--once")
    operator.done("backup", str(operator.folder / "backup"))
    for file in operator.folder.glob("*.log_key*"):
        file.unlink()
    operator.environment["PYRAMID_SECRET_KEY"] = "another" * 10
    operator.restore(operator.folder / "backup")
    refused = operator.manage("worker", "--once")
    assert refused.returncode == 1
    assert "task sign_log failed: the key is of the log" in refused.stderr
    assert "Traceback" not in refused.stderr
    operator.follow(operator.done("log_key", "--new-log"))
    operator.done("worker", "--once")
