"""Make players with ranked attempts and print, for each, where its socket is and the token that opens it."""

from __future__ import annotations

import sys

import django

django.setup()

from django.utils import timezone  # noqa: E402

from games.services.attempts import start_ranked  # noqa: E402
from games.services.players import create_guest  # noqa: E402

for _ in range(int(sys.argv[1])):
    guest = create_guest()
    print(f"/ws/games/{start_ranked(guest.player, 'standard', timezone.now()).id}/", guest.token)
