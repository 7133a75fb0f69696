"""Fill a database with days of a crowd and its cheats: `python -m tests.leaderboards.desk.plant [PEOPLE] [DAYS]`."""

from __future__ import annotations

import os
import sys
from datetime import UTC, datetime
from random import Random
from typing import TYPE_CHECKING

import django

if TYPE_CHECKING:
    from games.players.models import Player

PEOPLE, DAYS = 32, 14
PASSWORD = "a good long password"
PLAYERS = ("Quill", "Mira")  # who can sign in: a cheat, and somebody honest
REVIEWERS = {"ines": "reviewer", "paula": "reviewer", "sigrid": "senior reviewer"}


def report_newest(suspect: Player, reporter: Player, now: datetime) -> None:
    """Have somebody report a player's newest score."""
    from leaderboards.boards.models import Entry  # noqa: PLC0415
    from leaderboards.moderation.reports import report  # noqa: PLC0415

    newest = Entry.objects.filter(player=suspect, valid_to=None, listed=True, board__slug__startswith="daily.")
    report(newest.latest("changed_at").game_id or "", reporter, "Too good to be true.", now)


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)  # noqa: T201


def migrate_first() -> None:
    """Exit with a sentence if the database has no tables yet."""
    from django.db import connection  # noqa: PLC0415

    if "games_player" not in connection.introspection.table_names():
        sys.exit("The database has no tables yet: run manage.py migrate first")


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pyramid_server.settings")
    django.setup()
    migrate_first()
    from django.contrib.auth.hashers import PBKDF2PasswordHasher  # noqa: PLC0415
    from django.contrib.auth.models import Group  # noqa: PLC0415  models exist from here on
    from django.core.management.base import OutputWrapper  # noqa: PLC0415

    from games.doors.commands import at_work  # noqa: PLC0415
    from games.players.models import Player  # noqa: PLC0415
    from leaderboards.detectors import hindsight  # noqa: PLC0415
    from leaderboards.moderation import log  # noqa: PLC0415
    from leaderboards.moderation.weighing import weigh_cases  # noqa: PLC0415
    from tests.leaderboards.desk.crowd import plant  # noqa: PLC0415

    people, days = map(int, sys.argv[1:3]) if len(sys.argv) > 2 else (PEOPLE, DAYS)
    say(f"{days} days of {people} people: about a quarter of a minute for each day with bets, on a free core.")
    now = datetime.now(UTC)
    with_bets = len(sys.argv) < 4
    PBKDF2PasswordHasher.iterations = 1_000  # the password is known to everybody
    played = plant(people, days, now, Random("a planted day"), with_bets)
    for name, group in REVIEWERS.items():
        reviewer = Player.objects.create_user(
            username=name, display_name=name.title(), password=PASSWORD, is_staff=True
        )
        reviewer.groups.add(Group.objects.get(name=group))
    Player.objects.create_superuser("robin", display_name="Robin", password=PASSWORD)
    for name in ("Wren", "Mira"):
        report_newest(played[name], played["Oskar"], now)
    for name in PLAYERS:
        played[name].set_password(PASSWORD)
        played[name].save(update_fields=["password"])
    if not with_bets:
        hindsight.SAMPLES = 2  # with all of them a game takes seconds, as bets do
    with at_work(OutputWrapper(sys.stderr), "Weighing the cases"):
        while weigh_cases(now):
            pass
        log.keep_check(log.mistakes_in_log(), now)


if __name__ == "__main__":
    main()
