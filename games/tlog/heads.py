"""Heads of logs: the body of a checkpoint (https://c2sp.org/tlog-checkpoint)."""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from typing import NamedTuple

from games.tlog.merkle import SIZE


class Head(NamedTuple):
    """The size and the root of a log, which its origin names."""

    origin: str
    size: int
    root: bytes

    @classmethod
    def from_text(cls, text: str) -> Head:
        """Read the body of a checkpoint, which has to be written in the only way there is. Raises ValueError."""
        found = re.fullmatch(r"([^\s+]{1,200})\n(0|[1-9][0-9]{0,15})\n([A-Za-z0-9+/]{43}=)\n", text)
        head = cls(found[1], int(found[2]), b64decode(found[3], validate=True)) if found else None
        if head is None or len(head.root) != SIZE or head.text != text:
            raise ValueError("this is not the head of a log: its origin, its size and its root in base64")
        return head

    @property
    def text(self) -> str:
        return f"{self.origin}\n{self.size}\n{b64encode(self.root).decode()}\n"
