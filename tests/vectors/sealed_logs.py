"""Logs as they are sealed, and invalid bytes."""

from __future__ import annotations

from typing import Any
from zlib import crc32

from games.rules import Logged
from games.rules.sealed_log import seal

LOGS = {
    "a game without an action": [],
    "every kind of action, and one without a client's time": [
        Logged(1, "4d9c", 1955, 2000),
        Logged(2, "D", 4274, 4310),
        Logged(3, "Kc", 4274, None),
        Logged(4, "U", 10084, 10150),
    ],
    "a second deck, and no client's times": [
        Logged(1, "D", 1500),
        Logged(2, "AsQh", 1500),
        Logged(3, "P4S", 140000),
        Logged(4, "H", 140001),
        Logged(5, "Y", 140001),
        Logged(6, "R", 140127),
    ],
    "a client's clock behind the server's, and a wait of a year": [
        Logged(1, "D", 40, 12),
        Logged(2, "D", 31536000040, 31536000000),
    ],
}


def checked(text: str) -> str:
    """Return bytes with the checksum that fits them, as hexadecimal."""
    data = bytes.fromhex(text)
    return (data + crc32(data).to_bytes(4)).hex()


def vectors() -> dict[str, list[dict[str, Any]]]:
    whole = seal(LOGS["every kind of action, and one without a client's time"]).hex()
    refused = {
        "no bytes": "",
        "fewer bytes than the smallest log": whole[:12],
        "a byte was changed": f"{whole[:8]}7c{whole[10:]}",
        "the end is missing": whole[:-2],
        "a byte follows": f"{whole}00",
        "another format": checked("02 00 00"),
        "more actions than bytes": checked("01 00 02 00"),
        "fewer times than actions": checked("01 00 02 00 00 05"),
        "an unknown code": checked("01 00 01 fe 05"),
        "a pair without its second card": checked("01 00 01 6e"),
        "a number of more than 64 bits": checked("01 00 01 00" + "ff" * 10 + "01"),
        "something after the client's times": checked("01 00 01 00 05 01 01"),
    }
    return {
        "valid": [
            {"name": name, "bytes": seal(log).hex(), "log": [[row.action, row.at_ms, row.client_ms] for row in log]}
            for name, log in LOGS.items()
        ],
        "refused": [{"name": name, "bytes": text} for name, text in refused.items()],
    }
