"""The files of a release, tried by themselves: built again elsewhere, installed outside the clone, played with.

`make release-check` runs this after `make dist`. It is not part of the suite, because it installs everything again.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import venv
from collections.abc import Iterator, Sequence
from contextlib import suppress
from email import message_from_string
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple
from urllib.request import Request, urlopen
from zipfile import ZipFile

import pytest
from django.conf import settings
from packaging.utils import canonicalize_name

from tests.clocks import LIBRARY, clock_in
from tests.compose import command_of_node, needs_nginx
from tests.journeys.test_replacing_nodes import play_while_nodes_are_replaced, running_topology
from tests.processes import PROJECT, free_port
from tests.release.building import SUMS
from tests.with_servers import started, wait_for

DIST = PROJECT / "dist"
TOOLS = PROJECT / "var" / "release" / "tools" / "bin"
MEMORY = Path("/dev/shm")  # noqa: S108  of Linux
RUNTIME = PROJECT / "var" / "release" / "runtime"
HELM = shutil.which(os.environ.get("HELM") or "helm")
TOKEN = "metrics" * 8
[SERVER_WHEEL], [CLIENT_WHEEL] = DIST.glob("pyramid_server-*.whl"), DIST.glob("pyramid_client-*.whl")
[SOLVER_WHEEL] = DIST.glob("pyramid_solver-*.whl")
VERSION = SERVER_WHEEL.name.split("-")[1]
# Nothing of the clone, and nothing of who runs this.
CLEAN = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8"}


def run(command: Sequence[str], folder: Path, environment: dict[str, str] = CLEAN, **options: Any) -> str:
    """Run a command to its end without failure, and return what it prints."""
    options |= {"capture_output": True, "text": True, "timeout": 900}
    done = subprocess.run(command, cwd=folder, env=environment, check=False, **options)
    assert done.returncode == 0, done.stdout + done.stderr
    return str(done.stdout)


class Installation(NamedTuple):
    """A fresh environment with both wheels, in a folder that is also the home of who runs them."""

    folder: Path

    @property
    def environment(self) -> dict[str, str]:
        return CLEAN | {"HOME": str(self.folder), "PYRAMID_METRICS_TOKEN": TOKEN}

    def program(self, name: str) -> str:
        return str(self.folder / "venv" / "bin" / name)

    def run(self, name: str, *words: str) -> str:
        return run([self.program(name), *words], self.folder, self.environment)


@pytest.fixture(scope="module")
def installation(tmp_path_factory: pytest.TempPathFactory) -> Installation:
    installation = Installation(tmp_path_factory.mktemp("home"))
    venv.create(installation.folder / "venv", with_pip=True)
    pip = ("-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-compile", "--find-links", str(DIST))
    requirements = DIST / f"pyramid-server-{VERSION}.requirements.txt"
    installation.run("python", *pip, "--require-hashes", "-r", str(requirements))
    installation.run("python", *pip, str(CLIENT_WHEEL))
    return installation


@pytest.fixture(scope="module")
def server(installation: Installation) -> Iterator[str]:
    """Start the installed server with default settings and an empty folder, and return its address."""
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    command = [installation.program("pyramid-server"), "serve", "--port", str(port)]
    with (
        (installation.folder / "server.log").open("wb") as log,
        started(
            command, signal.SIGTERM, env=installation.environment, cwd=installation.folder, stdout=log, stderr=log
        ) as process,
    ):
        wait_for(process, lambda: urlopen(f"{url}/health/ready").close(), OSError)
        yield url
    assert "Traceback" not in (installation.folder / "server.log").read_text()


def text_at(url: str, **headers: str) -> str:
    with urlopen(Request(url, headers=headers)) as answer:
        return str(answer.read().decode())


def readme_of(wheel: Path) -> str:
    with ZipFile(wheel) as files:
        [name] = [name for name in files.namelist() if name.endswith(".dist-info/METADATA")]
        return str(message_from_string(files.read(name).decode()).get_payload())


@pytest.fixture
def elsewhere() -> Iterator[Path]:
    """A folder as on another machine: in memory, where a folder lists its files in another order than on a disk."""
    with TemporaryDirectory(prefix="another folder ", dir=MEMORY if MEMORY.is_dir() else None) as name:
        yield Path(name)


def another_user() -> list[str]:
    """Return what runs a command under another number, which also owns its files, where the kernel lets us."""
    under = ["unshare", "--user", "--map-user=4242", "--map-group=4242"]
    with suppress(OSError, subprocess.CalledProcessError):
        subprocess.run([*under, "true"], check=True, capture_output=True)
        return under
    return []


def test_a_build_on_a_machine_where_everything_is_different_is_equal_to_the_byte(elsewhere: Path) -> None:
    clone, target, clock = elsewhere / "clone", elsewhere / "built", elsewhere / "clock"
    clock.write_text("+400d")
    settings = {"TZ": "Pacific/Kiritimati", "LC_ALL": "C", "PYTHONHASHSEED": "7", "TMPDIR": str(elsewhere)}
    environment = CLEAN | settings | {"HOME": str(elsewhere)}
    run(["git", "clone", "--quiet", "--no-hardlinks", str(PROJECT), str(clone)], PROJECT, environment, umask=0o077)
    build = [*another_user(), str(TOOLS / "python"), "-m", "tests.release", "build", str(target), str(RUNTIME)]
    run(build, clone, environment | (clock_in(clock, is_read_at_once=False) if LIBRARY else {}), umask=0o077)
    assert (target / SUMS).read_text() == (DIST / SUMS).read_text()


def test_the_hashes_are_those_of_all_files_and_a_signature_of_them_can_be_verified(tmp_path: Path) -> None:
    run(["sha256sum", "--check", "--strict", SUMS], DIST)
    names = {line.split()[1] for line in (DIST / SUMS).read_text().splitlines()}
    assert names == {file.name for file in DIST.iterdir()} - {SUMS, f"{SUMS}.sig"}
    shutil.copytree(DIST, tmp_path / "dist")
    shutil.copy(PROJECT / "Makefile", tmp_path)
    run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", "key"], tmp_path)
    run(["make", "sign", "KEY=key"], tmp_path)
    (tmp_path / "allowed_signers").write_text(f"alice@pyramid.example {(tmp_path / 'key.pub').read_text()}")
    verify = ["ssh-keygen", "-Y", "verify", "-f", "allowed_signers", "-I", "alice@pyramid.example"]
    verify += ["-n", "pyramid-release", "-s", f"dist/{SUMS}.sig"]
    signed = (DIST / SUMS).read_bytes()
    subprocess.run(verify, cwd=tmp_path, input=signed, check=True, capture_output=True)
    forged = subprocess.run(verify, cwd=tmp_path, input=signed + b"\n", check=False, capture_output=True)
    assert forged.returncode != 0


def test_the_list_of_contents_has_every_locked_package_with_its_licence() -> None:
    listed = json.loads((DIST / f"pyramid-server-{VERSION}.cdx.json").read_text())
    component = listed["metadata"]["component"]
    assert (component["name"], component["version"]) == ("pyramid-server", VERSION)
    locked = re.findall(r"^([\w.-]+)==(\S+) \\$", (PROJECT / "requirements.lock").read_text(), re.MULTILINE)
    components = {(canonicalize_name(one["name"]), one["version"]): one for one in listed["components"]}
    assert set(components) == set(locked)
    assert all(one["licenses"] for one in components.values())


def test_the_installed_server_names_its_version_everywhere(installation: Installation, server: str) -> None:
    assert installation.run("pyramid-server", "--version") == f"{VERSION}\n"
    assert f"Pyramid {VERSION} is served at {server}/" in (installation.folder / "server.log").read_text()
    assert (
        json.loads(text_at(f"{server}/api/schema/", Accept="application/vnd.oai.openapi+json"))["info"]["version"]
        == VERSION
    )
    assert json.loads(text_at(f"{server}/docs/asyncapi.json"))["info"]["version"] == VERSION
    assert VERSION in text_at(f"{server}/docs/")
    metrics = text_at(f"{server}/metrics", Authorization=f"Bearer {TOKEN}")
    assert f'pyramid_build_info{{version="{VERSION}"}} 1.0' in metrics


def test_its_pages_documents_and_static_files_come_from_the_wheel(server: str) -> None:
    front = text_at(f"{server}/")
    files = set(re.findall(r'(?:href|src)="(/static/[^"?]+)', front))
    assert len(files) > 2
    pages = set(re.findall(r'href="(/docs/[^"#]*)"', text_at(f"{server}/docs/")))
    assert {"/docs/changelog/", "/docs/contributing/", "/docs/python-client/", "/docs/javascript-client/"} <= pages
    for path in files | pages | {"/docs/examples/thin_client.py", "/docs/pictures/layers.svg", "/practice/", "/admin/"}:
        with urlopen(server + path) as answer:
            assert answer.read(), path
    assert "Spiel" in text_at(f"{server}/", **{"Accept-Language": "de"})


def test_the_installed_python_client_plays_a_game(installation: Installation, server: str) -> None:
    code, *_ = re.findall(r"```python\n(.*?)```", readme_of(CLIENT_WHEEL), re.DOTALL)
    (installation.folder / "bot.py").write_text(code)
    assert "open-bots.fewest-moves" in installation.run("python", "bot.py", server, "Ada's bot")


def test_the_installed_solver_answers_as_its_readme_says_without_the_server(tmp_path: Path) -> None:
    venv.create(tmp_path / "venv", with_pip=True)
    programs = tmp_path / "venv" / "bin"
    run([str(programs / "pip"), "install", "--quiet", "--disable-pip-version-check", str(SOLVER_WHEEL)], tmp_path)
    environment = CLEAN | {"PATH": f"{programs}:{CLEAN['PATH']}", "HOME": str(tmp_path)}
    readme = readme_of(SOLVER_WHEEL)
    for language, command in (("sh", ["sh"]), ("python", ["python"])):
        [code] = re.findall(rf"```{language}\n(.*?)```", readme, re.DOTALL)
        printed = run(command, tmp_path, environment, input=code)
        assert re.sub(r'"ms": [\d.]+', "", printed.strip()) in re.sub(r'"ms": [\d.]+', "", readme)


def test_the_installed_javascript_client_plays_a_game(tmp_path: Path, server: str) -> None:
    [package] = DIST.glob("pyramid-client-*.tgz")
    run(["npm", "install", "--offline", "--no-audit", "--no-fund", str(package)], tmp_path)
    readme = (tmp_path / "node_modules" / "pyramid-client" / "README.md").read_text()
    (tmp_path / "bot.mjs").write_text(re.findall(r"```js\n(.*?)```", readme, re.DOTALL)[0])
    node = ["node", "--experimental-websocket", "--no-warnings", "bot.mjs", server, "Grace's bot"]
    assert "open-bots.fewest-moves" in run(node, tmp_path)


def test_other_commands_run_by_name(installation: Installation, server: str) -> None:
    installation.run("pyramid-server", "manage", "backup", "first.backup")
    assert (installation.folder / "first.backup").stat().st_size > 100_000
    assert (installation.folder / "pyramid-server" / "var" / "secret_key").exists()
    assert "usage: pyramid-server manage backup" in installation.run("pyramid-server", "manage", "backup", "--help")


@needs_nginx
@pytest.mark.servers
@pytest.mark.skipif(not settings.REDIS_URL, reason="runs under tests.with_servers")
async def test_games_go_on_while_nodes_of_the_wheel_are_replaced_by_nodes_of_this_code(
    installation: Installation, tmp_path: Path
) -> None:
    home = tmp_path / "home"
    home.mkdir()

    def of_the_wheel(port: int) -> list[str]:
        # By default, uvicorn would take the application from the current folder.
        return [installation.program("uvicorn"), f"--app-dir={home}", *command_of_node(port)[3:]]

    with running_topology(tmp_path, of_the_wheel, HOME=str(home)) as topology:
        assert (home / "pyramid-server" / "var").is_dir()  # which only installed code makes
        crowd = await play_while_nodes_are_replaced(topology, command_of_node)
    assert crowd.moves > 100


@pytest.mark.skipif(not HELM, reason="needs helm: make release-check HELM=path")
@pytest.mark.parametrize("values", [{}, {"ingress.enabled": "false", "image.digest": f"sha256:{'a' * 64}"}])
def test_the_chart_renders_to_what_kubernetes_accepts(values: dict[str, str], tmp_path: Path) -> None:
    required = {
        "image.repository": "registry.example/pyramid-server",
        "secrets.server": "pyramid",
        "secrets.owner": "pyramid-owner",
        "host": "pyramid.example",
    }
    chart = str(DIST / f"pyramid-server-{VERSION}.tgz")
    options = ["--set", ",".join(f"{name}={value}" for name, value in (required | values).items())]
    (tmp_path / "rendered.yaml").write_text(run([str(HELM), "template", "pyramid", chart, *options], tmp_path))
    run([str(HELM), "lint", "--strict", chart, *options], tmp_path)
    run([str(TOOLS / "kubernetes-validate"), "--strict", "rendered.yaml"], tmp_path)
    refused = subprocess.run([str(HELM), "template", "pyramid", chart], check=False, capture_output=True, text=True)
    assert "/secrets/owner" in refused.stderr
