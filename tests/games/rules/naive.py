"""The rules a second time: dictionaries, lists and loops, written from docs/rules.md and not from games.rules.

It shares nothing with the real code but the fields of `RuleSet`. Cards are their texts. It is slow, and plain enough
to be believed.
"""

from __future__ import annotations

import copy
from itertools import combinations

from games.rules import RuleSet

RANKS = "A23456789TJQK"


class Naive:
    """One game: every card lies in one of these containers or has left play."""

    def __init__(self, deck: list[str], rules: RuleSet) -> None:
        self.rules = rules
        cards = list(deck)
        self.tableau: dict[tuple[int, int, int], str] = {}  # by peak, row and place in the row
        for peak in range(len(rules.tableau)):
            for row, length in enumerate(row_lengths(rules, peak)):
                for place in range(length):
                    self.tableau[peak, row, place] = cards.pop(0)
        self.goal = set(self.tableau.values()) if rules.goal.value == "tableau" else set(deck)
        self.reserve: list[list[str]] = [[] for _ in range(rules.reserve[0])]
        for _ in range(rules.reserve[1]):
            for pile in self.reserve:
                pile.append(cards.pop(0))
        self.stock = cards  # next card first
        self.wastes: list[list[str]] = [[] for _ in range(rules.wastes)]
        self.cells: list[str] = []
        self.passes_begun = 1

    def after(self, move: str) -> Naive:
        game = copy.copy(self)
        game.tableau, game.cells, game.stock = dict(self.tableau), list(self.cells), list(self.stock)
        game.reserve, game.wastes = [list(pile) for pile in self.reserve], [list(pile) for pile in self.wastes]
        if move == "D":
            game.draw()
        elif move == "R":
            game.recycle()
        elif move[0] == "P":
            game.take(move[1:])
            game.cells.append(move[1:])
        else:
            for start in range(0, len(move), 2):
                game.take(move[start : start + 2])
        return game

    def draw(self) -> None:
        for number in range(min(self.rules.draw, len(self.stock))):
            card = self.stock.pop(0)
            if self.wastes:
                self.wastes[number % len(self.wastes)].append(card)

    def recycle(self) -> None:
        for pile in reversed(self.wastes):
            while pile:
                self.stock.append(pile.pop(0))
        self.passes_begun += 1

    def take(self, card: str) -> None:
        for place, other in list(self.tableau.items()):
            if other == card:
                del self.tableau[place]
        for pile in [self.stock, self.cells, *self.wastes, *self.reserve]:
            if card in pile:
                pile.remove(card)

    def covers(self, place: tuple[int, int, int]) -> list[str]:
        """The cards that still lie on a tableau place."""
        peak, row, column = place
        columns = (column - 1, column) if self.rules.tableau[peak].inverted else (column, column + 1)
        return [self.tableau[peak, row + 1, at] for at in columns if (peak, row + 1, at) in self.tableau]

    def uncovered(self) -> list[str]:
        return [card for place, card in self.tableau.items() if not self.covers(place)]

    def exposed(self) -> list[str]:
        cards = self.uncovered() + self.cells
        for pile in self.wastes + self.reserve:
            cards += pile[-1:]
        if self.rules.stock_open:
            cards += self.stock[:1]
        return cards

    def removals(self) -> set[str]:
        exposed = self.exposed()
        found = {card for card in exposed if self.rules.match.value == "thirteen" and card[0] == "K"}
        pairs = list(combinations(exposed, 2))
        if self.rules.overlap:
            uncovered = self.uncovered()
            for place, card in self.tableau.items():
                covers = self.covers(place)
                if len(covers) == 1 and covers[0] in uncovered:
                    pairs.append((card, covers[0]))
        for pair in pairs:
            if ranks_match(self.rules.match.value, *pair):
                found.add("".join(sorted(pair, key=lambda card: (RANKS.index(card[0]), card[1]))))
        return found

    def legal_moves(self) -> list[str]:
        if self.is_won():
            return []
        moves = list(self.removals())
        if self.stock:
            moves.append("D")
        elif any(self.wastes) and (self.rules.passes is None or self.passes_begun < self.rules.passes):
            moves.append("R")
        if len(self.cells) < self.rules.cells:
            moves += ["P" + card for card in self.uncovered()]
            moves += ["P" + pile[-1] for pile in self.wastes if pile]
        return sorted(moves)

    def in_play(self) -> set[str]:
        return {*self.tableau.values(), *self.stock, *self.cells}.union(*self.wastes, *self.reserve)

    def cards_left(self) -> int:
        return len(self.goal & self.in_play())

    def is_won(self) -> bool:
        return self.cards_left() == 0

    def outcome(self) -> str | None:
        if self.is_won():
            return "won"
        return None if self.can_get_on() else "stuck"

    def can_get_on(self) -> bool:
        """Try every order of draws, recycles and parks, and look whether a removal or the win comes up."""
        met, waiting = set(), [self]
        while waiting:
            game = waiting.pop()
            if game.is_won() or game.removals():
                return True
            for move in game.legal_moves():
                later = game.after(move)
                if later.key() not in met:
                    met.add(later.key())
                    waiting.append(later)
        return False

    def key(self) -> str:
        passes = self.passes_begun if self.rules.passes else None
        return repr([self.tableau, self.wastes, self.stock, sorted(self.cells), passes])

    def in_sight(self) -> set[str]:
        """The cards that lie face up."""
        covered = set(self.tableau.values()) - set(self.uncovered())
        hidden = set() if self.rules.stock_seen else set(self.stock[1:] if self.rules.stock_open else self.stock)
        return self.in_play() - hidden - (covered if self.rules.face_down else set())


def row_lengths(rules: RuleSet, peak: int) -> list[int]:
    rows = rules.tableau[peak].rows
    return list(range(rows, 0, -1)) if rules.tableau[peak].inverted else list(range(1, rows + 1))


def ranks_match(match: str, card: str, other: str) -> bool:
    a, b = sorted((RANKS.index(card[0]) + 1, RANKS.index(other[0]) + 1))
    return {
        "thirteen": a + b == 13,
        "dozen": a + b == 12 or (a, b) == (12, 13),
        "eleven": a + b == 11 or (a == b and a in (11, 12, 13)),
        "adjacent": b - a in (0, 1),
    }[match]
