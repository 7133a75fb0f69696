"""Fill a database with cups that ended, and a duel that is over: `python -m tests.browser.past_competitions`.

It prints the session of a member, that of a reviewer, and the addresses of the pages as JSON.
"""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import django

if TYPE_CHECKING:
    from games.cups.models import Cup
    from games.players.models import Player

WIDEST = "W" * 40
WIDE_TOO = "M" * 40  # a club is named by one test only
PEOPLE = 12


def main() -> None:
    """Plant clubs and cups, and print where they are."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pyramid_server.settings")
    django.setup()
    from django.contrib.auth.models import Group  # noqa: PLC0415  models exist from here on

    from games.players.models import Player  # noqa: PLC0415
    from leaderboards.cups.counting import count_cups  # noqa: PLC0415

    now = datetime.now(UTC)
    people = [Player.objects.create(username=f"past-{number}", display_name=WIDEST) for number in range(PEOPLE)]
    reviewer = Player.objects.create(username="past-reviewer", display_name="Ines", is_staff=True)
    reviewer.groups.add(Group.objects.get(name="reviewer"))
    club, week = _clubs(people, now)
    swiss, *others = _cups(people, now)
    count_cups(now)
    _report(club, swiss, people, now)
    pages = {
        "member": [f"/clubs/{club}/", week, "/players/past-0/", "/players/past-0/cups/", f"/cups/{swiss.pk}/report/"]
        + [f"/cups/{cup.pk}/" for cup in (swiss, *others)],
        "reviewer": [f"/admin/review/{part}/" for part in ("clubs", f"clubs/{club}", "cups", f"cups/{swiss.pk}")],
    }
    print(json.dumps([_session(people[0]), _session(reviewer), pages]))  # noqa: T201


def _clubs(people: list[Player], now: datetime) -> tuple[str, str]:
    """Have two clubs end a duel, and return one of them and the page of its week."""
    from leaderboards.boards.models import Board  # noqa: PLC0415
    from leaderboards.clubs.founding import Terms, found  # noqa: PLC0415
    from leaderboards.clubs.models import Duel, DuelResult  # noqa: PLC0415

    before, monday = now - timedelta(weeks=4), now.date() - timedelta(days=now.weekday(), weeks=3)
    own, other = (
        found(player, Terms(name, WIDEST, "sc-blue", "open"), before)
        for player, name in ((people[0], WIDE_TOO), (people[1], "Red Kites"))
    )
    board = f"weekly.{monday:%G-W%V}.standard.open.points"
    Board.objects.create(slug=board, version=1)
    duel = Duel.objects.create(
        board=board, week=monday, challenger=own, opponent=other, state="accepted", proposed_at=before
    )
    DuelResult.objects.create(duel=duel, version=1, challenger_sum=1, opponent_sum=None, closed_at=now)
    return own.pk, f"/clubs/week/?board={board}"


def _cups(people: list[Player], now: datetime) -> list[Cup]:
    """Return a Swiss tournament and a cup that are over, one that was cancelled among matches, and a moved one."""
    opened = now - timedelta(hours=3)
    terms: dict[str, Any] = {"rules": "relaxed", "announced_for": opened, "opens_at": opened, "ended_at": now}
    swiss = _played(people, 3, **terms, name=WIDEST, code="BCDFGH", host=people[0], rounds=3, end="completed")
    over = _played(people, 2, **terms, end="completed")
    cancelled = _played(people, 1, **terms | {"rules": "standard"}, end="server_down")
    moved = _cup(rules="relaxed", announced_for=now, opens_at=now + timedelta(days=1))
    return [swiss, over, cancelled, moved]


def _cup(**terms: Any) -> Cup:
    from games.cups.models import Cup  # noqa: PLC0415

    return Cup.objects.create(for_bots=False, qualify_s=900, limit_s=600, **terms)


def _played(people: list[Player], drawn: int, **terms: Any) -> Cup:
    """Store a cup with rounds of which nobody had to play a match."""
    from games.cups.models import CupEntry, CupMatch, CupSeat  # noqa: PLC0415

    cup = _cup(**terms)
    is_over = terms["end"] == "completed"
    entries = [
        CupEntry.objects.create(cup=cup, player=player, seed=place, division=1, place=place if is_over else None)
        for place, player in enumerate(people, 1)
    ]
    for number in range(drawn):
        matches = len(people) // 4 if cup.rounds or number < drawn - 1 else 1
        for match in range(matches):
            row = CupMatch.objects.create(
                cup=cup, division=1, round=number, number=match, decided_at=cup.ended_at if is_over else None
            )
            for place, entry in enumerate(entries[match::matches][:4], 1):
                CupSeat.objects.create(match=row, entry=entry, place=place, goes_on=place < 3)
    return cup


def _report(club: str, cup: Cup, people: list[Player], now: datetime) -> None:
    """Report a club and a tournament, of which a reviewer has kept the names once."""
    from leaderboards.clubs.reporting import report_club  # noqa: PLC0415
    from leaderboards.cups.reporting import decide, report_cup  # noqa: PLC0415
    from leaderboards.reporting.reporting import Choice  # noqa: PLC0415

    decide(cup.pk, people[3], Choice("nothing", "", WIDEST, cup.name), now)
    report_club(club, people[2], "description", WIDEST, now)
    report_cup(cup.pk, people[2], WIDEST, now)


def _session(player: Player) -> str:
    from django.test import Client  # noqa: PLC0415

    client = Client()
    client.force_login(player)
    return client.cookies["sessionid"].value


if __name__ == "__main__":
    main()
