"""The facts of a cup as the database has them, while it is played and afterwards."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from typing import TypeVar

from django.db import connection
from django.utils import timezone

from games.cups.bracket import divisions, first_round
from games.cups.models import Cup, CupEntry, CupMatch, CupSeat
from games.play.models import Game, logs_of
from tests.bench.cup_entrants import UNSEEN

LIMIT_S = 240
AT_ONCE = 500

Answer = TypeVar("Answer")


async def ask(question: Callable[[], Answer]) -> Answer:
    """Ask in a thread of its own, which leaves no connection open."""

    def answer() -> Answer:
        with closing(connection):
            return question()

    return await asyncio.to_thread(answer)


def make_cup(qualify_s: int) -> str:
    """Announce a cup that opens now, and return its id."""
    now = timezone.now()
    cup = Cup.objects.create(
        rules="standard", for_bots=False, announced_for=now, opens_at=now, qualify_s=qualify_s, limit_s=LIMIT_S
    )
    return str(cup.pk)


def has_begun(cup: str, number: int) -> bool:
    """Return True if a match of a round has begun; -1 is the qualification."""
    if number < 0:
        return Cup.objects.filter(pk=cup, qualification__isnull=False).exists()
    return CupMatch.objects.filter(cup=cup, round=number, race__begun_at__isnull=False).exists()


def are_all_there(players: int) -> bool:
    """Return True if so many have begun today's deal."""
    return Game.objects.filter(daily__isnull=False).count() >= players


def is_over(cup: str) -> bool:
    return Cup.objects.filter(pk=cup, ended_at__isnull=False).exists()


def rounds_of_races(cup: str) -> dict[str, tuple[int, int]]:
    """Return the division and the round of each race of a match."""
    matches = CupMatch.objects.filter(cup=cup, race__isnull=False)
    return {race: (division, number) for race, division, number in matches.values_list("race", "division", "round")}


def require_everything_once(cup: str, entrants: int) -> None:
    """Raise `AssertionError` unless each division went from its first round to its places, each step once."""
    assert Cup.objects.get(pk=cup).end == Cup.End.COMPLETED
    expected = {number: len(seeds) for number, seeds in enumerate(divisions(entrants), 1)}
    places = CupEntry.objects.filter(cup=cup).order_by("division", "place").values_list("division", "place")
    assert list(places) == [(number, place) for number, size in expected.items() for place in range(1, size + 1)]
    matches = CupMatch.objects.filter(cup=cup)
    assert not matches.filter(decided_at=None).exists()
    assert not matches.filter(race__isnull=False, race__ended_at=None).exists()
    assert Counter(matches.order_by().values_list("division", "round")) == {
        (number, of_round): len(first_round(range(size))) >> of_round
        for number, size in expected.items()
        for of_round in range(len(first_round(range(size))).bit_length())
    }
    seats = Counter(CupSeat.objects.filter(match__cup=cup).order_by().values_list("entry", "match__round"))
    assert set(seats.values()) == {1}


def require_all_acknowledged(acknowledged: Mapping[str, Sequence[str]], unanswered: int = 0) -> None:
    """Raise `AssertionError` if a move that was acknowledged is missing, or stands elsewhere.

    So many moves more may be kept of each game, to which nobody waited for the answer.
    """
    games = [*acknowledged]
    for start in range(0, len(games), AT_ONCE):
        logs = logs_of(games[start : start + AT_ONCE])
        for game in logs:
            kept = [row.action for row in logs[game]]
            known = acknowledged[game]
            assert 0 <= len(kept) - len(known) <= unanswered, (game, kept, known)
            assert all(one in (move, UNSEEN) for move, one in zip(kept, known, strict=False)), (game, kept, known)
