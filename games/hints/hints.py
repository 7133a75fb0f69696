"""Compute hints and prove games lost, from nothing but what the player may know."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from itertools import islice
from operator import attrgetter
from typing import TYPE_CHECKING

from games import solver
from games.deals.grading import greediest
from games.deals.shuffle import bytes_from, shuffled
from games.rules import UNSEEN, Card, Kind, Move, Play, Position
from games.rules.prose import ENGLISH, Translation
from games.solver.verdict import has_exact_verdict, is_lost_whatever_the_order, verdict

if TYPE_CHECKING:
    from games.solver import Solution  # at run time it would load the search into every process that gives advice

SAMPLES = 8
NODES_A_SAMPLE = 1_500
NODES_OF_ONE = 10_000  # for a single order, where the samples are too hard
NODES_FOR_NOTICE = 20_000
NODES = 200_000  # for a hint once all cards are known


@dataclass(frozen=True, slots=True)
class Knowledge:
    """A player's knowledge of a game: the position in view, and the cards that were never seen, in no order."""

    view: Position
    unseen: tuple[Card, ...]

    @classmethod
    def of(cls, play: Play) -> Knowledge:
        return cls(play.view, tuple(sorted(play.unseen, key=attrgetter("index"))))

    def possible(self) -> Iterator[Position]:
        """Return a fixed sample of the positions that look the same as the true one to the player."""
        chance = bytes_from(self.view.text)
        while True:
            yield self.view.filled(shuffled(self.unseen, chance))


class Why(Enum):
    """The reasons for which a move is advised; `Suggestion.reason` puts them in words."""

    NO_MOVE = auto()
    NO_TIME = auto()
    SHORTEST_WIN = auto()
    WIN = auto()
    STILL_WINNABLE = auto()
    WINS_SAMPLES = auto()
    WINS_SAMPLES_OR_MORE = auto()
    NO_WIN_FOUND = auto()
    NO_WIN_IN_SAMPLES = auto()
    SAMPLES_LOST = auto()
    LOST = auto()
    LOST_WHATEVER_THE_ORDER = auto()


# With these, the move is the one that removes the most cards.
GREEDY = {
    *(Why.NO_TIME, Why.NO_WIN_FOUND, Why.NO_WIN_IN_SAMPLES),
    *(Why.SAMPLES_LOST, Why.LOST, Why.LOST_WHATEVER_THE_ORDER),
}


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A move and why it is advised; `is_exact` if computed from all cards, not from sampled orders.

    `count` is the length of the win, or the number of samples won; `undecided` is the number of samples.
    """

    move: Move | None
    why: Why
    is_exact: bool
    count: int = 0
    undecided: int = 0

    def reason(self, words: Translation = ENGLISH) -> str:
        """Return why the move is advised, in a player's words."""
        numbers = {"count": self.count, "samples": SAMPLES}
        prospect = _prospects(words, self.count)[self.why] % numbers
        return f"{prospect} {self._advice(words)}" if self.move and self.why in GREEDY else prospect

    def _advice(self, words: Translation) -> str:
        _ = words.gettext
        is_removal = self.move is not None and self.move.kind is Kind.REMOVE
        return _("This removes the most cards.") if is_removal else _("Nothing can be removed now.")


def _prospects(words: Translation, count: int) -> dict[Why, str]:
    _, ngettext = words.gettext, words.ngettext
    return {
        Why.NO_MOVE: _("There is nothing to remove and nothing to draw."),
        Why.NO_TIME: _("There was no time to think this through."),
        Why.SHORTEST_WIN: ngettext(
            "This move wins.", "You can win in %(count)d moves, and this is the first of them.", count
        ),
        Why.WIN: ngettext(
            "You win with this move.", "You can win in %(count)d moves or fewer, beginning with this one.", count
        ),
        Why.STILL_WINNABLE: _("After this you can still win, however the hidden cards lie."),
        Why.WINS_SAMPLES: _("Your best chance: this wins %(count)d of %(samples)d shuffles of the hidden cards."),
        Why.WINS_SAMPLES_OR_MORE: _(
            "Your best chance: this wins at least %(count)d of %(samples)d shuffles of the hidden cards."
        ),
        Why.NO_WIN_FOUND: _("A win is hard to find from here."),
        Why.NO_WIN_IN_SAMPLES: _("A win is hard to find from here."),
        Why.SAMPLES_LOST: _("A win from here is unlikely."),
        Why.LOST: _("There is no way to win from here."),
        Why.LOST_WHATEVER_THE_ORDER: _("There is no way to win from here."),
    }


def suggest(knowledge: Knowledge) -> Suggestion:
    """Return the best move: exact once every card has been seen, before that the best over sampled orders."""
    if not knowledge.view.legal_moves:
        return Suggestion(None, Why.NO_MOVE, is_exact=True)
    return _from_samples(knowledge) if knowledge.unseen else _exact(knowledge.view)


def suggest_quickly(knowledge: Knowledge) -> Suggestion:
    """Return the greedy move, for when there is no time to search."""
    return Suggestion(_greedy(knowledge.view), Why.NO_TIME, is_exact=False)


