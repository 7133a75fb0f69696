"""The rounds of a cup: draw matches, start them, decide them, and give the places of each division."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from functools import partial
from itertools import accumulate, groupby
from typing import Protocol

from django.db import transaction

from games.calendar.models import Deal
from games.cups import bracket, swiss
from games.cups.bracket import Result, Rounds, is_played, ranked
from games.cups.ending import end_cup
from games.cups.models import Cup, CupEntry, CupMatch, CupSeat
from games.cups.notifications import MATCH
from games.notifications.notifications import Addressed, Occasion, notify_each, tell_sockets
from games.practice.stock import certified_for_races
from games.races.models import Race, Racer
from games.races.order import ABSENT
from games.runtime.rows_at_once import save_columns

COUNTDOWN_S = 3
SPREAD_S = 4.0
"""Seconds in which the divisions of a large cup begin one after the other, so that moves are not held up meanwhile."""
BEGIN_PER_SECOND = 500  # entrants, of a cup that needs no longer


class Format(Protocol):
    """The functions of a format, which need the results of rounds alone."""

    def draw(self, seeds: Sequence[int], rounds: Rounds) -> list[list[int]]:
        """Return the matches of the next round; none if there is none."""

    def standing(self, rounds: Rounds) -> list[int]:
        """Return the seeds in their order."""

    def going_on(self, results: Sequence[Result]) -> list[int]:
        """Return the seeds of those who go on from a match."""


def draw_matches(cup: Cup, division: int, number: int, drawn: Sequence[Sequence[CupEntry]], now: datetime) -> None:
    """Store the matches of a round. One in which nobody has to play is decided at once."""
    matches = CupMatch.objects.bulk_create(
        CupMatch(
            cup=cup,
            division=division,
            round=number,
            number=place,
            decided_at=None if is_played(entries, is_final=cup.is_swiss or len(drawn) == 1) else now,
        )
        for place, entries in enumerate(drawn)
    )
    CupSeat.objects.bulk_create(
        CupSeat(
            match=match, entry=entry, place=place if match.decided_at else None, goes_on=bool(match.decided_at) or None
        )
        for match, entries in zip(matches, drawn, strict=True)
        for place, entry in enumerate(entries, 1)
    )


def start_matches(cup: Cup, now: datetime) -> bool:
    """Start all matches that were drawn, those of a division at the same moment. Raises `NoDealForRace`."""
    matches = list(cup.matches.filter(race=None, decided_at=None).prefetch_related("seats__entry"))
    if not matches:
        return False
    deals, starts = certified_for_races(cup.rule_set, len(matches), now), _starts_of(matches, now)
    races = Race.objects.bulk_create(
        new_race(cup, deal, Race.Entry.SET, starts[match.division], now)
        for match, deal in zip(matches, deals, strict=True)
    )
    for match, race in zip(matches, races, strict=True):
        match.race = race
    save_columns(matches, ["race_id"])
    seated = [
        (race, seat.entry.player_id) for match, race in zip(matches, races, strict=True) for seat in match.seats.all()
    ]
    Racer.objects.bulk_create(Racer(race=race, player_id=player, joined_at=now) for race, player in seated)
    notify_each([Addressed(player, race.pk, {"race": race.pk}) for race, player in seated], Occasion(MATCH, now))
    transaction.on_commit(partial(_note_told, matches, now))  # after the notice to the sockets
    return True


def tell_again(cup: Cup, now: datetime) -> bool:
    """Tell players of their matches for a worker that died when it had stored these, before it could tell anyone."""
    matches = list(
        cup.matches.filter(told_at=None, decided_at=None).exclude(race=None).prefetch_related("seats__entry")
    )
    if not matches:
        return False
    tell_sockets([seat.entry.player_id for match in matches for seat in match.seats.all()])
    _note_told(matches, now)
    return True


def _note_told(matches: Iterable[CupMatch], now: datetime) -> None:
    CupMatch.objects.filter(pk__in=[match.pk for match in matches]).update(told_at=now)


def _starts_of(matches: Iterable[CupMatch], now: datetime) -> dict[int, datetime]:
    """Return when the matches of each division start."""
    entrants = Counter(match.division for match in matches for _ in match.seats.all())
    each = 1 / max(BEGIN_PER_SECOND, entrants.total() / SPREAD_S)
    ahead = accumulate(entrants.values(), initial=0)
    return {
        division: now + timedelta(seconds=COUNTDOWN_S + before * each)
        for division, before in zip(entrants, ahead, strict=False)
    }


def new_race(cup: Cup, deal: Deal, entry: Race.Entry, starts_at: datetime, now: datetime) -> Race:
    """Return an unsaved race of a cup on a deal that was made for it."""
    is_match = entry == Race.Entry.SET
    return Race(
        deal=deal,
        tie_break=Race.TieBreak.TIME,
        limit_s=cup.limit_s if is_match else cup.qualify_s,
        countdown_s=COUNTDOWN_S if is_match else 0,
        is_public=is_match and not cup.circle,
        circle=cup.circle,
        admits_bots=cup.for_bots,
        entry=entry,
        created_at=now,
        starts_at=starts_at,
        begun_at=None if is_match else starts_at,
    )


def decide_matches(cup: Cup, now: datetime) -> bool:
    """Decide the matches whose races are over."""
    due = list(
        cup.matches.filter(decided_at=None, race__ended_at__isnull=False).prefetch_related(
            "seats__entry", "race__racers"
        )
    )
    seats = [seat for match in due for seat in _decided(match, _format(cup))]
    save_columns(seats, ["place", "goes_on"])
    CupMatch.objects.filter(pk__in=[match.pk for match in due]).update(decided_at=now)
    return bool(due)


def _decided(match: CupMatch, form: Format) -> Iterable[CupSeat]:
    """Return the seats of a match, with the results of its race."""
    assert match.race is not None  # noqa: S101  only a race decides
    places = {
        racer.player_id: racer.place for racer in match.race.racers.all() if racer.moves and racer.outcome != ABSENT
    }
    seats = {seat.entry.seed: seat for seat in match.seats.all()}
    results = [Result(seed, places.get(seat.entry.player_id)) for seed, seat in seats.items()]
    on = form.going_on(results)
    for place, result in enumerate(ranked(results), 1):
        seat = seats[result.seed]
        seat.place, seat.goes_on = result.place and place, result.seed in on
    return seats.values()


def draw_rounds(cup: Cup, now: datetime) -> bool:
    """Draw the next round of divisions whose last one is decided; after the last round, give the places."""
    playing = cup.matches.filter(decided_at=None).values("division")
    waiting = cup.entries.filter(place=None).exclude(division__in=playing).order_by("division")
    divisions = list(waiting.values_list("division", flat=True).distinct())
    for division in divisions:
        draw_round(cup, division, now)
    return bool(divisions)


def draw_round(cup: Cup, division: int, now: datetime) -> None:
    """Draw a round of a division, or give the places if there is none."""
    rounds = results_of(cup.matches.filter(division=division).prefetch_related("seats__entry"))
    entries = {entry.seed: entry for entry in cup.entries.filter(division=division)}
    is_last = cup.is_swiss and len(rounds) == cup.rounds
    drawn = [] if is_last else _format(cup).draw(list(entries), rounds)
    if drawn:
        draw_matches(cup, division, len(rounds), [[entries[seed] for seed in match] for match in drawn], now)
    else:
        _give_places(entries, _format(cup).standing(rounds))


def finish(cup: Cup, now: datetime) -> bool:
    """End a cup in which every division has its places."""
    if cup.seeded_at is None or cup.entries.filter(place=None).exists():
        return False
    end_cup(cup, Cup.End.COMPLETED, now)
    return True


def results_of(matches: Iterable[CupMatch]) -> list[list[list[Result]]]:
    """Return the results of matches that are decided, by round."""
    decided = (match for match in matches if match.decided_at)
    return [
        [[Result(seat.entry.seed, seat.place) for seat in match.seats.all()] for match in of_round]
        for _, of_round in groupby(decided, key=lambda match: match.round)
    ]


def _format(cup: Cup) -> Format:
    return swiss if cup.is_swiss else bracket


def _give_places(entries: Mapping[int, CupEntry], standing: Sequence[int]) -> None:
    for place, seed in enumerate(standing, 1):
        entries[seed].place = place
    save_columns([*entries.values()], ["place"])
