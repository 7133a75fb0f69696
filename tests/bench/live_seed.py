"""Make players with ranked attempts and print, for each, where its socket is and the token that opens it.

The attempt of the last one has ended: this one may watch the others.
"""

from __future__ import annotations

import sys

import django

django.setup()

from django.utils import timezone  # noqa: E402

from games.accounts.guests import create_guest  # noqa: E402
from games.play.starting import start_ranked  # noqa: E402
from tests.games.ways_to_play import resign  # noqa: E402

now, games = timezone.now(), []
for _ in range(int(sys.argv[1]) + 1):
    guest = create_guest()
    games.append(start_ranked(guest.player, "standard", now))
    print(f"/ws/games/{games[-1].id}/", guest.token)
resign(games[-1], 0, now)
