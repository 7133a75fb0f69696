"""A contract for import-linter: inside every subject, imports point from its doors down to its tables.

A subject is a package of an app. The name of a file, or of a folder inside it, says which part it plays; whatever is
not named below is a use case, so that a new one needs no line here.
"""

from __future__ import annotations

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, fields, output

PARTS: tuple[set[str], ...] = (
    {"rest", "socket", "pages", "feeds", "admin", "tasks", "forms"},
    {"live", "feed"},  # what is shared by all sockets of a process
    {"wire", "answers", "examples"},
    set(),  # use cases
    {"models", "guards"},
    {"refusals", "catalog", "sort_keys"},  # values that know neither tables nor interfaces
)
USE_CASES = 3


def part_of(module: str) -> int:
    """Return the part that a module inside a subject plays, counted from the top."""
    name = module.split(".")[2]
    names = {name, name.rsplit("_", 1)[-1]}  # such as own_pages
    return next((number for number, part in enumerate(PARTS) if names & part), USE_CASES)


class InsideOfSubjects(Contract):
    """Every module of a subject imports only modules of the same or lower parts of that subject."""

    type_name = "inside_of_subjects"

    apps = fields.ListField(subfield=fields.StringField())
    except_for = fields.ListField(subfield=fields.StringField(), required=False)

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        left_out: set[str] = set(self.except_for)  # type: ignore[call-overload]
        upward = [
            (module, imported)
            for app in self.apps  # type: ignore[attr-defined]
            for subject in graph.find_children(app)
            if subject not in left_out
            for module in graph.find_descendants(subject)
            for imported in graph.find_modules_directly_imported_by(module)
            if imported.startswith(f"{subject}.") and part_of(imported) < part_of(module)
        ]
        return ContractCheck(kept=not upward, metadata={"upward": sorted(upward)})

    def render_broken_contract(self, check: ContractCheck) -> None:
        for module, imported in check.metadata["upward"]:
            output.print_error(f"{module} is not allowed to import {imported}")
