"""The three machines of docs/failover.md, as loopback addresses of one, and how to follow that guide on them."""

from __future__ import annotations

import json
import os
import secrets
import shutil
import signal
import subprocess
import sys
from contextlib import ExitStack, suppress
from pathlib import Path
from time import monotonic, sleep
from urllib.request import urlopen

from tests.journeys.guides import block, blocks
from tests.processes import LAST_WORDS, PROJECT, children
from tests.with_servers import DATA, TIMEOUT_SECONDS, postgresql_folder, started, unprivileged

GUIDE = "failover.md"
ETCD, PATRONI = block(GUIDE, "ini"), block(GUIDE, "yaml")
_INSTALL, _ETCD, _REPLACE, _PATRONI, STATE, ROLES, NODES, MIGRATE, REPLACED = blocks(GUIDE, "sh")
NETWORK, FIRST = "10.0.0.", "10.0.0.1"
# An operator has a busy machine and a slow network; a test only waits.
SOONER = {"ttl: 20": "ttl: 10", "loop_wait: 5": "loop_wait: 1", "retry_timeout: 5": "retry_timeout: 4"}
POLL_SECONDS = 0.2
INIT = ("tini", "-s", "--")  # the first process of a machine


def _programs() -> Path:
    """Return the folder with all programs of PostgreSQL, not one with links to some."""
    found = postgresql_folder()
    assert found
    return (found / "initdb").resolve().parent


class Machine:
    """One of them: its files, and the processes that run on it."""

    def __init__(self, folder: Path, number: int, network: str, running: ExitStack) -> None:
        self.name, self.folder = folder.name, folder
        self._address, self._running = f"{NETWORK}{number}", running
        self._processes: list[subprocess.Popen[bytes]] = []
        self._here = {
            "/var/lib/postgresql/17/main": f"{folder}/{DATA}",
            "/usr/lib/postgresql/17/bin": f"{_programs()}",
            "/var/run/postgresql": f"{folder}",
            "/etc/patroni": f"{folder}",
            "/var/lib/etcd/pyramid": f"{folder}/etcd",
            "/srv/pyramid": f"{PROJECT}",
            "postgres peer": "postgres trust",
            "sudo -u postgres ": "",
            ".venv/bin/python": sys.executable,
            "127.0.0.1:2379": f"{network}{number}:2379",
            f"{NETWORK}0/24": "127.0.0.0/8",
            NETWORK: network,
        }

    def here(self, documented: str) -> str:
        """Return a text of the guide with the paths, users and addresses that it has on this machine."""
        for there, replacement in self._here.items():
            documented = documented.replace(there, replacement)
        return documented

    def start_etcd(self, state: str = "new") -> None:
        own = ETCD.replace("db1", self.name, 1).replace(FIRST, self._address, 2).replace("STATE=new", f"STATE={state}")
        self._start("etcd", environment=dict(line.split("=", 1) for line in self.here(own).splitlines()))

    def start_patroni(self) -> None:
        own = PATRONI.replace("db1", self.name, 1).replace(FIRST, self._address)
        for documented, sooner in SOONER.items():
            own = own.replace(documented, sooner)
        (self.folder / "config.yml").write_text(self.here(own))
        self._start("patroni", self.folder / "config.yml", environment={"HOME": str(self.folder)})

    def _start(self, *command: str | Path, environment: dict[str, str]) -> None:
        with (self.folder / f"{command[0]}.log").open("ab") as log:
            options = {"cwd": self.folder, "stdout": log, "stderr": log, **unprivileged(self.folder)}
            # Patroni waits until PostgreSQL is gone, which here nobody but tini takes note of.
            process = started((*INIT, *command), signal.SIGTERM, env=os.environ | environment, **options)
            self._processes.append(self._running.enter_context(process))
        self._running.callback(self.kill)

    def follow(self, documented: str) -> str:
        """Run a block of the guide."""
        local = {"PGHOST": str(self.folder), "PGUSER": "postgres", "ETCDCTL_API": "3"}
        local["ETCDCTL_ENDPOINTS"] = self.here("127.0.0.1:2379")
        command = ["/bin/bash", "-euo", "pipefail", "-c", self.here(documented)]
        done = subprocess.run(command, capture_output=True, text=True, cwd=PROJECT, env=os.environ | local, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def roles(self) -> dict[str, str]:
        """Return the roles that its Patroni knows; to start the command that shows them takes half a second of work."""
        known: dict[str, str] = {}
        with suppress(OSError), urlopen(self.here(f"http://{self._address}:8008/cluster"), timeout=10) as answer:
            members = json.load(answer)["members"]
            known.update((member["name"], member["role"].replace("_", " ").title()) for member in members)
        return known

    def last_words(self) -> str:
        return f"{self.name}: {(self.folder / 'patroni.log').read_text()[-LAST_WORDS:]}"

    def kill(self) -> None:
        """End everything at once, as a power cut would."""
        inits = [init.pid for init in self._processes]
        for init in inits:  # ended first it would leave zombies to nobody, which look like a server that still runs
            os.kill(init, signal.SIGSTOP)
        while below := [process for init in inits for process in _all_below(init)]:  # some may fork meanwhile
            for process in below:
                with suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)
            sleep(POLL_SECONDS)
        for init in inits:
            os.kill(init, signal.SIGCONT)
        for ended in self._processes:
            ended.wait(TIMEOUT_SECONDS)
        self._processes.clear()

    def lose(self) -> None:
        """End everything at once, and delete what the machine had."""
        self.kill()
        for path in self.folder.iterdir():
            if path.is_dir():
                shutil.rmtree(path)
            else:
                path.unlink()


def _all_below(process: int) -> list[int]:
    """Return the processes that a process has started, directly or not, the last first."""
    return [each for child in children(process) for each in (*_all_below(child), child)]


class Machines:
    """The ones that the guide calls db1, db2 and app; etcd runs on all, and a database nowhere yet."""

    def __init__(self, folder: Path, running: ExitStack) -> None:
        network = f"127.{secrets.randbelow(254) + 1}.{secrets.randbelow(255)}."
        made = []
        for number, name in enumerate(("db1", "db2", "app"), start=1):
            (folder / name).mkdir()
            made.append(Machine(folder / name, number, network, running))
            made[-1].start_etcd()
        self.db1, self.db2, self.app = made

    def wait_for(self, primary: Machine, standby: Machine | None = None) -> None:
        """Wait until one is the primary, and the other may take its place."""
        wanted = _roles(primary, standby)
        deadline = monotonic() + TIMEOUT_SECONDS
        while not wanted.items() <= primary.roles().items():
            if monotonic() > deadline:
                logs = (each.last_words() for each in (primary, standby) if each)
                raise AssertionError("\n".join((f"{wanted} are not {primary.roles()}", *logs)))
            sleep(POLL_SECONDS)

    def require_shown(self, primary: Machine, standby: Machine) -> None:
        """Require that the guide shows their roles."""
        rows = (line.split("|") for line in primary.follow(STATE).splitlines() if line.startswith("| "))
        shown = {row[1].strip(): row[3].strip() for row in rows}
        assert _roles(primary, standby).items() <= shown.items()


def _roles(primary: Machine, standby: Machine | None) -> dict[str, str]:
    return {primary.name: "Leader"} | ({standby.name: "Sync Standby"} if standby else {})
