"""docs/live-protocol.md says what games/live/messages.py and the consumer do."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import msgspec
import pytest

from games.live import messages
from games.live.closing import CloseCode

DOCS = (Path(__file__).parents[3] / "docs" / "live-protocol.md").read_text()


def documented(heading: str) -> dict[str, str]:
    """Return the first two columns of the table under a heading."""
    section = DOCS.split(f"## {heading}\n")[1].split("\n## ")[0]
    rows = re.findall(r"^\| (`?\w+`?) \| (.*?) ?\|", section, re.MULTILINE)
    return {name.strip("`"): fields for name, fields in rows if name not in {"type", "code"}}


def fields_of(message: type[msgspec.Struct], hidden: set[str]) -> list[str]:
    """Return the fields as the table writes them: optional ones with a question mark."""
    fields = [field for field in msgspec.structs.fields(message) if field.name not in hidden]
    return [f"`{field.name}`{'' if field.required else '?'}" for field in fields]


@pytest.mark.parametrize(
    ("heading", "union", "hidden"),
    [
        ("From the client", messages.ClientMessage, {"id"}),
        ("From the server", messages.ServerMessage, set()),
    ],
)
def test_every_message_is_documented_with_its_fields(heading: str, union: object, hidden: set[str]) -> None:
    declared = {kind.__name__.lower(): ", ".join(fields_of(kind, hidden)) for kind in get_args(union)}
    assert documented(heading) == declared


def test_every_close_code_is_documented() -> None:
    assert set(documented("Codes")) == {str(code.value) for code in CloseCode}


def test_every_client_message_in_the_docs_is_one() -> None:
    sent = re.findall(r"^    > (\{.*\})$", DOCS, re.MULTILINE)
    assert len(sent) >= 4
    for frame in sent:
        messages.read(frame)
