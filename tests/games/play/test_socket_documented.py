"""docs/live-protocol.md says what games/play/wire.py and games/live/ do."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import get_args

import msgspec
import pytest

from games.doors.sockets.close_codes import CloseCode
from games.play import wire as messages
from tests.live_contract import require_documented

pytestmark = pytest.mark.usefixtures("_no_deadline")

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


def test_every_close_code_is_documented_with_its_meaning_and_what_to_do() -> None:
    rows = re.findall(r"^\| (\d+) \| (.*) \| (.*) \|$", DOCS.split("\n## Codes\n")[1], re.MULTILINE)
    assert sorted(rows) == sorted((str(code.value), code.meaning, code.advice) for code in CloseCode)


def test_every_client_message_in_the_docs_is_one() -> None:
    sent = re.findall(r"^    > (\{.*\})$", DOCS, re.MULTILINE)
    assert len(sent) >= 4
    for frame in sent:
        messages.read(frame)


def test_every_server_message_in_the_docs_is_documented_in_the_asyncapi_document() -> None:
    told = re.findall(r"^    < (\{.*\})$", DOCS, re.MULTILINE)
    whole = [json.loads(frame) for frame in told if "..." not in frame]
    assert len(whole) >= 8
    for message in whole:
        require_documented("game", message)
