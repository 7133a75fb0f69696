"""Start a practice game of a player on a deck of our choice, and print its id: `python -m ... HANDLE DECK`."""

from __future__ import annotations

import os
import sys

import django


def main(handle: str, deck: str) -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pyramid_server.settings")
    django.setup()
    from django.utils import timezone  # noqa: PLC0415

    from games.calendar.models import Deal  # noqa: PLC0415  models exist from here on
    from games.play.starting import practise  # noqa: PLC0415
    from games.players.models import Player  # noqa: PLC0415

    now = timezone.now()
    deal = Deal.objects.create(rules="standard", deck=deck, created_at=now)
    sys.stdout.write(practise(Player.objects.get(username=handle), deal, now).pk)


if __name__ == "__main__":
    main(*sys.argv[1:])
