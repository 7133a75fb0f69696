"""The searches that answer a question, one after the other, and the nodes that each has before the next one begins."""

from collections.abc import Callable
from typing import NamedTuple

from games.rules import Goal, Position, RuleSet
from games.solver.kernels_search import search
from games.solver.lines import line_to
from games.solver.packing import is_packable, matching, pack
from games.solver.packing_wide import Found, search_actions, search_columns, walks

SHORTEST = 1  # weight of the estimate: a larger one finds some line sooner
PLAIN = 0  # classes of ranks in a part: no parts
_RANKS_TOGETHER = 5  # in a part, where ranks form no classes; with 4 fewer deals of `cheops` are decided, 6 take longer


class Step(NamedTuple):
    """One search: what it is called with, and the nodes in which it finds most of its wins if another one follows."""

    search: Callable[[Position, int, int], Found]
    how: int  # the weight, or the classes of ranks, or ranks, in a part
    nodes: int | None = None


def searches_of(rules: RuleSet, *, is_any: bool) -> tuple[Step, ...]:
    """Return the searches for any win, or for the shortest one."""
    if not is_any:
        return (Step(search_shapes if is_packable(rules) else search_actions, SHORTEST),)
    # Where no ranks form a class, shapes prove nothing, and the columns of the wide search find a win sooner.
    in_classes = bool(matching(rules.match).classes)
    by_shapes = is_packable(rules) and in_classes
    search, how = (search_shapes, _weight(rules)) if by_shapes else (search_columns, PLAIN)
    # In a reserve much is free at all times: shapes prove losses there late, parts with few states.
    if not walks(rules) or (by_shapes and rules.decks == 1 and not rules.reserve_size):
        return (Step(search, how),)
    if rules.decks > 1:
        return Step(search, how, 100_000), Step(search_columns, 2 if in_classes else _RANKS_TOGETHER)
    first = Step(search, how, 20_000)
    if not in_classes:
        return first, Step(search_columns, _RANKS_TOGETHER)
    # Four classes prove more than three, but have so many states that three find the wins and most proofs sooner.
    return first, Step(search_columns, 3, 300_000), Step(search_columns, 4)


def _weight(rules: RuleSet) -> int:
    return 2 if rules.goal is Goal.ALL else 3  # where every card has to leave, less may be rushed


def search_shapes(position: Position, limit: int, weight: int) -> Found:
    """Return (the moves to the win or None, whether that is proved, nodes used). Weight 1 asks for the fewest."""
    packed = pack(position)
    cost, proved, nodes, count, last = search(*packed[:5], limit, weight)
    is_answer = cost >= 0 and (proved or weight != SHORTEST)
    return line_to(packed, nodes, last) if is_answer else None, proved, count
