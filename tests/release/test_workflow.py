"""The workflows do what maintainers can do with `make`, with no more rights than they need."""

from __future__ import annotations

import re
from typing import Any

import pytest
import yaml

from tests.processes import PROJECT

# `on` is a truth value in YAML.
WORKFLOW, FREE_THREADS = (
    yaml.safe_load((PROJECT / f".github/workflows/{name}.yml").read_text()) for name in ("release", "free-threads")
)
JOBS: dict[str, Any] = WORKFLOW["jobs"]
STEPS = [step for job in JOBS.values() for step in job["steps"]]
ALL_STEPS = [*STEPS, *FREE_THREADS["jobs"]["free-threads"]["steps"]]
TARGETS = set(re.findall(r"^([a-z][a-z-]*):", (PROJECT / "Makefile").read_text(), re.MULTILINE))
BUILDING = {"build", "data"}
# What may write where: attestations, trusted publishing, packages of the registry, and the draft of the release.
RIGHTS = {
    "build": {"contents: read", "id-token: write", "attestations: write"},
    "data": {"contents: read", "id-token: write", "attestations: write"},
    "pypi": {"id-token: write"},
    "npm": {"id-token: write"},
    "containers": {"contents: read", "packages: write"},
    "files": {"contents: write"},
}


def test_what_is_built_and_pushed_is_made_by_targets_that_a_maintainer_has() -> None:
    made = re.findall(r"\bmake ((?:[a-z-]+ ?)+)", " ".join(step.get("run", "") for step in STEPS))
    assert made == ["release-check ", "puzzles verdicts ", "image "]
    assert set(" ".join(made).split()) <= TARGETS


def test_two_jobs_build_and_the_others_publish_what_these_have_made() -> None:
    assert "release-check: dist " in (PROJECT / "Makefile").read_text()
    for name, job in JOBS.items():
        uses = [step["uses"].partition("@")[0] for step in job["steps"] if "uses" in step]
        assert ("actions/upload-artifact" in uses) == (name in BUILDING)
        assert ("actions/download-artifact" in uses) == (name not in BUILDING)
        assert (name in BUILDING) == ("needs" not in job)
    assert set(JOBS["files"]["needs"]) == set(JOBS) - {"files", "build"}


def test_each_job_has_the_rights_it_needs_an_end_and_no_password() -> None:
    assert WORKFLOW["permissions"] == {}
    assert {
        name: {f"{right}: {level}" for right, level in job["permissions"].items()} for name, job in JOBS.items()
    } == RIGHTS
    assert all(job["timeout-minutes"] <= (300 if name == "data" else 60) for name, job in JOBS.items())
    assert "secrets." not in str(WORKFLOW)
    published = {name for name in JOBS if name not in {*BUILDING, "files"}}
    assert {name for name, job in JOBS.items() if job.get("environment") == name} == published


@pytest.mark.parametrize("action", sorted({step["uses"] for step in ALL_STEPS if "uses" in step}))
def test_an_action_is_named_by_its_commit_and_takes_nothing_from_another_run(action: str) -> None:
    assert re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40}", action)
    with_it = [step.get("with", {}) for step in ALL_STEPS if step.get("uses") == action]
    if action.startswith("actions/checkout@"):
        assert all(options["persist-credentials"] is False for options in with_it)
    if action.startswith("actions/setup-node@"):
        assert all(options["package-manager-cache"] is False for options in with_it)


def test_a_tag_starts_it_and_has_to_name_the_version_of_the_server() -> None:
    assert WORKFLOW[True] == {"push": {"tags": ["v[0-9]+.[0-9]+.[0-9]+"]}}
    [check] = [step["run"] for step in JOBS["build"]["steps"] if "GITHUB_REF_NAME" in step.get("run", "")]
    assert "pyramid_server.__version__" in check


def test_each_change_is_tried_on_a_python_without_a_global_lock() -> None:
    [(_, job)] = FREE_THREADS["jobs"].items()
    [python] = [step["with"] for step in job["steps"] if "setup-python" in step.get("uses", "")]
    assert python == {"python-version": "3.14t"}
    assert job["steps"][-1]["run"].split()[:2] == ["make", "free-threads"]
    assert "free-threads" in TARGETS
    assert (FREE_THREADS["permissions"], job["permissions"]) == ({}, {"contents": "read"})
    assert {"push", "pull_request", "schedule"} == set(FREE_THREADS[True])
