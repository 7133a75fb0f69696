"""The files of docs/vectors/ as they should be, and as they are."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import django

from tests.processes import PROJECT

FOLDER = PROJECT / "docs" / "vectors"

Json = dict[str, Any]


def sets() -> dict[str, Callable[[], Json]]:
    """Return what makes each set of vectors, by name; ratings are computed beside tables, so Django is set up."""
    django.setup()
    from tests.vectors import deals, grades, leaves, log, ratings, rounds, sealed_logs, suits, tree  # noqa: PLC0415

    modules = (deals, grades, leaves, log, ratings, rounds, sealed_logs, suits, tree)
    return {module.__name__.rpartition(".")[2].replace("_", "-"): module.vectors for module in modules}


def texts() -> dict[str, str]:
    """Return the text of each file: one vector a line, so that a change shows."""
    return {f"{name}.json": _text(make()) for name, make in sets().items()}


def read(name: str) -> Json:
    """Return a set of vectors as a verifier reads it."""
    found: Json = json.loads((FOLDER / f"{name}.json").read_text(encoding="ascii"))
    return found


def _text(made: Json) -> str:
    return "{\n" + ",\n".join(_list(kind, ones) for kind, ones in made.items()) + "\n}\n"


def _list(kind: str, ones: list[Json]) -> str:
    lines = ",\n".join(f"    {json.dumps(one)}" for one in ones)
    return f'  "{kind}": [\n{lines}\n  ]'
