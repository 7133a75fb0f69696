"""Have a device of the player prove who they are: passkeys (WebAuthn), checked by py_webauthn.

A challenge counts in the browser that asked for it, for the same reader, once, within five minutes.
"""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Callable, Iterable
from datetime import datetime
from enum import StrEnum
from hashlib import sha256
from typing import Any, NamedTuple, TypeVar

from django.conf import settings
from django.db import DatabaseError
from django.http import HttpRequest
from django.http.request import split_domain_port

from games.identities.models import LONGEST_CREDENTIAL, PASSKEY, Identity
from games.identities.refusals import ProofFailed
from games.players.models import Player
from games.players.readers import reader_of

logger = logging.getLogger(__name__)

SECONDS = 5 * 60
LONGEST_ANSWER = 8192  # characters; the longest identifier, three times, is half of it
LONGEST_KEY = 600  # bytes: RSA with 4096 bits
ANY_HOST = "*"
_ASKED = "passkey_asked"
_UNWANTED = "passkeys that prove where they were made are not asked for"

T = TypeVar("T")


class Ceremony(StrEnum):
    """The purpose for which a browser asks for a passkey; the first two make one."""

    REGISTER = "register"
    ADD = "add"
    SIGN_IN = "sign-in"
    CONFIRM = "confirm"


class Passkey(NamedTuple):
    """A new passkey, with the fields of its `Identity`."""

    issuer: str
    subject: str
    public_key: bytes
    sign_count: int
    name: str

    @property
    def stored(self) -> dict[str, Any]:
        return self._asdict()


class Asked(NamedTuple):
    """A question to a browser, as its session notes it.

    `handle` is the account that a new passkey is for, `display_name` what a new account is called, and `label` what the
    player calls the passkey.
    """

    ceremony: str
    reader: int | None
    at: float
    challenge: str
    handle: str = ""
    display_name: str = ""
    label: str = ""


def host_of_passkeys(request: HttpRequest) -> str:
    """Return the name for which browsers keep passkeys at the address of a request (its RP ID); "" if they keep none.

    They do so with TLS, or on this machine, and only for names.
    """
    wanted, host = settings.PYRAMID_PASSKEYS, split_domain_port(request.get_host())[0]
    is_local = host == "localhost" or host.endswith(".localhost")
    is_number = host.startswith("[") or host.rpartition(".")[2].isdigit()
    if is_number or not (request.is_secure() or is_local):
        return ""
    if wanted == ANY_HOST:
        return host
    return wanted if wanted and f".{host}".endswith(f".{wanted}") else ""


def options_to_make(request: HttpRequest, ceremony: Ceremony, now: datetime, **noted: str) -> dict[str, Any]:
    """Return what a browser needs to make a passkey, and note in the session what for. Raises `ProofFailed`."""
    from webauthn import generate_registration_options  # noqa: PLC0415  rarely needed, and takes long to load
    from webauthn.helpers import options_to_json_dict  # noqa: PLC0415
    from webauthn.helpers.structs import AuthenticatorSelectionCriteria as Criteria  # noqa: PLC0415
    from webauthn.helpers.structs import ResidentKeyRequirement, UserVerificationRequirement  # noqa: PLC0415

    reader = reader_of(request)
    asked = generate_registration_options(
        rp_id=_required_host(request),
        rp_name="Pyramid",
        user_id=user_id(noted["handle"]),
        user_name=noted["handle"],
        user_display_name=noted["display_name"] or noted["handle"],
        timeout=SECONDS * 1000,
        exclude_credentials=_described(_passkeys_of(reader)),
        authenticator_selection=Criteria(
            resident_key=ResidentKeyRequirement.REQUIRED, user_verification=UserVerificationRequirement.REQUIRED
        ),
    )
    return _noted(request, options_to_json_dict(asked), ceremony, now, **noted)


def options_to_prove(request: HttpRequest, ceremony: Ceremony, now: datetime) -> dict[str, Any]:
    """Return what a browser needs to use a passkey, and note in the session what for. Raises `ProofFailed`.

    To confirm, it is one of the reader's; a visitor, who has none yet, chooses one of those that the device knows.
    """
    from webauthn import generate_authentication_options  # noqa: PLC0415
    from webauthn.helpers import options_to_json_dict  # noqa: PLC0415
    from webauthn.helpers.structs import UserVerificationRequirement  # noqa: PLC0415

    asked = generate_authentication_options(
        rp_id=_required_host(request),
        timeout=SECONDS * 1000,
        allow_credentials=_described(_passkeys_of(reader_of(request))),
        user_verification=UserVerificationRequirement.REQUIRED,
    )
    return _noted(request, options_to_json_dict(asked), ceremony, now)


def take_asked(request: HttpRequest, now: datetime) -> Asked:
    """Return what was asked of this browser, and forget it: it counts once. Raises `ProofFailed`."""
    note = request.session.pop(_ASKED, None)
    asked = Asked(*note) if note else None
    reader = reader_of(request)
    if asked is None or not 0 <= now.timestamp() - asked.at < SECONDS:
        raise ProofFailed("this was not asked for in this browser within five minutes")
    if asked.reader != (reader.pk if reader else None):
        raise ProofFailed("this was asked by somebody else")
    return asked


