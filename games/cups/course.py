"""The course of cups: the worker takes one step after the other, each a transaction of its own.

What a step does follows from the rows alone, under the lock of the cup. So a worker that dies between two of them, or
another one beside it, neither repeats nor skips any; and whatever begins is in the database before anyone hears of it.
"""

import logging
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q

from games.cups.absence import end_games_of_absent
from games.cups.ending import end_cup
from games.cups.models import Cup
from games.cups.opening import open_cup
from games.cups.programme import announce
from games.cups.qualification import close_qualification
from games.cups.reading import forget_cup
from games.cups.rounds import decide_matches, draw_rounds, finish, start_matches, tell_again
from games.cups.slots import slots_from
from games.play.uptime import downtimes
from games.practice.refusals import NoDealForRace
from games.races.models import Race

logger = logging.getLogger(__name__)

LONGEST_DOWN = timedelta(minutes=1)
"""For which a server may be down during a cup, in one piece."""

STEPS = (close_qualification, tell_again, decide_matches, draw_rounds, start_matches, finish)


def advance_cups(now: datetime) -> None:
    """Announce cups, and advance those that are not over."""
    announce(slots_from(settings.PYRAMID_CUPS), now)
    for cup_id in Cup.objects.filter(ended_at=None, opens_at__lte=now).values_list("pk", flat=True):
        try:
            end_games_of_absent(cup_id, now)
            advance(cup_id, now)
        except NoDealForRace:  # the worker is looking for one
            continue
        except Exception:  # one cup that cannot go on does not hold up the others
            logger.exception("cup %s cannot go on", cup_id)


def is_cup_played(now: datetime) -> bool:
    """Return True while many play a cup of the programme at once. A tournament by hand, of few, is none."""
    return Cup.objects.filter(code="", ended_at=None, opens_at__lte=now).exists()


def advance(cup_id: str, now: datetime) -> None:
    """Take all steps of a cup that are due."""
    while step(cup_id, now):
        forget_cup(cup_id)


@transaction.atomic
def step(cup_id: str, now: datetime) -> bool:
    """Take the next step of a cup, and return True if one was due."""
    cup = Cup.objects.select_for_update(no_key=True, of=("self",)).select_related("qualification").get(pk=cup_id)
    if cup.ended_at is not None or now < cup.opens_at:
        return False
    if cup.state == Cup.State.ANNOUNCED:
        open_cup(cup, now)
        return True
    if _was_down(cup, now):
        end_cup(cup, Cup.End.SERVER_DOWN, now)
        return True
    return any(take(cup, now) for take in STEPS)


def _was_down(cup: Cup, now: datetime) -> bool:
    """Return True if players could not play for a while, or the worker was away for as long."""
    return any(until - since > LONGEST_DOWN for since, until in downtimes(cup.opens_at, now)) or _was_late(cup)


def _was_late(cup: Cup) -> bool:
    """Return True if the qualification or a match that is not decided began or ended later than it had to."""
    if cup.seeded_at is None:
        races, limit_s = Race.objects.filter(pk=cup.qualification_id), cup.qualify_s
    else:
        races, limit_s = Race.objects.filter(cup_match__cup=cup, cup_match__decided_at=None), cup.limit_s
    longest = timedelta(seconds=limit_s) + LONGEST_DOWN
    late = Q(begun_at__gt=F("starts_at") + LONGEST_DOWN) | Q(ended_at__gt=F("starts_at") + longest)
    return races.filter(late).exists()
