"""Sign in as the player of another device, and stay signed in: docs/apps.md."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from http import HTTPStatus
from urllib.parse import urlencode

import msgspec

from pyramid_client.errors import Refused, Unreachable
from pyramid_client.rest import T, understood
from pyramid_client.steps import Answer, Fetch, Lost, Sleep, Work

DEVICE = "urn:ietf:params:oauth:grant-type:device_code"
SLOWER = 5.0  # seconds
TOO_MUCH = ("slow_down", "temporarily_unavailable")  # the latter for all programs at the same address together

Show = Callable[[str, str], None]


class Tokens(msgspec.Struct):
    """The tokens for what a player has allowed; `refresh_token` counts once."""

    access_token: str
    refresh_token: str
    scope: str


class _Begun(msgspec.Struct):
    device_code: str
    user_code: str
    verification_uri: str
    expires_in: float
    interval: float


class _Error(msgspec.Struct):
    error: str


def show_in_terminal(address: str, code: str) -> None:
    print(f"Open {address} and type {code}", flush=True)  # noqa: T201  this is what it is for


def tokens_of_device(server: str, client_id: str, scopes: Iterable[str], show: Show) -> Work[Tokens]:
    """Show a code, and return the tokens once a player has allowed it. Raises `Refused` and `Unreachable`."""
    begun = yield from _posted(server, "devices", _Begun, client_id=client_id, scope=" ".join(scopes))
    show(begun.verification_uri, begun.user_code)
    seconds, left = begun.interval, begun.expires_in
    while True:
        yield Sleep(seconds)
        left -= seconds
        try:
            return (
                yield from _posted(
                    server, "token", Tokens, client_id=client_id, grant_type=DEVICE, device_code=begun.device_code
                )
            )
        except Unreachable:
            if left <= 0:
                raise
        except Refused as refused:
            if refused.code not in {"authorization_pending", *TOO_MUCH}:
                raise
            seconds += SLOWER if refused.code in TOO_MUCH else 0


def refreshed(server: str, client_id: str, refresh_token: str) -> Work[Tokens]:
    """Return the next tokens. Raises `Refused`, or `Unreachable`, after which the old token may be used up."""
    return (
        yield from _posted(
            server, "token", Tokens, client_id=client_id, grant_type="refresh_token", refresh_token=refresh_token
        )
    )


def _posted(server: str, path: str, shape: type[T], **form: str) -> Work[T]:
    headers = {"Accept": "application/json", "Content-Type": "application/x-www-form-urlencoded"}
    try:
        answer: Answer = yield Fetch("POST", f"{server}/oauth/{path}/", headers, urlencode(form).encode())
    except Lost as lost:
        raise Unreachable(f"{server} does not answer: {lost}") from lost
    if answer.status == HTTPStatus.OK:
        return understood(answer, shape)
    try:
        code = msgspec.json.decode(answer.body, type=_Error).error
    except msgspec.DecodeError:
        raise Unreachable(f"HTTP {answer.status} does not come from a Pyramid server") from None
    raise Refused(code, "the server gives no token")
