"""The invite of a race, which opens a room that is not public, and its code, which is short enough to be read out."""

import secrets

from django.urls import reverse
from django.utils.crypto import salted_hmac

INVITE_BYTES = 16
CODE_LETTERS = "BCDFGHJKMNPQRSTVWXYZ"  # no vowels, so no words, and none that look like another letter or a digit
CODE_LENGTH = 6


def invite_of(race_id: str) -> str:
    """Return the invite to a race: 128 bits that only this server can compute."""
    return _digest("games.races.invite", race_id)[:INVITE_BYTES].hex()


def code_of(race_id: str) -> str:
    """Return the code of a race: six letters that only this server can compute."""
    number = int.from_bytes(_digest("games.races.code", race_id), "big")
    return "".join(
        CODE_LETTERS[number // len(CODE_LETTERS) ** place % len(CODE_LETTERS)] for place in range(CODE_LENGTH)
    )


def new_code() -> str:
    """Return six random letters, for what stores its code."""
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))


def invite_link(race_id: str) -> str:
    """Return the path of a race with its invite after a #, so that browsers do not send it to servers."""
    return f"{reverse('web:race', args=[race_id])}#{invite_of(race_id)}"


def _digest(salt: str, race_id: str) -> bytes:
    return salted_hmac(salt, race_id, algorithm="sha256").digest()
