from __future__ import annotations

import os
import re
import stat
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from django.conf import settings

from games.tlog.keys import made_key
from pyramid_server.private_files import kept_secret
from tests.processes import MANAGE, PROJECT, UVICORN, run


def check_with(*options: str, **variables: str) -> tuple[int, str]:
    """Run the system checks with these variables and no other of ours; return their exit code and output."""
    return run_with("check", *options, **variables)


def run_with(*command: str, **variables: str) -> tuple[int, str]:
    ours = {declaration.name for declaration in settings.ENVIRONMENT.declared}
    environment = {name: value for name, value in os.environ.items() if name not in ours} | variables
    # With a wrong address of a database, whatever is forked would load everything again.
    result = run([*MANAGE, *command], environment, is_cold="DATABASE_URL" in variables)
    return result.returncode, result.stdout + result.stderr


def in_sections(text: str, heading: str, name: str) -> dict[str, set[str]]:
    """Return what the pattern `name` finds below each heading that has any."""
    _, *parts = re.split(heading, text, flags=re.MULTILINE)
    sections = {title: set(re.findall(name, body)) for title, body in zip(parts[::2], parts[1::2], strict=True)}
    return {title: names for title, names in sections.items() if names}


def test_the_page_of_settings_shows_exactly_what_is_declared() -> None:
    page = (PROJECT / "docs" / "settings.md").read_text()
    shown = re.findall(r"^\| `(\w+)` \| (.+) \| (?:`(.+)`)? \| .+ \|$", page, re.MULTILINE)
    assert sorted(shown) == sorted(settings.ENVIRONMENT.declared)


def test_the_page_of_settings_has_the_sections_of_the_module() -> None:
    page = (PROJECT / "docs" / "settings.md").read_text()
    module = (PROJECT / "pyramid_server" / "settings.py").read_text()
    assert in_sections(page, r"^## (.+)$", r"\n\| `(\w+)`") == in_sections(module, r"^# (.+)\n\n", r'read\("(\w+)"')


def test_the_server_starts_without_any_setting() -> None:
    assert check_with()[0] == 0


def test_another_database_than_the_default_needs_a_secret_key() -> None:
    code, output = check_with(DATABASE_URL="postgres://pyramid:hunter2@localhost/pyramid")
    assert code == 1
    assert "PYRAMID_SECRET_KEY is not given" in output
    assert "hunter2" not in output


def test_mails_need_the_address_of_the_site_and_blanks_are_none() -> None:
    output = check_with(PYRAMID_MAIL="smtp://mail.example", PYRAMID_PUBLIC_URL=" ")[1]
    assert "PYRAMID_PUBLIC_URL is not given; expected the address of the site" in output


def test_a_misspelt_variable_and_a_proxy_without_a_name_are_warnings_of_every_command_of_ours() -> None:
    code, output = run_with("asyncapi", PYRAMID_ALOWED_HOSTS="pyramid.example", PYRAMID_BEHIND_TLS_PROXY="yes")
    assert code == 0
    assert "PYRAMID_BEHIND_TLS_PROXY is set, and PYRAMID_ALLOWED_HOSTS is not" in output
    assert "PYRAMID_ALOWED_HOSTS is set, but there is no such setting" in output
    assert "Did you mean PYRAMID_ALLOWED_HOSTS?" in output


