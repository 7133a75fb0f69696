"""The solver and the rules as a package of their own, in which nothing else of the server is."""

from __future__ import annotations

import re
from pathlib import Path

PACKAGE = "pyramid_solver"
FOLDERS = {"games/solver": PACKAGE, "games/rules": f"{PACKAGE}/rules"}
_NAMES = {folder.replace("/", "."): name.replace("/", ".") for folder, name in FOLDERS.items()}
_NAME = re.compile(rf"\b(?:{'|'.join(map(re.escape, _NAMES))})\b")


def write_package(source: Path, target: Path) -> None:
    """Write the modules of both into a folder, under the names that they have in the package."""
    for folder, name in FOLDERS.items():
        (target / name).mkdir(parents=True, exist_ok=True)
        for module in sorted((source / folder).glob("*.py")):
            text = module.read_text(encoding="utf-8")
            (target / name / module.name).write_text(_NAME.sub(lambda found: _NAMES[found[0]], text), encoding="utf-8")
