"""The containers, checked without a container engine: their file against the settings, their processes plainly."""

from __future__ import annotations

import json
import re
import signal
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.conf import settings
from django.core.management import get_commands

from tests.processes import PROJECT, free_port, run, serving
from tests.with_servers import started

DOCKERFILE = (PROJECT / "Dockerfile").read_text()
COMPOSE: dict[str, Any] = yaml.safe_load((PROJECT / "docker-compose.yml").read_text())
OURS = {name: service for name, service in COMPOSE["services"].items() if "build" in service}
COMMAND_OF_IMAGE = json.loads(DOCKERFILE.rpartition("\nCMD ")[2].replace("\\\n", ""))
DECLARED = {declaration.name: declaration for declaration in settings.ENVIRONMENT.declared}
# The only variable that is not ours: the image of PostgreSQL reads it.
DATABASE_PASSWORD = "POSTGRES_PASSWORD"
EXAMPLE = dict(re.findall(r"^(\w+)=(.*)$", (PROJECT / ".env.example").read_text(), re.MULTILINE))


def compose_command(service: str, **replacements: str) -> list[str]:
    """Return the command of a service, with this interpreter and with some words replaced."""
    program, *words = OURS[service].get("command", COMMAND_OF_IMAGE)
    programs = {"python": [sys.executable], "uvicorn": [sys.executable, "-m", "uvicorn"]}
    return [*programs[program], *(replacements.get(word, word) for word in words)]


def test_there_are_a_database_redis_web_and_worker() -> None:
    assert set(COMPOSE["services"]) == {"postgres", "redis", "migrate", "web", "worker"}


@pytest.mark.parametrize("service", OURS)
def test_every_variable_of_our_services_is_a_setting(service: str) -> None:
    assert set(OURS[service]["environment"]) <= set(DECLARED)


def test_every_variable_the_file_asks_for_is_in_the_example() -> None:
    asked_for = re.findall(r"\$\{(\w+)", (PROJECT / "docker-compose.yml").read_text())
    assert set(asked_for) <= set(EXAMPLE)


def test_the_example_names_settings_only() -> None:
    assert set(EXAMPLE) <= {*DECLARED, DATABASE_PASSWORD}


def test_the_example_holds_no_secret_and_starts_nothing_until_it_is_filled_in() -> None:
    assert EXAMPLE["PYRAMID_SECRET_KEY"] == EXAMPLE[DATABASE_PASSWORD] == ""
    assert f"{{{DATABASE_PASSWORD}:?" in (PROJECT / "docker-compose.yml").read_text()


def test_the_addresses_of_database_and_redis_are_services() -> None:
    for service in OURS.values():
        assert "@postgres:5432/pyramid" in service["environment"]["DATABASE_URL"]
        assert service["environment"]["REDIS_URL"].startswith("redis://redis:6379/")


def test_every_service_waits_for_services_that_exist() -> None:
    for service in OURS.values():
        assert set(service["depends_on"]) <= set(COMPOSE["services"])


@pytest.mark.parametrize("service", [name for name in OURS if "command" in OURS[name]])
def test_every_command_exists(service: str) -> None:
    program, script, command, *_ = OURS[service]["command"]
    assert (program, script) == ("python", "manage.py")
    assert command in get_commands()


def test_the_image_installs_what_we_pin_and_runs_without_privileges() -> None:
    assert re.search(r"^RUN pip install .* -r requirements.txt$", DOCKERFILE, re.MULTILINE)
    assert re.search(r"^USER (?!root)", DOCKERFILE, re.MULTILINE)


def test_the_image_sets_no_setting_but_the_passing_key_of_one_step() -> None:
    assert not re.search(r"^(ENV|ARG) .*PYRAMID_", DOCKERFILE, re.MULTILINE)
    assert re.findall(r"PYRAMID_\w+", DOCKERFILE) == ["PYRAMID_SECRET_KEY"]


def test_both_web_servers_take_frames_up_to_the_same_size() -> None:
    assert f"--ws-max-size={settings.LARGEST_FRAME_BYTES}" in COMMAND_OF_IMAGE


def test_nothing_private_is_copied_into_the_image() -> None:
    ignored = (PROJECT / ".dockerignore").read_text().split()
    assert {".env", "var", ".git", ".venv"} <= set(ignored)


@pytest.mark.servers
@pytest.mark.skipif(not settings.REDIS_URL, reason="runs under tests.with_servers")
def test_the_processes_of_the_containers_serve_from_postgresql_and_redis(
    own_environment: dict[str, str], tmp_path: Path
) -> None:
    migrated = run(compose_command("migrate"), own_environment)
    assert migrated.returncode == 0, migrated.stderr
    port = free_port()
    web = compose_command("web", **{"--host=0.0.0.0": "--host=127.0.0.1", "--port=8000": f"--port={port}"})
    with (
        (tmp_path / "worker.log").open("wb") as log,
        started(compose_command("worker"), signal.SIGTERM, env=own_environment, cwd=PROJECT, stderr=log) as worker,
        serving(web, port, own_environment) as server,
    ):
        assert worker.poll() is None
        server.terminate()
        output = server.communicate(timeout=30)[0].decode()
    assert (worker.returncode, server.returncode) == (0, 0)
    assert "Traceback" not in output
    assert (tmp_path / "worker.log").read_text() == ""


@pytest.mark.parametrize("service", COMPOSE["services"])
def test_every_container_is_confined(service: str) -> None:
    container = COMPOSE["services"][service]
    assert container["read_only"] is True
    assert container["cap_drop"] == ["ALL"]
    assert container["security_opt"] == ["no-new-privileges:true"]
    assert {"mem_limit", "pids_limit", "tmpfs"} <= set(container)
    assert "privileged" not in container


def test_only_postgresql_gets_capabilities_back_and_only_to_become_its_own_user() -> None:
    given = {name: set(service.get("cap_add", [])) for name, service in COMPOSE["services"].items()}
    assert given.pop("postgres") == {"CHOWN", "DAC_OVERRIDE", "FOWNER", "SETGID", "SETUID"}
    assert not any(given.values())


def test_slow_connections_are_closed_in_the_containers_too() -> None:
    assert "--http=pyramid_server.uvicorn_http:PatientProtocol" in COMMAND_OF_IMAGE
