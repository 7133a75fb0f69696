"""Count actions that come faster than a person acts: too soon after the one before, in a burst, or in a sprint.

Going through the stock quickly is human, so a burst has removals in it, and a sprint is a win. A line that was silent
delivers together what a hand did meanwhile: these actions count as made at even distances during the silence.
"""

from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise
from typing import NamedTuple

HASTY_MS = 60
"""Shorter than the fastest reaction, and than two taps of a finger; moves that a network delayed may come as fast."""
BURST_ACTIONS, BURST_REMOVALS, BURST_MS = 10, 3, 1_200
"""So many actions in a row, so many removals among them; in this time a line delivers them together."""
REMOVAL_MS, OTHER_MS = 130, 50
"""The least time that each action of a burst takes a hand: a removal is two clicks, and draws are drummed on a key."""
SPRINT_ACTIONS, SPRINT_MS = 50, 12_000
"""A win of so many actions in less than this, or of a few less in proportion."""
SHORTEST_SPRINT = 40
SILENCE_MS, MOST_KEPT = 700, 8
"""The shortest pause that may be a silent line, and the number of actions that the pages keep meanwhile."""


class Paced(NamedTuple):
    """An action by what its pace depends on: whether it removes cards, and when it was accepted."""

    is_removal: bool
    at_ms: int


def hasty_actions(actions: Sequence[Paced], *, is_won: bool) -> int:
    """Return the number of actions that came faster than a person acts, by the server's milliseconds."""
    if is_won and _is_sprint(actions):
        return len(actions)
    return len(_hasty(actions) and _hasty(_as_made(actions)))


def _hasty(actions: Sequence[Paced]) -> set[int]:
    hasty = {place for place, (one, next_) in enumerate(pairwise(actions), 1) if next_.at_ms - one.at_ms < HASTY_MS}
    hasty.update(place for first in _bursts(actions) for place in range(first, first + BURST_ACTIONS))
    return hasty


def _as_made(actions: Sequence[Paced]) -> Sequence[Paced]:
    """Return the actions with those spread over a silence that arrived together after it."""
    made = list(actions)
    for before, (one, next_) in enumerate(pairwise(actions)):
        if next_.at_ms - one.at_ms >= SILENCE_MS:
            kept = _kept(actions, before + 1)
            took = kept[-1].at_ms - one.at_ms
            for number, action in enumerate(kept[:-1], 1):
                made[before + number] = Paced(action.is_removal, one.at_ms + took * number // len(kept))
    return made


def _kept(actions: Sequence[Paced], first: int) -> Sequence[Paced]:
    """Return the actions, with the first one, that arrived together."""
    end = first + 1
    while end < min(len(actions), first + MOST_KEPT) and _arrive_together(actions[end - 1], actions[end]):
        end += 1
    return actions[first:end]


def _arrive_together(one: Paced, next_: Paced) -> bool:
    return (next_.at_ms - one.at_ms) * BURST_ACTIONS < BURST_MS


def _is_sprint(actions: Sequence[Paced]) -> bool:
    counted = min(len(actions), SPRINT_ACTIONS)
    return counted >= SHORTEST_SPRINT and actions[-1].at_ms - actions[0].at_ms < SPRINT_MS * counted / SPRINT_ACTIONS


def _bursts(actions: Sequence[Paced]) -> Iterator[int]:
    """Yield the places at which a burst begins; sums over all actions spare adding up each run by itself."""
    least_ms = [*accumulate(REMOVAL_MS if one.is_removal else OTHER_MS for one in actions)]
    removals = [*accumulate((one.is_removal for one in actions), initial=0)]
    for first in range(len(actions) - BURST_ACTIONS + 1):
        last = first + BURST_ACTIONS - 1
        is_fast = actions[last].at_ms - actions[first].at_ms < least_ms[last] - least_ms[first]
        if is_fast and removals[last + 1] - removals[first] >= BURST_REMOVALS:
            yield first
