"""The invite of a race, which opens a room that is not public."""

from django.urls import reverse
from django.utils.crypto import salted_hmac

INVITE_BYTES = 16


def invite_of(race_id: str) -> str:
    """Return the invite to a race: 128 bits that only this server can compute."""
    digest = salted_hmac("games.races.invite", race_id, algorithm="sha256").digest()
    return digest[:INVITE_BYTES].hex()


def invite_link(race_id: str) -> str:
    """Return the path of a race with its invite after a #, so that browsers do not send it to servers."""
    return f"{reverse('web:race', args=[race_id])}#{invite_of(race_id)}"
