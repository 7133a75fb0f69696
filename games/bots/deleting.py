"""Delete a bot, by its owner."""

from __future__ import annotations

from datetime import datetime

from django.http import HttpRequest

from games.accounts.passwords import require_own_password
from games.bots.bots import own_bot
from games.personal_data.erasure import erase_player
from games.personal_data.models import Erasure
from games.players.models import Player

BY_OWNER = "the owner deleted the bot"


def delete_own_bot(owner: Player, handle: str, password: str, request: HttpRequest, now: datetime) -> Erasure:
    """Delete a bot, with the password of its owner. Raises `UnknownBot`, `SignInFailed` or `Throttled`."""
    bot = own_bot(owner, handle)
    require_own_password(owner, password, request)
    return erase_player(bot, BY_OWNER, None, now)
