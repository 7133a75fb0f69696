"""The answers of a server whose database is in trouble."""

import json
from urllib.error import HTTPError

from tests.journeys.conftest import Server


def refusal_of(error: HTTPError) -> tuple[int, str, str]:
    """Return the status, the code, and what the message says has happened."""
    with error:
        refusal = json.load(error)
    return error.code, refusal["code"], refusal["message"].partition(";")[0]


def require_database(server: Server, verdict: str) -> None:
    """Fail unless readiness says so of the database; a result is kept for a second."""
    try:
        answer = server.get("/health/ready")
    except HTTPError as error:
        with error:
            answer = json.load(error)
    assert answer["database"] == verdict
