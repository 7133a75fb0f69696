"""Requests over REST: what `api.py` makes, sent with a key and again where that is safe."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Generic, TypeVar
from urllib.parse import quote, urlencode

import msgspec

from pyramid_client.answers import Analysis, GameAnalysis, Refusal
from pyramid_client.errors import Refused, Unreachable
from pyramid_client.steps import LONGEST_WAIT, MOST_ATTEMPTS, Answer, Fetch, Lost, Sleep, Work, back_off

T = TypeVar("T")
LONGEST_PAUSE = 120.0  # seconds that a server may ask for; beyond that its refusal is raised

AWAY = {HTTPStatus.BAD_GATEWAY, HTTPStatus.SERVICE_UNAVAILABLE, HTTPStatus.GATEWAY_TIMEOUT}

Value = str | int | bool | None


@dataclass(frozen=True)
class Call(Generic[T]):
    """A request and the type of its answer. None leaves a value out.

    One that is not `is_repeatable` might take effect twice, and so is not sent again when the connection breaks.
    """

    method: str
    path: str
    answer: type[T]
    body: Mapping[str, Value | list[str]] | None = None
    query: Mapping[str, Value] = field(default_factory=dict)
    is_repeatable: bool = True


def ask(server: str, token: str, call: Call[T]) -> Work[T]:
    """Return the answer to a call. Raises `Refused` and `Unreachable`."""
    for attempt in range(1, MOST_ATTEMPTS + 1):
        try:
            answer: Answer = yield _request(server, token, call)
        except Lost as lost:
            if not call.is_repeatable or attempt == MOST_ATTEMPTS:
                raise Unreachable(f"{server} does not answer: {lost}") from lost
            yield Sleep(back_off(attempt))
            continue
        if answer.status < HTTPStatus.MULTIPLE_CHOICES:
            return understood(answer, call.answer)
        pause = _pause(answer, attempt, call)
        if pause is None or attempt == MOST_ATTEMPTS:
            raise _refusal(answer)
        yield Sleep(pause)
    raise AssertionError("the last attempt returns or raises")


def understood(answer: Answer, shape: type[T]) -> T:
    """Return what an answer says. Raises `Refused` if it is not the server that spoke, such as another site."""
    try:
        return msgspec.json.decode(answer.body, type=shape)
    except msgspec.DecodeError as error:
        raise _of_another_site(answer) from error


def _request(server: str, token: str, call: Call[T]) -> Fetch:
    query = urlencode({name: _text(value) for name, value in call.query.items() if value is not None})
    body = None
    if call.body is not None:
        body = msgspec.json.encode({name: value for name, value in call.body.items() if value is not None})
    headers = {"Accept": "application/json"} | ({"Content-Type": "application/json"} if body is not None else {})
    if token:
        headers["Authorization"] = f"Bearer {token}"
    return Fetch(call.method, f"{server}/api{call.path}{'?' if query else ''}{query}", headers, body)


def _text(value: Value) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _pause(answer: Answer, attempt: int, call: Call[T]) -> float | None:
    """Return after how many seconds to ask again, None if the refusal is final."""
    refusal = _refusal(answer)
    if answer.status == HTTPStatus.TOO_MANY_REQUESTS:
        is_bearable = refusal.retry_after is not None and refusal.retry_after <= LONGEST_PAUSE
        return refusal.retry_after if is_bearable else None
    return back_off(attempt) if answer.status in AWAY and call.is_repeatable else None


def _refusal(answer: Answer) -> Refused:
    """Return what the server said, or that it was not the server that spoke."""
    try:
        told = msgspec.json.decode(answer.body, type=Refusal)
    except msgspec.DecodeError:
        return _of_another_site(answer)
    seconds = answer.retry_after or ""
    retry_after = float(seconds) if seconds.isdecimal() else None
    mistakes = [f"{name}: {' '.join(texts)}" for name, texts in (told.fields or {}).items()]
    return Refused(told.code, "; ".join([told.message, *mistakes]), game=told.game, retry_after=retry_after)


def _of_another_site(answer: Answer) -> Refused:
    return Refused("no_answer", f"HTTP {answer.status} does not come from a Pyramid server; is the address right?")


def finished_analysis(server: str, token: str, game_id: str) -> Work[Analysis | None]:
    """Return an analysis as soon as it is made, None if it could not be made. Raises `Refused` and `Unreachable`."""
    for attempt in range(MOST_ATTEMPTS):
        asked = yield from ask(server, token, Call("GET", f"/games/{quote(game_id, safe='')}/analysis/", GameAnalysis))
        if asked.state != "pending":
            return asked.analysis
        yield Sleep(min(LONGEST_WAIT, 2.0**attempt))
    raise Unreachable(f"the analysis of {game_id} is still pending")