WRONG = {
    **dict.fromkeys((d.name for d in settings.ENVIRONMENT.declared if "whole number" in d.expected), "many"),
    **dict.fromkeys((d.name for d in settings.ENVIRONMENT.declared if d.expected == "yes or no"), "perhaps"),
    "PYRAMID_FOLDER": "pyramid",
    "DATABASE_URL": "postgres://pyramid:hunter2@db/pyramid?no_such_option=1",
    "REDIS_URL": "redis://:hunter2@cache:port/0",
    "PYRAMID_SECRET_KEY": "hunter2",
    "PYRAMID_LOG_KEY": "hunter2",
    "PYRAMID_WITNESSES": "witness.example+0+AAAA https://witness.example",
    "PYRAMID_METRICS_TOKEN": "hunter2",
    "PYRAMID_ALLOWED_HOSTS": "https://pyramid.example",
    "PYRAMID_TRUSTED_ORIGINS": "pyramid.example",
    "PYRAMID_PUSH_SERVICES": "https://push.example",
    "PYRAMID_PUBLIC_URL": "pyramid.example/path",
    "PYRAMID_PASSKEYS": "https://pyramid.example",
    "PYRAMID_SIGN_IN_WITH": '{"school": {"issuer": "http://sso.example", "client_id": "hunter2"}}',
    "PYRAMID_MAIL": "http://me:hunter2@mail.example",
    "PYRAMID_MAIL_FROM": "Pyramid <pyramid>",
    "PYRAMID_SECURITY_CONTACT": "security@pyramid.example",
    "PYRAMID_BEACON_RELAYS": "api.drand.sh",
    "PYRAMID_PROGRAMME": '{"slots": 3}',
    "PYRAMID_DAILY_RULE_SETS": "standard,solitaire",
    "PYRAMID_CUPS": "25:00",
    "PYRAMID_DAILY_POLICIES": '{"standard": {"attempts": 0}, "patience": {}}',
    "PYRAMID_TRACES_URL": "collector:4318",
    "PYRAMID_LOG_LEVEL": "loud",
    "PYRAMID_LOG_FORMAT": "xml",
}


def test_every_wrong_setting_is_told_with_what_would_be_right_all_together_and_without_a_secret() -> None:
    assert set(WRONG) == {declaration.name for declaration in settings.ENVIRONMENT.declared}
    code, output = check_with(**WRONG)
    assert code == 1
    told = dict(re.findall(r"^ +(\w+) is .*; expected (.+)$", output, re.MULTILINE))
    assert set(told) == set(WRONG)
    for declaration in settings.ENVIRONMENT.declared:
        if declaration.name not in {"PYRAMID_PROGRAMME", "PYRAMID_DAILY_RULE_SETS", "PYRAMID_DAILY_POLICIES"}:
            assert told[declaration.name].startswith(declaration.expected)
    assert "PYRAMID_DAILY_RULE_SETS is about 'solitaire'; expected rule sets, of which there are" in output
    assert "PYRAMID_DAILY_POLICIES is about 'patience'" in output
    assert "standard: Expected `int` >= 1" in output
    twice = check_with(PYRAMID_DAILY_RULE_SETS="giza,standard,Giza")[1]
    assert "PYRAMID_DAILY_RULE_SETS is about 'giza' more than once; expected each rule set once" in twice
    assert "PYRAMID_DAILY_POLICIES is '[]'; expected a JSON object" in check_with(PYRAMID_DAILY_POLICIES="[]")[1]
    assert "Traceback" not in output
    assert "hunter2" not in output


@pytest.mark.parametrize("server", ["uvicorn", "daphne"])
def test_a_web_server_with_wrong_settings_ends_with_each_mistake_once_and_nothing_else(server: str) -> None:
    wrong = {"PYRAMID_SECRET_KEY": "short", "PYRAMID_CUPS": "25:00", "DATABASE_URL": "postgres://alice@localhost/none"}
    command = [sys.executable, "-m", server, "--port=0", "pyramid_server.asgi:application"]
    ended = run(command, {**os.environ, **wrong}, is_cold=True)
    assert ended.returncode == 1
    heading, *mistakes = ended.stderr.splitlines()
    assert heading == "Invalid settings (see docs/settings.md):"
    assert [mistake.split()[0] for mistake in mistakes] == ["PYRAMID_SECRET_KEY", "PYRAMID_CUPS"]


@pytest.mark.parametrize("command", [MANAGE, UVICORN], ids=["manage", "uvicorn"])
def test_a_folder_for_common_counts_that_is_not_there_is_a_mistake_like_others(
    command: list[str], tmp_path: Path
) -> None:
    folder = tmp_path / "counts"
    words = ["asyncapi"] if command is MANAGE else ["0", "pyramid_server.asgi:application"]
    ended = run([*command, *words], {**os.environ, "PROMETHEUS_MULTIPROC_DIR": str(folder)}, is_cold=True)
    assert ended.returncode == 1
    assert ended.stderr.splitlines()[1:] == [
        f"  PROMETHEUS_MULTIPROC_DIR is {str(folder)!r}; expected a folder that can be written to"
    ]


