"""The player behind a page, made a guest if there is none; `games/_name_field.html` asks for the name."""

from django.contrib.auth import login
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from games.accounts.guests import new_guest
from games.accounts.password_backend import BACKEND
from games.players.lookalikes import mistake_in
from games.players.models import Player
from games.players.readers import reader_of
from games.players.refusals import NameReserved
from games.runtime.addresses import address_of_request
from games.runtime.limits import count, new_account


class UnreadableName(NameReserved):
    """The display name that a visitor typed is too long, or cannot be seen."""

    reason = _("A name has at most 40 characters, and others have to be able to see it.")


def player_of(request: HttpRequest) -> Player:
    """Return the player who is signed in, or else a new guest with a session, called what the form says.

    Raises `Throttled` or `NameReserved`.
    """
    reader = reader_of(request)
    if reader is not None:
        return reader
    name = request.POST.get("display_name", "").strip()
    if name and (mistake := mistake_in(name)):
        raise UnreadableName(mistake)
    count(*new_account(address_of_request(request)))
    guest = new_guest(name)
    login(request, guest, BACKEND)
    return guest
