"""The code blocks of the guides in docs/, as their readers copy them."""

from __future__ import annotations

import re

from tests.processes import PROJECT

EXAMPLE = "http://127.0.0.1:8000"


def blocks(guide: str, language: str) -> list[str]:
    """Return the code blocks of a guide in a language."""
    text = (PROJECT / "docs" / guide).read_text()
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def block(guide: str, language: str, url: str = EXAMPLE) -> str:
    """Return the only code block in a language, with the address of a server in place of the example's."""
    (found,) = blocks(guide, language)
    return found.replace(EXAMPLE, url)
