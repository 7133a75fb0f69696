"""The files of the containers, and their processes without containers, on other addresses, with this interpreter."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from socket import create_connection
from string import Template
from tempfile import TemporaryDirectory
from time import monotonic, sleep
from typing import Any, NamedTuple, cast

import pytest
import yaml

from tests.processes import PROJECT, free_port
from tests.with_servers import TIMEOUT_SECONDS, started, unprivileged, wait_for

DOCKERFILE = (PROJECT / "Dockerfile").read_text()
COMPOSE_TEXT = (PROJECT / "docker-compose.yml").read_text()
COMPOSE: dict[str, Any] = yaml.safe_load(COMPOSE_TEXT)
SERVICES: dict[str, Any] = COMPOSE["services"]
OURS = {name: service for name, service in SERVICES.items() if "build" in service}
NODES = [name for name in OURS if name.startswith("web")]
COMMAND_OF_IMAGE = json.loads(DOCKERFILE.rpartition("\nCMD ")[2].replace("\\\n", ""))
PROXY = SERVICES["proxy"]
NGINX_TEMPLATE = PROJECT / PROXY["volumes"][0].partition(":")[0]

needs_nginx = pytest.mark.skipif(
    not (shutil.which("nginx") and shutil.which("openssl")),
    reason="the proxy is nginx, its certificate made by openssl (on Debian and Ubuntu: apt-get install nginx openssl)",
)


def command_of(service: str, **replacements: str) -> list[str]:
    """Return the command of one of our services, with this interpreter and with some words replaced."""
    program, *words = OURS[service].get("command", COMMAND_OF_IMAGE)
    programs = {"python": [sys.executable], "uvicorn": [sys.executable, "-m", "uvicorn"]}
    return [*programs[program], *(replacements.get(word, word) for word in words)]


def command_of_node(port: int) -> list[str]:
    """Return the command of a web node that listens on this machine alone."""
    return command_of(NODES[0], **{"--host=0.0.0.0": "--host=127.0.0.1", "--port=8000": f"--port={port}"})


def settings_of(service: str) -> dict[str, str]:
    """Return the settings that the file gives one of our services, but for those that stand in `.env`."""
    return {name: value for name, value in OURS[service]["environment"].items() if "$" not in value}


def addresses_of_nodes() -> list[str]:
    """Return the address of each web node, in the order in which the proxy has them."""
    networks = (SERVICES[name]["networks"] for name in NODES)
    return [f"{network['front']['ipv4_address']}:8000" for network in networks]


def certificate(folder: Path) -> Path:
    """Make the certificate for `localhost` as docs/several-nodes.md does, and return its file."""
    page = (PROJECT / "docs" / "several-nodes.md").read_text()
    [command] = re.findall(r"^ {4}(openssl req (?:.*\\\n)*.*)$", page, re.MULTILINE)
    for documented, here in {"\\\n": " ", "var/certificates": str(folder), "pyramid.example": "localhost"}.items():
        command = command.replace(documented, here)
    subprocess.run(command.split(), check=True, capture_output=True)
    return folder / "fullchain.pem"


def nginx(folder: Path, nodes: list[int], http: int, tls: int, timeout: str = "") -> list[str]:
    """Return the command of the proxy, before nodes at some ports, with the certificate that is in the folder.

    The configuration is the template with the variables of the containers, as envsubst writes it; only addresses and
    folders are other ones, and `timeout` if given.
    """
    addresses = dict(zip(addresses_of_nodes(), (f"127.0.0.1:{port}" for port in nodes), strict=True))
    variables = {
        **cast("dict[str, str]", PROXY["environment"]),
        "PROXY_FOLDER": str(folder),
        "PROXY_HTTP": f"127.0.0.1:{http}",
        "PROXY_TLS": f"127.0.0.1:{tls}",
        "PROXY_CERTIFICATES": str(folder),
        "PROXY_ACME": str(folder),
    }
    for address, replacement in addresses.items():
        variables["PROXY_NODES"] = variables["PROXY_NODES"].replace(address, replacement)
    if timeout:
        variables["PROXY_TIMEOUT"] = timeout
    file = folder / "nginx.conf"
    file.write_text(Template(NGINX_TEMPLATE.read_text()).safe_substitute(variables))
    program, option, _, *others = PROXY["command"]
    return [program, option, str(file), *others]


class Proxy(NamedTuple):
    """A proxy that runs, with its addresses."""

    http: str
    https: str
    certificate: Path
    log: Path

    def logged(self, text: str, times: int = 1, since: int = 0) -> str:
        """Wait until the log has a text so many times after its first `since` bytes, and return it from there on."""
        deadline = monotonic() + TIMEOUT_SECONDS
        while (log := self.log.read_bytes()[since:].decode()).count(text) < times:
            assert monotonic() < deadline, log
            sleep(0.05)
        return log


@contextmanager
def running_proxy(nodes: list[int], timeout: str = "") -> Iterator[Proxy]:
    """Start the proxy before nodes at some ports. As root, it runs as `nobody`."""
    with TemporaryDirectory(prefix="pyramid-") as name:
        folder, log = Path(name), Path(name, "log")
        http, tls = free_port(), free_port()
        known = certificate(folder)
        command = nginx(folder, nodes, http, tls, timeout)
        with log.open("wb") as output:
            owner = unprivileged(folder)
            for file in folder.iterdir():
                os.chown(file, owner.get("user", -1), owner.get("group", -1))
            options = {"stdout": output, "stderr": subprocess.STDOUT, **owner}
            with started(command, signal.SIGTERM, **options) as process:
                wait_for(process, lambda: create_connection(("127.0.0.1", tls)).close(), ConnectionError)
                yield Proxy(f"http://127.0.0.1:{http}", f"https://localhost:{tls}", known, log)
