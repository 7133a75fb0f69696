"""Swiss by points: everyone plays every round, against those with about as many points. Functions of results. Pure.

A place earns the same points in a match of any size; an entrant who is alone has the first. Those who forfeit get none,
and do not go on.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import accumulate, chain, combinations, pairwise, permutations, product

from games.cups.bracket import IN_MATCH, Result, Rounds

POINTS = (3, 2, 1, 0)
FEW = 12
"""Entrants of whom all matches are looked through, some six thousand ways to seat them."""

Met = Counter[frozenset[int]]


def draw(seeds: Sequence[int], rounds: Rounds) -> list[list[int]]:
    """Return the matches of the next round; none if nobody goes on.

    In the first round the best are spread over the matches. Then entrants meet their neighbours in the standing, of
    whom they have met few or none.
    """
    if not rounds:
        return _spread(seeds)
    on = {seed for match in rounds[-1] for seed in going_on(match)}
    met = Met(pair for match in chain(*rounds) for pair in _pairs([result.seed for result in match]))
    return _apart([seed for seed in standing(rounds) if seed in on], met)


def going_on(results: Sequence[Result]) -> list[int]:
    """Return the seeds of those who go on: all but those who forfeit."""
    return [result.seed for result in results if result.place is not None]


def points(rounds: Rounds) -> dict[int, int]:
    """Return the points of each entrant so far."""
    return {seed: sum(map(points_of, results)) for seed, results in _own(rounds).items()}


def points_of(result: Result) -> int:
    """Return the points for a match."""
    return POINTS[result.place - 1] if result.place else 0


def standing(rounds: Rounds) -> list[int]:
    """Return the seeds in their order: by points, the points of those whom they met, the matches won, and the seed."""
    scored, own, rivals = points(rounds), _own(rounds), Counter[int]()
    for match in chain(*rounds):
        in_all = sum(scored[result.seed] for result in match)
        rivals.update({result.seed: in_all - scored[result.seed] for result in match})
    won = {seed: sum(result.place == 1 for result in results) for seed, results in own.items()}
    return sorted(own, key=lambda seed: (-scored[seed], -rivals[seed], -won[seed], seed))


def _own(rounds: Rounds) -> dict[int, list[Result]]:
    own: dict[int, list[Result]] = defaultdict(list)
    for result in chain(*chain(*rounds)):
        own[result.seed].append(result)
    return own


def _sizes(entrants: int) -> list[int]:
    """Return the sizes of as few matches as there can be, which differ by at most one; the larger ones first."""
    matches = -(-entrants // IN_MATCH)
    return [-(-(entrants - number) // matches) for number in range(matches)]


def _spread(seeds: Sequence[int]) -> list[list[int]]:
    """Deal out the seeds to the matches, each time in the other direction."""
    matches: list[list[int]] = [[] for _ in _sizes(len(seeds))]
    for start in range(0, len(seeds), len(matches)):
        in_turn = matches if start // len(matches) % 2 == 0 else matches[::-1]
        for match, seed in zip(in_turn, seeds[start : start + len(matches)], strict=False):
            match.append(seed)
    return matches


def _apart(order: Sequence[int], met: Met) -> list[list[int]]:
    """Return matches of neighbours in an order, with few who meet again: of a few entrants as few as there can be."""
    sizes = _sizes(len(order))
    if len(order) <= FEW:
        return min(_all_matches(order, sizes), key=lambda matches: sum(_again(match, met) for match in matches))
    ends = [0, *accumulate(sizes)]
    return _swapped([list(order[start:end]) for start, end in pairwise(ends)], met)


def _all_matches(order: Sequence[int], sizes: Sequence[int]) -> Iterator[list[list[int]]]:
    """Yield all ways to seat entrants in matches of these sizes, those with matches of neighbours first."""
    if not sizes:
        yield []
    for size in sorted(set(sizes), reverse=True):
        for others in combinations(order[1:], size - 1):
            left = [seed for seed in order[1:] if seed not in others]
            rest = list(sizes)
            rest.remove(size)
            yield from ([[order[0], *others], *more] for more in _all_matches(left, rest))


def _swapped(matches: list[list[int]], met: Met) -> list[list[int]]:
    """Let two entrants change places for as long as fewer meet again, of equal ones those nearest to each other."""
    while (swap := max(_swaps(matches, met), default=None)) is not None:
        *_, one, other = swap
        matches = [_with(match, one, other) for match in matches]
    return matches


def _swaps(matches: Sequence[list[int]], met: Met) -> Iterator[tuple[int, int, int, int]]:
    """Yield by how much fewer meet again if two entrants change places, minus their distance, and the two."""
    for (here, match), (there, beside) in permutations(enumerate(matches), 2):
        before = _again(match, met)
        if before == 0:
            continue
        before += _again(beside, met)
        for one, other in product(match, beside):
            gain = before - sum(_again(_with(changed, one, other), met) for changed in (match, beside))
            if gain > 0:
                yield gain, -abs(here - there), one, other


def _with(match: Sequence[int], one: int, other: int) -> list[int]:
    """Return a match in which one takes the place of the other."""
    return [{one: other, other: one}.get(seed, seed) for seed in match]


def _again(match: Sequence[int], met: Met) -> int:
    """Return how often those in a match have met."""
    return sum(met[pair] for pair in _pairs(match))


def _pairs(match: Sequence[int]) -> list[frozenset[int]]:
    return [frozenset(pair) for pair in combinations(match, 2)]
