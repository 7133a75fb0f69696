"""The rounds of a cup: draw matches, start them, decide them, and give the places of each division."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from itertools import groupby

from django.db.models import Count, Q, QuerySet

from games.cups.bracket import Result, going_on, is_played, next_round, ranked, standing
from games.cups.ending import end_cup
from games.cups.models import Cup, CupEntry, CupMatch, CupSeat
from games.cups.notifications import MATCH
from games.notifications.notifications import notify
from games.practice.stock import certified_for_race
from games.races.models import Race, Racer
from games.races.order import ABSENT

COUNTDOWN_S = 5


def draw_matches(cup: Cup, division: int, number: int, drawn: Sequence[Sequence[CupEntry]], now: datetime) -> None:
    """Store the matches of a round. One in which nobody has to play is decided at once."""
    matches = CupMatch.objects.bulk_create(
        CupMatch(
            cup=cup,
            division=division,
            round=number,
            number=place,
            decided_at=None if is_played(entries, is_final=len(drawn) == 1) else now,
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
    """Start the matches of a division's round, all at the same moment. Raises `NoDealForRace`."""
    waiting = cup.matches.filter(race=None, decided_at=None)
    if (first := waiting.first()) is None:
        return False
    starts_at = now + timedelta(seconds=COUNTDOWN_S)
    for match in waiting.filter(division=first.division, round=first.round):
        match.race = make_race(cup, Race.Entry.SET, starts_at, now)
        match.save(update_fields=["race"])
        players = list(match.seats.values_list("entry__player", flat=True))
        Racer.objects.bulk_create(Racer(race=match.race, player_id=player, joined_at=now) for player in players)
        notify(MATCH, {player: {"race": match.race.pk} for player in players}, match.race.pk, now)
    return True


def make_race(cup: Cup, entry: Race.Entry, starts_at: datetime, now: datetime) -> Race:
    """Store a race of a cup on a new certified deal. Raises `NoDealForRace`."""
    is_match = entry == Race.Entry.SET
    return Race.objects.create(
        deal=certified_for_race(cup.rule_set, now),
        tie_break=Race.TieBreak.TIME,
        limit_s=cup.limit_s if is_match else cup.qualify_s,
        countdown_s=COUNTDOWN_S if is_match else 0,
        is_public=is_match,
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
    for match in due:
        _decide(match)
        match.decided_at = now
    CupMatch.objects.bulk_update(due, ["decided_at"])
    return bool(due)


def _decide(match: CupMatch) -> None:
    assert match.race is not None  # noqa: S101  only a race decides
    places = {
        racer.player_id: racer.place for racer in match.race.racers.all() if racer.moves and racer.outcome != ABSENT
    }
    seats = {seat.entry.seed: seat for seat in match.seats.all()}
    results = [Result(seed, places.get(seat.entry.player_id)) for seed, seat in seats.items()]
    on = going_on(results)
    for place, result in enumerate(ranked(results), 1):
        seat = seats[result.seed]
        seat.place, seat.goes_on = result.place and place, result.seed in on
    CupSeat.objects.bulk_update(seats.values(), ["place", "goes_on"])


def draw_rounds(cup: Cup, now: datetime) -> bool:
    """Draw the next round of a division whose last one is decided; after the final, give the places."""
    rounds = cup.matches.values("division", "round").annotate(
        matches=Count("pk"), waiting=Count("pk", filter=Q(decided_at=None))
    )
    last = {row["division"]: row for row in rounds.order_by("division", "round")}
    placed = set(cup.entries.filter(place__isnull=False).values_list("division", flat=True).distinct())
    for division, row in last.items():
        if row["waiting"] or division in placed:
            continue
        if row["matches"] > 1:
            winners = [_who_goes_on(match.seats.all()) for match in _matches(cup, division).filter(round=row["round"])]
            draw_matches(cup, division, row["round"] + 1, next_round(winners), now)
        else:
            _give_places(cup, division)
        return True
    return False


def finish(cup: Cup, now: datetime) -> bool:
    """End a cup in which every division has its places."""
    if cup.seeded_at is None or cup.entries.filter(place=None).exists():
        return False
    end_cup(cup, Cup.End.COMPLETED, now)
    return True


def _matches(cup: Cup, division: int) -> QuerySet[CupMatch]:
    return cup.matches.filter(division=division).prefetch_related("seats__entry")


def _who_goes_on(seats: Iterable[CupSeat]) -> list[CupEntry]:
    on = [seat for seat in seats if seat.goes_on]
    return [seat.entry for seat in sorted(on, key=lambda seat: seat.place or 0)]


def _give_places(cup: Cup, division: int) -> None:
    rounds = [
        [[Result(seat.entry.seed, seat.place) for seat in match.seats.all()] for match in matches]
        for _, matches in groupby(_matches(cup, division), key=lambda match: match.round)
    ]
    entries = {entry.seed: entry for entry in cup.entries.filter(division=division)}
    for place, seed in enumerate(standing(rounds), 1):
        entries[seed].place = place
    CupEntry.objects.bulk_update(entries.values(), ["place"])
