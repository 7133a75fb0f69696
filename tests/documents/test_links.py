"""Links between the documents lead to files and headings that exist."""

import re
from pathlib import Path
from urllib.parse import unquote

import pytest

PROJECT = Path(__file__).parents[2]
DOCUMENTS = [*PROJECT.glob("*.md"), *(PROJECT / "docs").glob("*.md"), *(PROJECT / "clients").glob("*/*.md")]
LINK = re.compile(r'\]\(([^)\s]+)\)|(?:src|srcset)="([^"]+)"')
CODE = re.compile(r"```.*?```|^    [^\n]*$|`[^`\n]*`", re.DOTALL | re.MULTILINE)


def anchors(document: Path) -> set[str]:
    """Return the anchors of a document's headings, as GitHub names them."""
    headings = re.findall(r"^#+ (.+)$", document.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def links() -> list[tuple[Path, str]]:
    """Return the links of all documents to other parts of the project."""
    return [
        (document, target)
        for document in DOCUMENTS
        for found in LINK.finditer(CODE.sub("", document.read_text()))
        if (target := found[1] or found[2]) and not target.startswith(("http:", "https:", "mailto:"))
    ]


def test_links_lead_somewhere() -> None:
    broken = []
    for document, target in links():
        path, _, anchor = unquote(target).partition("#")
        file = (document.parent / path) if path else document
        if not file.exists() or (anchor and anchor not in anchors(file)):
            broken.append(f"{document.relative_to(PROJECT)}: {target}")
    assert not broken, "\n".join(broken)
    assert len(links()) > 50


@pytest.mark.parametrize(
    "document",
    [path for path in DOCUMENTS if path.parent == PROJECT / "docs" and path.name != "README.md"],
    ids=lambda path: path.name,
)
def test_every_document_can_be_reached_from_the_contents(document: Path) -> None:
    assert f"({document.name})" in (PROJECT / "docs" / "README.md").read_text()
