"""Example responses for the OpenAPI document. A test compares their shape with real answers."""

from __future__ import annotations

from drf_spectacular.utils import OpenApiExample

BOARD = {
    "slug": "daily.2026-11-20.standard.open.fewest-moves",
    "day": "2026-11-20",
    "rules": "standard",
    "division": "open",
    "table": "fewest-moves",
    "order": ["cards_left", "moves", "elapsed_ms"],
    "version": 2,
}
ALICE = {
    "rank": 1,
    "player": {"handle": "alice", "display_name": "Alice", "is_bot": False},
    "game": "4hzk1m8w0qtx",
    "cards_left": 0,
    "moves": 41,
    "elapsed_ms": 183250,
    "result": "won",
    "at": "2026-11-20T10:04:11.250000Z",
}
BOB = {
    "rank": 2,
    "player": {"handle": "bob", "display_name": "Bob", "is_bot": False},
    "game": "n72c0vrj5a9p",
    "cards_left": 3,
    "moves": 37,
    "elapsed_ms": 121004,
    "result": "resigned",
    "at": "2026-11-20T11:30:57.004000Z",
}
TABLE = {"board": BOARD, "count": 2, "rows": [ALICE, BOB]}


def answer(value: object) -> OpenApiExample:
    return OpenApiExample("A real answer", value=value, response_only=True, status_codes=["200"])


def refusal(code: str, message: str, status: int, **details: object) -> OpenApiExample:
    value = {"code": code, "message": message, **details}
    return OpenApiExample(code, value=value, response_only=True, status_codes=[str(status)])


BAD_LIMIT = refusal(
    "invalid_request",
    "some fields are missing or wrong",
    400,
    fields={"limit": ["Ensure this value is greater than or equal to 1."]},
)
BAD_DAY = refusal(
    "invalid_request",
    "some fields are missing or wrong",
    400,
    fields={"day": ["Date has wrong format. Use one of these formats instead: YYYY-MM-DD."]},
)
UNKNOWN_BOARD = refusal("unknown_board", "there is no board 'daily.yesterday'", 404)
NOT_ON_BOARD = refusal("not_on_board", "'mallory' is not on the board daily.2026-11-20.standard.open.fewest-moves", 404)