def cannot_be_won(knowledge: Knowledge) -> bool:
    """Return True if it is proved that no order of the unseen cards can still be won."""
    if knowledge.view.is_won:
        return False
    if is_lost_whatever_the_order(next(knowledge.possible())):
        return True
    return not knowledge.unseen and solver.is_winnable(knowledge.view, node_limit=NODES_FOR_NOTICE) is False


def _exact(position: Position) -> Suggestion:
    solution = solver.solve(position, node_limit=NODES)
    if solution.moves:
        return Suggestion(solution.moves[0], Why.SHORTEST_WIN, is_exact=True, count=len(solution.moves))
    if solution.is_winnable is False:
        return Suggestion(_greedy(position), Why.LOST, is_exact=True)
    solution = solver.find_win(position, node_limit=NODES)
    if solution.moves:
        return Suggestion(solution.moves[0], Why.WIN, is_exact=False, count=len(solution.moves))
    return Suggestion(_greedy(position), Why.NO_WIN_FOUND, is_exact=False)


def _from_samples(knowledge: Knowledge) -> Suggestion:
    """Choose among the moves that begin a win of some sample; others are seldom better and cost as much to try."""
    samples = list(islice(knowledge.possible(), SAMPLES))
    if is_lost_whatever_the_order(samples[0]):
        return Suggestion(_greedy(knowledge.view), Why.LOST_WHATEVER_THE_ORDER, is_exact=False)
    lines = _lines(samples)
    firsts = {line.moves[0] for line in lines if line.moves}
    if not firsts:
        return _without_a_line(knowledge.view, samples, lines)
    prospects = {move: _prospect(move, samples, lines) for move in sorted(firsts, key=str)}
    best = max(prospects, key=prospects.__getitem__)
    if _is_decided(knowledge.view):
        return Suggestion(best, Why.STILL_WINNABLE, is_exact=False)
    wins, not_lost, _ = prospects[best]
    why = Why.WINS_SAMPLES_OR_MORE if not_lost > wins else Why.WINS_SAMPLES
    return Suggestion(best, why, is_exact=False, count=wins, undecided=not_lost - wins)


def _is_decided(view: Position) -> bool:
    """Return True if the order of the unseen cards does not matter and the verdict needs no search."""
    return has_exact_verdict(view.rules) and UNSEEN not in view.tableau


def _lines(samples: list[Position]) -> list[Solution]:
    """Return a line for each sample. If none is won, one that is undecided is searched for longer."""
    lines = [_line(sample) for sample in samples]
    if not any(line.is_winnable for line in lines):
        hard = next((number for number, line in enumerate(lines) if line.is_winnable is None), None)
        if hard is not None:
            lines[hard] = solver.find_win(samples[hard], node_limit=NODES_OF_ONE)
    return lines


def _line(position: Position) -> Solution:
    """Return a winning line: a shortest one, or any if that takes too long."""
    line = solver.solve(position, node_limit=NODES_A_SAMPLE)
    # Where every order can be won or none can, the lines of the other samples are enough to choose a move.
    samples_agree = has_exact_verdict(position.rules) and not position.rules.face_down
    if line.is_winnable is not None or samples_agree:
        return line
    return solver.find_win(position, node_limit=NODES_A_SAMPLE)


def _without_a_line(view: Position, samples: list[Position], lines: list[Solution]) -> Suggestion:
    """Return a move that removes many cards and, where the exact verdict is cheap, does not lose the game."""
    if _is_decided(view):
        safe = [move for move in view.legal_moves if verdict(samples[0].after(move))]
        return Suggestion(_greediest(view, safe), Why.STILL_WINNABLE, is_exact=False)
    undecided = sum(line.is_winnable is not False for line in lines)
    why = Why.NO_WIN_IN_SAMPLES if undecided else Why.SAMPLES_LOST
    return Suggestion(_greedy(view), why, is_exact=False, undecided=undecided)


def _prospect(move: Move, samples: list[Position], lines: list[Solution]) -> tuple[int, int, float]:
    """Return how many samples a move wins, how many it does not lose, and the mean length of the wins, negated.

    The greatest is best. Samples already lost before the move are not searched again.
    """
    after = [_line_after(move, sample, line) for sample, line in zip(samples, lines, strict=True)]
    lengths = [line.length for line in after if line.length is not None]
    not_lost = sum(line.is_winnable is not False for line in after)
    return len(lengths), not_lost, -sum(lengths) / len(lengths)


def _line_after(move: Move, sample: Position, line: Solution) -> Solution:
    if not line.moves:
        return line
    return replace(line, moves=line.moves[1:]) if line.moves[0] is move else _line(sample.after(move))


def _greedy(position: Position) -> Move | None:
    return _greediest(position, position.legal_moves)


def _greediest(position: Position, moves: Sequence[Move]) -> Move | None:
    removals = [move for move in moves if move.kind is Kind.REMOVE]
    return greediest(position, removals) if removals else next(iter(moves), None)
