"""The list of everything that an installation of the server has (CycloneDX), with licences."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

# cyclonedx-py reads from it what the list is about.
_ROOT = """\
[project]
name = "pyramid-server"
version = "{version}"
license = "MIT"
"""


def write_sbom(file: Path, version: str, runtime: Path, environment: dict[str, str]) -> None:
    """Write the list for a version, from an environment that has the locked packages and nothing else."""
    with TemporaryDirectory() as folder:
        root = Path(folder, "pyproject.toml")
        root.write_text(_ROOT.format(version=version))
        options = ["--output-reproducible", "--gather-license-texts", "--pyproject", str(root), "--of", "JSON"]
        command = [sys.executable, "-m", "cyclonedx_py", "environment", *options, str(runtime / "bin" / "python")]
        made = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    file.write_text(json.dumps(json.loads(made.stdout), indent=1, sort_keys=True) + "\n", encoding="utf-8")