def made_passkey(request: HttpRequest, asked: Asked, answer: str) -> Passkey:
    """Return the passkey that a device has made. Raises `ProofFailed`."""
    return _checked(lambda: _made(request, asked, answer))


def holder_of_passkey(request: HttpRequest, asked: Asked, answer: str, now: datetime) -> Player:
    """Return the player whose passkey a device has used, and note its use. The account may be closed.

    Raises `ProofFailed`.
    """
    return _checked(lambda: _holder(request, asked, answer, now))


def user_id(handle: str) -> bytes:
    """Return the number under which devices keep the passkeys of an account: the newer replaces one that was removed.

    A handle stays, and is known before its account is there.
    """
    return sha256(f"passkeys of {handle}".encode()).digest()


def _made(request: HttpRequest, asked: Asked, answer: str) -> Passkey:
    from webauthn import base64url_to_bytes, verify_registration_response  # noqa: PLC0415
    from webauthn.helpers import decode_credential_public_key as decoded  # noqa: PLC0415
    from webauthn.helpers import decoded_public_key_to_cryptography, parse_attestation_object  # noqa: PLC0415

    given = _read(answer)
    attestation = parse_attestation_object(base64url_to_bytes(given["response"]["attestationObject"]))
    if attestation.fmt not in {"none", "packed"} or attestation.att_stmt.x5c:
        raise ValueError(_UNWANTED)
    made = verify_registration_response(
        credential=given,
        expected_challenge=base64url_to_bytes(asked.challenge),
        expected_rp_id=_required_host(request),
        expected_origin=_origin(request),
        require_user_verification=True,
    )
    if made.credential_id != base64url_to_bytes(given["id"]):
        raise ValueError("the device has made another passkey")
    if len(given["id"]) > LONGEST_CREDENTIAL or len(made.credential_public_key) > LONGEST_KEY:
        raise ValueError("the passkey is too long")
    decoded_public_key_to_cryptography(decoded(made.credential_public_key))  # an invalid key would lock them out
    return Passkey(PASSKEY, given["id"], made.credential_public_key, made.sign_count, asked.label)


def _holder(request: HttpRequest, asked: Asked, answer: str, now: datetime) -> Player:
    from webauthn import base64url_to_bytes, verify_authentication_response  # noqa: PLC0415

    given = _read(answer)
    if not re.fullmatch(r"[\w-]+", given["id"], re.ASCII):  # PostgreSQL takes no NUL
        raise ValueError("this is not the name of a passkey")
    known = Identity.objects.select_related("player").get(issuer=PASSKEY, subject=given["id"])
    used = verify_authentication_response(
        credential=given,
        expected_challenge=base64url_to_bytes(asked.challenge),
        expected_rp_id=_required_host(request),
        expected_origin=_origin(request),
        credential_public_key=bytes(known.public_key),
        credential_current_sign_count=known.sign_count,
        require_user_verification=True,
    )
    owner = given["response"].get("userHandle")
    if owner and base64url_to_bytes(owner) != user_id(known.player.username):
        raise ValueError("the device says that the passkey is somebody else's")
    # Two answers with one count: one of them comes from a copy.
    unchanged = Identity.objects.filter(pk=known.pk, sign_count=known.sign_count)
    if not unchanged.update(sign_count=used.new_sign_count, used_at=now):
        raise ValueError("the passkey was used at the same moment")
    return known.player


def _read(answer: str) -> dict[str, Any]:
    if len(answer) > LONGEST_ANSWER:
        raise ValueError("the answer is too long")
    return dict(json.loads(answer))


def _checked(check: Callable[[], T]) -> T:
    """Return what a check returns; it raises whatever the answer of a device may lead to. Raises `ProofFailed`."""
    try:
        return check()
    except DatabaseError:
        raise
    except Exception as error:
        logger.warning("A passkey was refused: %s", error)
        raise ProofFailed("this passkey opens no account here") from error


def _required_host(request: HttpRequest) -> str:
    host = host_of_passkeys(request)
    if not host:
        raise ProofFailed("there are no passkeys at this address")
    return host


def _origin(request: HttpRequest) -> str:
    return f"{request.scheme}://{request.get_host()}"


def _passkeys_of(player: Player | None) -> Iterable[Identity]:
    return player.identities.filter(issuer=PASSKEY) if player else ()


def _described(passkeys: Iterable[Identity]) -> list[Any]:
    from webauthn import base64url_to_bytes  # noqa: PLC0415
    from webauthn.helpers.structs import PublicKeyCredentialDescriptor  # noqa: PLC0415

    return [PublicKeyCredentialDescriptor(id=base64url_to_bytes(each.subject)) for each in passkeys]


def _noted(
    request: HttpRequest, options: dict[str, Any], ceremony: Ceremony, now: datetime, **noted: str
) -> dict[str, Any]:
    reader = reader_of(request)
    asked = Asked(ceremony, reader.pk if reader else None, now.timestamp(), options["challenge"], **noted)
    request.session[_ASKED] = list(asked)
    return options
