"""Divisions, brackets and their rounds, as functions of seeds and results. Pure.

Entrants are named by their seeds, from 1 for the best. A match has up to four of them; the best two go on.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

T = TypeVar("T")

IN_MATCH = 4
GO_ON = 2
MOST_IN_DIVISION = 64
FEWEST_IN_DIVISION = 16


@dataclass(frozen=True, slots=True)
class Result:
    """The result of an entrant in a match: the place, which several may share, or None for an entrant who forfeits."""

    seed: int
    place: int | None


Rounds = Sequence[Sequence[Sequence[Result]]]
"""The results of rounds, by match."""


def draw(seeds: Sequence[int], rounds: Rounds) -> list[list[int]]:
    """Return the matches of the next round; none after the final."""
    return next_round([going_on(match) for match in rounds[-1]]) if rounds else first_round(seeds)


def divisions(entrants: int) -> list[range]:
    """Return the seeds of each division, the best first.

    A last division of fewer than 16 shares evenly with the one before, so that only a small cup has a smaller one.
    """
    full, rest = divmod(entrants, MOST_IN_DIVISION)
    sizes = [MOST_IN_DIVISION] * full + [rest] * bool(rest)
    if len(sizes) > 1 and sizes[-1] < FEWEST_IN_DIVISION:
        both = sizes[-2] + sizes[-1]
        sizes[-2:] = [both - both // 2, both // 2]
    starts = [1 + sum(sizes[:number]) for number in range(len(sizes))]
    return [range(start, start + size) for start, size in zip(starts, sizes, strict=True)]


def first_round(seeds: Sequence[T]) -> list[list[T]]:
    """Return the matches of the first round of a division.

    Seeds are spread so that the best two can only meet in the final, and the best four not before the round ahead of
    it. A place that nobody takes is one of the last seeds, so the best have the fewest opponents.
    """
    count = 1
    while count * IN_MATCH < len(seeds):
        count *= 2
    places = [(match, *(n * count - 1 - match for n in (2, 3, 4))) for match in _order(count)]
    return [[seeds[place] for place in match if place < len(seeds)] for match in places]


def next_round(winners: Sequence[Sequence[T]]) -> list[list[T]]:
    """Return the matches of the next round: those who go on from two neighbouring matches meet. None after a final."""
    return [[*one, *other] for one, other in zip(winners[::2], winners[1::2], strict=True)] if len(winners) > 1 else []


def is_played(match: Sequence[object], *, is_final: bool) -> bool:
    """Return True if a match decides anything: where all go on, or one is alone in the final, nobody has to play."""
    return len(match) > (1 if is_final else GO_ON)


def ranked(results: Sequence[Result]) -> list[Result]:
    """Return results in their order: by place, then by seed; those who forfeit are last."""
    return sorted(results, key=lambda result: (result.place is None, result.place or 0, result.seed))


def going_on(results: Sequence[Result]) -> list[int]:
    """Return the seeds of those who go on, the best first."""
    return [result.seed for result in ranked(results)[:GO_ON] if result.place is not None]


def standing(rounds: Rounds) -> list[int]:
    """Return the seeds of a division in their final order: by the round reached, the place in its match, the seed.

    Who forfeits the final is behind the others in it, but ahead of all who did not reach it.
    """
    reached = {
        result.seed: (-number, place, result.seed)
        for number, matches in enumerate(rounds)
        for match in matches
        for place, result in enumerate(ranked(match))
    }
    return sorted(reached, key=lambda seed: reached[seed])


def _order(matches: int) -> Iterator[int]:
    """Yield the matches by their best seeds so that the first and the second are in different halves, and so on."""
    if matches == 1:
        yield 0
        return
    for match in _order(matches // 2):
        yield from (match, matches - 1 - match)
