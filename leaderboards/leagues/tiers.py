"""The leagues as plain values: tiers of groups, and the moves between tiers at the end of a week.

`docs/leaderboards.md` has the rules in words.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from leaderboards.boards.sort_keys import ranks

RULES, DIVISION = "standard", "main"
TIERS = 10  # 1 is the highest
GROUP_SIZE = 50
MOST_MOVES = 10
SHARE_THAT_MOVES = 3  # in a small group a third moves up, and a third down
MOST_IDLE_WEEKS = 4


class Seat(NamedTuple):
    """The group in which a player competes in a week, and the player's result in the week before.

    `rank` is the rank in the player's group of that week, None for those who had no group or did not play; `idle` is
    the number of weeks in a row without a game.
    """

    player: int
    tier: int
    group: int
    rank: int | None = None
    idle: int = 0


class Score(NamedTuple):
    """A row of a week's table; the smaller key ranks first."""

    player: int
    key: int


def open_tiers(members: int) -> int:
    """Return the number of tiers that are open for a number of members."""
    return min(max(1, groups_for(members)), TIERS)


def groups_for(players: int) -> int:
    """Return the number of groups for a number of players in a tier."""
    return -(-players // GROUP_SIZE)


def movers(played: int) -> int:
    """Return how many players of a group move up, and as many move down, given how many played."""
    return min(MOST_MOVES, played // SHARE_THAT_MOVES)


def direction(place: int, played: int) -> int:
    """Return the change of tier for a place, counted from 1: -1 is up, 1 is down."""
    if place <= movers(played):
        return -1
    return 1 if place > played - movers(played) else 0


def next_seats(seats: Iterable[Seat], table: Sequence[Score], resting: Mapping[int, int]) -> list[Seat]:
    """Return the next week's seats, by tier, group and player, given a week's seats and its table.

    `resting` has the last tiers of players on the table who have no seat. The order of `seats` does not matter.
    """
    before = {seat.player: seat for seat in seats}
    ranked, tiers = _results(before, table)
    idle = {player: 0 if player in ranked else seat.idle + 1 for player, seat in before.items()}
    newcomers = [score.player for score in table if score.player not in before]
    members = [player for player in before if idle[player] <= MOST_IDLE_WEEKS] + newcomers
    count = open_tiers(len(members))
    if not before and not resting:
        tiers = {player: 1 + index * count // len(newcomers) for index, player in enumerate(newcomers)}
    else:
        tiers |= {player: resting.get(player, count) for player in newcomers}
    places = {score.player: place for place, score in enumerate(table)}
    by_tier: dict[int, list[int]] = defaultdict(list)
    for player in sorted(members, key=lambda player: (places.get(player, len(table)), idle.get(player, 0), player)):
        by_tier[min(max(tiers[player], 1), count)].append(player)
    return [
        Seat(player, tier, group, ranked.get(player), idle.get(player, 0))
        for tier in sorted(by_tier)
        for group, players in enumerate(_groups(by_tier[tier]), 1)
        for player in sorted(players)
    ]


def _results(before: Mapping[int, Seat], table: Sequence[Score]) -> tuple[dict[int, int], dict[int, int]]:
    """Return the ranks of those who played in their groups, and the new tiers of all who have a seat."""
    groups: dict[tuple[int, int], list[Score]] = defaultdict(list)
    for score in table:
        if seat := before.get(score.player):
            groups[seat.tier, seat.group].append(score)
    ranked: dict[int, int] = {}
    tiers = {player: seat.tier for player, seat in before.items()}
    for scores in groups.values():
        ranked |= zip((score.player for score in scores), ranks(score.key for score in scores), strict=True)
        for place, score in enumerate(scores, 1):
            tiers[score.player] += direction(place, len(scores))
    return ranked, tiers


def _groups(players: Sequence[int]) -> list[Sequence[int]]:
    """Deal players in order into as few groups as possible, so that the groups are similar in size and strength."""
    count = groups_for(len(players))
    return [players[first::count] for first in range(count)]