def test_a_worker_of_uvicorn_can_load_the_protocols_before_the_application() -> None:
    environment = {name: value for name, value in os.environ.items() if name != "DJANGO_SETTINGS_MODULE"}
    ended = run([sys.executable, "-c", "import pyramid_server.uvicorn_protocols"], environment, is_cold=True)
    assert (ended.returncode, ended.stderr) == (0, "")


def test_an_empty_name_of_a_folder_for_common_counts_is_none() -> None:
    checked = "from django.core.management import call_command; call_command('check')"
    counted = f"{checked}; from prometheus_client.values import ValueClass; print(ValueClass._multiprocess)"
    code, output = run_with("shell", "--no-imports", "--command", counted, PROMETHEUS_MULTIPROC_DIR="")
    assert (code, output) == (0, "System check identified no issues (0 silenced).\nFalse\n")


def test_data_is_kept_in_the_folder_that_is_named_and_a_sentence_says_if_that_is_impossible(tmp_path: Path) -> None:
    assert check_with(PYRAMID_FOLDER=str(tmp_path / "new"))[0] == 0
    assert {file.name for file in (tmp_path / "new" / "var").iterdir()} >= {"pyramid.sqlite3", "secret_key"}
    (tmp_path / "file").touch()
    code, output = check_with(PYRAMID_FOLDER=str(tmp_path / "file"))
    assert code == 1
    assert output == f"The data cannot be kept in {tmp_path / 'file'} (see PYRAMID_FOLDER): Not a directory\n"


def test_a_clone_passes_the_checks_of_django() -> None:
    code, output = check_with("--fail-level=WARNING")
    assert code == 0, output


def test_a_server_behind_a_tls_proxy_passes_the_deployment_checks() -> None:
    code, output = check_with(
        "--deploy",
        "--fail-level=WARNING",
        PYRAMID_DEBUG="no",
        PYRAMID_BEHIND_TLS_PROXY="yes",
        PYRAMID_ALLOWED_HOSTS="pyramid.example",
    )
    assert code == 0, output


def test_the_kept_secret_is_made_once_and_only_its_owner_can_read_it(tmp_path: Path) -> None:
    path = tmp_path / "secret_key"
    first = kept_secret(path)
    assert len(first) >= 50
    assert kept_secret(path) == first
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.parametrize("kept", [b"", b"hunter2", b"\xff" * 60], ids=["empty", "short", "not a text"])
def test_a_kept_secret_that_is_not_whole_is_a_mistake_like_others(tmp_path: Path, kept: bytes) -> None:
    file = tmp_path / "var" / "secret_key"
    file.parent.mkdir()
    file.write_bytes(kept)
    code, output = check_with(PYRAMID_FOLDER=str(tmp_path))
    assert code == 1
    assert output.splitlines()[1:] == [
        f"  PYRAMID_SECRET_KEY is damaged in {file}; expected at least 50 random characters"
    ]


def test_a_secret_that_cannot_be_kept_is_a_sentence(tmp_path: Path) -> None:
    file = tmp_path / "var" / "secret_key"
    file.mkdir(parents=True)  # as root, a test can read and write whatever else may be in the way
    assert check_with(PYRAMID_FOLDER=str(tmp_path)) == (1, f"The secret key cannot be kept in {file}: Is a directory\n")


def test_processes_that_start_together_keep_the_same_secret(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        secrets = set(pool.map(kept_secret, [tmp_path / "secret_key"] * 64))
    assert len(secrets) == 1


def test_a_damaged_key_of_the_log_is_refused_at_the_start_and_not_shown() -> None:
    key = made_key().text
    code, output = run_with("asyncapi", PYRAMID_LOG_KEY=key[:-4])
    assert (code, "PYRAMID_LOG_KEY is not a key of a log" in output) == (1, True)
    assert key[:-4] not in output
    assert run_with("asyncapi", PYRAMID_LOG_KEY=key)[0] == 0


def test_a_damaged_file_with_the_key_of_the_log_is_refused_at_the_start(tmp_path: Path) -> None:
    folder = {"PYRAMID_FOLDER": str(tmp_path)}
    assert run_with("asyncapi", **folder)[0] == 0
    file = tmp_path / "var" / "pyramid.sqlite3.log_key"
    file.write_text(made_key().text[:-4])
    code, output = run_with("asyncapi", **folder)
    assert (code, f"{file} is not a key of a log" in output) == (1, True)
    assert "Traceback" not in output
