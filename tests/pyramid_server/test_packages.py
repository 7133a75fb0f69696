"""The pinned packages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.metadata import requires

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.processes import PROJECT

LOCK = "requirements.lock"
RUNTIME, TRACING, DEVELOPMENT = (f"requirements{part}.txt" for part in ("", "-tracing", "-dev"))


@pytest.mark.parametrize("files", [(RUNTIME,), (RUNTIME, TRACING), (RUNTIME, TRACING, DEVELOPMENT)])
def test_everything_that_an_installation_brings_along_is_pinned(files: tuple[str, ...]) -> None:
    pinned = [requirement for file in files for requirement in requirements_in(file)]
    assert all(str(requirement.specifier).startswith("==") for requirement in pinned)
    assert names(brought_along(pinned)) <= names(pinned)


def test_the_table_of_overrides_names_the_pinned_versions() -> None:
    page = (PROJECT / "docs" / "packages.md").read_text()
    rows = re.findall(r"^\| `\w+_(?:requests|protocols|server)\.\w+.*? \| ([^|]+) \|", page, re.MULTILINE)
    pinned = {f"{requirement.name} {str(requirement.specifier)[2:]}" for requirement in requirements_in(RUNTIME)}
    assert rows
    assert {package for row in rows for package in row.split(", ")} <= pinned


def test_the_image_installs_the_pinned_packages_with_their_hashes() -> None:
    locked = (PROJECT / LOCK).read_text().replace("\\\n", "").splitlines()
    known = {line.partition(" --hash")[0].strip(): line.count("--hash=sha256:") for line in locked}
    assert {comparable(Requirement(text)) for text in known} == {
        comparable(each) for each in requirements_in(RUNTIME)
    }, f"uv pip compile --no-deps --universal --generate-hashes --no-annotate --no-header {RUNTIME} -o {LOCK}"
    assert min(known.values()) > 0


def comparable(requirement: Requirement) -> tuple[str, str]:
    return canonicalize_name(requirement.name), str(requirement.specifier)


def requirements_in(file: str) -> Iterator[Requirement]:
    for line in (PROJECT / file).read_text().splitlines():
        text = line.partition("#")[0].strip()
        if text and not text.startswith("-r "):
            yield Requirement(text)


def brought_along(pinned: list[Requirement]) -> list[Requirement]:
    """Return what pinned packages require here, directly: what those require is to be pinned itself."""
    here = [requirement for requirement in pinned if requirement.marker is None or requirement.marker.evaluate()]
    return [
        needed
        for requirement in here
        for needed in map(Requirement, requires(requirement.name) or [])
        if needed.marker is None or any(needed.marker.evaluate({"extra": extra}) for extra in ("", *requirement.extras))
    ]


def names(requirements: list[Requirement]) -> set[str]:
    return {canonicalize_name(requirement.name) for requirement in requirements}
