"""The files of a release, built from a commit alone, so that everyone who builds it gets the same bytes.

Times are those of the commit; the permissions, the time zone and the language of the builder leave no trace.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import os
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.release.preparing import git
from tests.release.sbom import write_sbom
from tests.release.solver_package import write_package
from tests.release.versions import CHART, SOURCE, versions_in

SUMS = "SHA256SUMS"
SOLVER = "clients/solver"


def build(clone: Path, target: Path, runtime: Path) -> None:
    """Build everything from the last commit into an empty folder. `runtime` is an environment with the lock alone."""
    seconds = int(git(clone, "log", "-1", "--format=%ct"))
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    with TemporaryDirectory() as name:
        source = Path(name)
        extract(clone, source)
        environment = {**os.environ, "SOURCE_DATE_EPOCH": str(seconds)}
        _run([sys.executable, "-m", "build", "--wheel", *_options(target), str(source)], source, environment)
        write_package(source, source / SOLVER)
        for package in ("clients/python", SOLVER):
            _run([sys.executable, "-m", "build", *_options(target), str(source / package)], source, environment)
        npm = ["npm", "pack", "--silent", "--ignore-scripts", "--pack-destination", str(target)]
        _run(npm, source / "clients/javascript", environment)
        version = version_of(source)
        (target / f"pyramid-server-{version}.tgz").write_bytes(packed(source / CHART, "pyramid-server", seconds))
        write_sbom(target / f"pyramid-server-{version}.cdx.json", version, runtime, environment)
        _write_requirements(target, source, version)
    (target / SUMS).write_text(sums(target))


def extract(clone: Path, folder: Path) -> None:
    """Write the files of the last commit into a folder."""
    command = ["git", "-C", str(clone), "-c", "tar.umask=0022", "archive", "HEAD"]
    archive = subprocess.run(command, check=True, capture_output=True).stdout
    with tarfile.open(fileobj=io.BytesIO(archive)) as files:
        files.extractall(folder, filter="data")


def version_of(source: Path) -> str:
    return next(version for (name, _), version in versions_in(source).items() if name == SOURCE)


def packed(folder: Path, name: str, seconds: int) -> bytes:
    """Return a folder as a compressed archive that depends on nothing but the names and contents of its files."""
    tar, whole = io.BytesIO(), io.BytesIO()
    with tarfile.open(fileobj=tar, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for file in sorted(path for path in folder.rglob("*") if path.is_file()):
            entry = tarfile.TarInfo(f"{name}/{file.relative_to(folder).as_posix()}")
            entry.size, entry.mtime, entry.mode = file.stat().st_size, seconds, 0o644
            with file.open("rb") as contents:
                archive.addfile(entry, contents)
    with gzip.GzipFile(filename="", mode="wb", fileobj=whole, mtime=seconds) as compressed:
        compressed.write(tar.getvalue())
    return whole.getvalue()


def sums(folder: Path) -> str:
    """Return the hash of each file, in the format of `sha256sum`."""
    return "".join(f"{_hash_of(file)}  {file.name}\n" for file in sorted(folder.iterdir()))


def _write_requirements(target: Path, source: Path, version: str) -> None:
    """Write what `pip install --require-hashes` needs: the locked packages, and the wheel itself."""
    [wheel] = target.glob("pyramid_server-*.whl")
    locked = (source / "requirements.lock").read_text(encoding="utf-8")
    own = f"pyramid-server=={version} \\\n    --hash=sha256:{_hash_of(wheel)}\n"
    (target / f"pyramid-server-{version}.requirements.txt").write_text(locked + own, encoding="utf-8")


def _options(target: Path) -> list[str]:
    # Without isolation: the backends of requirements.lock beside this file, not those of the day.
    return ["--no-isolation", "--outdir", str(target)]


def _run(command: Sequence[str], folder: Path, environment: dict[str, str]) -> None:
    subprocess.run(command, cwd=folder, env=environment, check=True, stdout=subprocess.DEVNULL)


def _hash_of(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()
