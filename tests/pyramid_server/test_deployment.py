"""The containers, checked without a container engine: their files against the settings and each other.

tests/journeys/test_replacing_nodes.py runs their processes.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import get_commands

from pyramid_server.management.commands.serve import WEB_FRAME_BYTES
from tests.compose import (
    COMMAND_OF_IMAGE,
    COMPOSE,
    COMPOSE_TEXT,
    DOCKERFILE,
    NGINX_TEMPLATE,
    NODES,
    OURS,
    PROXY,
    SERVICES,
    addresses_of_nodes,
)
from tests.processes import PROJECT, run

DECLARED = {declaration.name: declaration for declaration in settings.ENVIRONMENT.declared}
# The only variables that are not ours: PostgreSQL's roles get them.
OWNER_PASSWORD, SERVER_PASSWORD = PASSWORDS = ("POSTGRES_OWNER_PASSWORD", "POSTGRES_SERVER_PASSWORD")
EXAMPLE = dict(re.findall(r"^(\w+)=(.*)$", (PROJECT / ".env.example").read_text(), re.MULTILINE))


def test_there_are_a_database_redis_two_nodes_a_worker_and_a_proxy() -> None:
    assert set(SERVICES) == {"postgres", "redis", "migrate", "web-1", "web-2", "worker", "proxy"}


@pytest.mark.parametrize("service", OURS)
def test_every_variable_of_our_services_is_a_setting(service: str) -> None:
    assert set(OURS[service]["environment"]) <= {*DECLARED, OWNER_PASSWORD}


def test_every_variable_the_file_asks_for_is_in_the_example() -> None:
    asked_for = re.findall(r"\$\{(\w+)", COMPOSE_TEXT)
    assert set(asked_for) <= set(EXAMPLE)


def test_the_example_names_settings_only() -> None:
    assert set(EXAMPLE) <= {*DECLARED, *PASSWORDS}


def test_the_example_holds_no_secret_and_starts_nothing_until_it_is_filled_in() -> None:
    assert {EXAMPLE[name] for name in ("PYRAMID_SECRET_KEY", *PASSWORDS)} == {""}
    assert all(f"{{{name}:?" in COMPOSE_TEXT for name in (*PASSWORDS, "PYRAMID_ALLOWED_HOSTS"))


@pytest.mark.parametrize("service", OURS)
def test_only_who_migrates_knows_the_password_of_the_tables_owner(service: str) -> None:
    given = OURS[service]["environment"]
    role = "owner" if service == "migrate" else "server"
    assert given["DATABASE_URL"].startswith(f"postgres://pyramid_{role}:${{POSTGRES_{role.upper()}_PASSWORD}}@")
    assert given[OWNER_PASSWORD] == "", "it stands in .env, which every container gets"


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="judged by systemd (apt-get install systemd)")
@pytest.mark.parametrize(
    "unit", sorted((PROJECT / "pyramid_server/deployment").glob("*.service")), ids=lambda path: path.stem
)
def test_what_systemd_starts_may_do_little(unit: Path, tmp_path: Path) -> None:
    installed = tmp_path / unit.name.replace("@.", "@8001.")
    installed.write_text(unit.read_text())
    judge = ["systemd-analyze", "security", "--offline=yes", "--no-pager", "--threshold=29"]
    judged = run([*judge, str(installed)], {**os.environ, "SYSTEMD_COLORS": "0"})
    assert judged.returncode == 0, judged.stdout


def test_the_addresses_of_database_and_redis_are_services() -> None:
    for service in OURS.values():
        assert "@postgres:5432/pyramid" in service["environment"]["DATABASE_URL"]
        assert service["environment"]["REDIS_URL"].startswith("redis://redis:6379/")


def test_every_service_waits_for_services_that_exist() -> None:
    for service in SERVICES.values():
        assert set(service.get("depends_on", ())) <= set(SERVICES)


def test_migrations_run_once_and_before_whatever_serves() -> None:
    assert SERVICES["migrate"]["restart"] == "no"
    for name in (*NODES, "worker"):
        assert OURS[name]["depends_on"]["migrate"] == {"condition": "service_completed_successfully"}


def test_only_the_proxy_can_be_reached_and_database_and_redis_reach_nobody() -> None:
    assert [name for name, service in SERVICES.items() if "ports" in service] == ["proxy"]
    networks = {name: set(service["networks"]) for name, service in SERVICES.items()}
    assert networks == {name: {"back"} for name in SERVICES} | {n: {"back", "front"} for n in NODES} | {
        "proxy": {"front"}
    }
    assert COMPOSE["networks"]["back"] == {"internal": True}


def test_the_proxy_knows_every_node_by_an_address_that_stays() -> None:
    assert len(NODES) == 2
    assert re.findall(r"server (\S+) ", PROXY["environment"]["PROXY_NODES"]) == addresses_of_nodes()


def test_the_proxy_has_a_value_for_every_variable_of_its_configuration() -> None:
    used = set(re.findall(r"\$\{(\w+)\}", NGINX_TEMPLATE.read_text()))
    assert used == {name for name in PROXY["environment"] if name.startswith("PROXY_")}


def test_the_proxy_takes_bodies_as_long_as_the_server_does() -> None:
    assert f"client_max_body_size {settings.DATA_UPLOAD_MAX_MEMORY_SIZE // 1024}k;" in NGINX_TEMPLATE.read_text()


def test_nodes_trust_the_address_and_the_scheme_that_the_proxy_names() -> None:
    assert all(OURS[name]["environment"]["PYRAMID_BEHIND_TLS_PROXY"] == "yes" for name in OURS)


@pytest.mark.parametrize("service", ["postgres", "redis", "proxy"])
def test_every_server_says_if_it_is_well(service: str) -> None:
    assert SERVICES[service]["healthcheck"]["test"][0] == "CMD"


def test_a_node_is_well_when_it_is_ready() -> None:
    assert re.search(r"^HEALTHCHECK .*\n.*/health/ready", DOCKERFILE, re.MULTILINE)
    assert not any("healthcheck" in OURS[name] for name in NODES)


@pytest.mark.parametrize("service", [name for name in OURS if "command" in OURS[name]])
def test_every_command_exists(service: str) -> None:
    program, script, command, *_ = OURS[service]["command"]
    assert (program, script) == ("python", "manage.py")
    assert command in get_commands()


def test_the_image_installs_what_we_pin_and_runs_without_privileges() -> None:
    assert re.search(r"^RUN pip install .* --require-hashes -r requirements.lock$", DOCKERFILE, re.MULTILINE)
    assert re.search(r"^USER (?!root)", DOCKERFILE, re.MULTILINE)


def test_the_pods_of_the_chart_run_as_the_user_of_the_image() -> None:
    chart = (PROJECT / "pyramid_server" / "deployment" / "chart" / "templates" / "_helpers.tpl").read_text()
    [user] = re.findall(r"useradd --system --uid (\d+) --user-group", DOCKERFILE)
    assert re.findall(r"(?:runAsUser|runAsGroup|fsGroup): (\d+)", chart) == [user] * 3


def test_the_image_sets_no_setting_but_the_passing_key_of_one_step() -> None:
    assert not re.search(r"^(ENV|ARG) .*PYRAMID_", DOCKERFILE, re.MULTILINE)
    assert re.findall(r"PYRAMID_\w+", DOCKERFILE) == ["PYRAMID_SECRET_KEY"]


def test_both_web_servers_take_frames_up_to_the_same_size() -> None:
    assert f"--ws-max-size={WEB_FRAME_BYTES}" in COMMAND_OF_IMAGE


IMAGES = {"postgres", "redis", "nginx", "python"}


def test_every_image_is_named_by_its_digest_so_that_what_was_tried_is_what_runs() -> None:
    named = re.findall(r"^(?: *image:|FROM) (?!pyramid-server)(.*)$", COMPOSE_TEXT + DOCKERFILE, re.MULTILINE)
    assert all(re.fullmatch(r"\w+:[\w.-]+@sha256:[0-9a-f]{64}", name) for name in named), named
    assert {name.partition(":")[0] for name in named} == IMAGES


def test_make_images_pins_every_image_by_the_digest_of_its_tag_and_again_by_a_newer_one(tmp_path: Path) -> None:
    for name in ("Makefile", "docker-compose.yml", "Dockerfile"):
        shutil.copy(PROJECT / name, tmp_path)
    docker = tmp_path / "docker"
    environment = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"}

    def pinned_by(answer: str) -> list[tuple[str, str]]:
        docker.write_text(f"#!/bin/sh\n{answer}\n")
        docker.chmod(0o755)
        subprocess.run(
            [shutil.which("make") or "", "images"], cwd=tmp_path, env=environment, capture_output=True, check=False
        )
        text = (tmp_path / "docker-compose.yml").read_text() + (tmp_path / "Dockerfile").read_text()
        return re.findall(r"^(?: *image:|FROM) (\w+):[\w.-]+(?:@(sha256:\w+))?$", text, re.MULTILINE)

    for digest in (f"sha256:{'a' * 64}", f"sha256:{'b' * 64}"):
        assert {*pinned_by(f"echo {digest}")} == {(image, digest) for image in IMAGES}
    for failing in ("exit 1", "echo not-a-digest"):
        assert {*pinned_by(failing)} == {(image, digest) for image in IMAGES}


def test_nothing_private_is_copied_into_the_image() -> None:
    ignored = (PROJECT / ".dockerignore").read_text().split()
    assert {".env", "var", ".git", ".venv"} <= set(ignored)


@pytest.mark.parametrize("service", SERVICES)
def test_every_container_is_confined(service: str) -> None:
    container = SERVICES[service]
    assert container["read_only"] is True
    assert container["cap_drop"] == ["ALL"]
    assert container["security_opt"] == ["no-new-privileges:true"]
    assert {"mem_limit", "pids_limit", "tmpfs"} <= set(container)
    assert "privileged" not in container


def test_no_container_but_that_of_postgresql_starts_as_root() -> None:
    assert {name for name, service in SERVICES.items() if "user" in service} == {"redis", "proxy"}
    assert not any(str(service.get("user", "")).startswith(("0", "root")) for service in SERVICES.values())


def test_only_postgresql_gets_capabilities_back_and_only_to_become_its_own_user() -> None:
    given = {name: set(service.get("cap_add", [])) for name, service in SERVICES.items()}
    assert given.pop("postgres") == {"CHOWN", "DAC_OVERRIDE", "FOWNER", "SETGID", "SETUID"}
    assert not any(given.values())


def test_slow_connections_are_closed_in_the_containers_too() -> None:
    assert "--http=pyramid_server.uvicorn_protocols:TimeoutProtocol" in COMMAND_OF_IMAGE


def test_without_containers_a_node_is_started_by_the_same_command() -> None:
    unit = (PROJECT / "pyramid_server/deployment/pyramid-web@.service").read_text().replace("\\\n", " ")
    [command] = re.findall(r"^ExecStart=\S+/(uvicorn .*)$", unit, re.MULTILINE)
    replaced = {"--host=0.0.0.0": "--host=127.0.0.1", "--port=8000": "--port=%i"}
    assert command.split() == [replaced.get(word, word) for word in COMMAND_OF_IMAGE]


def test_the_documented_proxy_without_containers_has_every_variable_of_its_configuration() -> None:
    page = (PROJECT / "docs" / "several-nodes.md").read_text()
    used = set(re.findall(r"\$\{(\w+)\}", NGINX_TEMPLATE.read_text()))
    assert set(re.findall(r"\b(PROXY_[A-Z]+)=", page)) == used
